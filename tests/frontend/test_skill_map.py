"""The picture of the skill map: its lines cross no box, its states are told without colour; and where to go on."""

import re

import pytest
from django.test import Client

from exercises import catalogue
from exercises.actions import draw_variant, send_answer
from exercises.catalogue import Skill
from exercises.models import User, Variant
from exercises.tasks import grade_pending
from frontend.map_lines import NODE_HEIGHT, NODE_WIDTH, corner, lines, path
from tests.exercises.world import ALL_RIGHT
from tests.frontend.world import words


def drawn_lines() -> list[tuple[Skill, Skill, list[tuple[float, float]]]]:
    """Every line of the catalogue's map: what it joins, and points along it."""
    skills = catalogue.skills()
    by_id = {skill.id: skill for skill in skills}
    pairs = [(by_id[need], skill) for skill in skills for need in skill.needs]
    routed = lines(pairs, {(skill.row, skill.column) for skill in skills})
    return [(line.need, line.skill, points(path(line))) for line in routed]


def points(markup: str) -> list[tuple[float, float]]:
    found = re.search(r' d="([^"]+)"', markup)
    assert found
    along: list[tuple[float, float]] = []
    for command, text in re.findall(r"([MCV])([^MCV]*)", found[1]):
        numbers = [float(number) for number in text.split()]
        if command == "C":
            (x0, y0), (x1, y1, x2, y2, x3, y3) = along[-1], numbers
            for part in (place / 20 for place in range(1, 21)):
                far = 1 - part
                weights = far**3, 3 * far**2 * part, 3 * far * part**2, part**3
                along.append(
                    (
                        sum(weight * x for weight, x in zip(weights, (x0, x1, x2, x3), strict=True)),
                        sum(weight * y for weight, y in zip(weights, (y0, y1, y2, y3), strict=True)),
                    )
                )
        elif command == "V":
            x, y = along[-1]
            along += [(x, y + (numbers[0] - y) * place / 20) for place in range(1, 21)]
        else:
            along.append((numbers[0], numbers[1]))
    return along


def test_no_line_of_the_map_runs_behind_a_box() -> None:
    for need, skill, along in drawn_lines():
        for other in catalogue.skills():
            left, top = corner(other)
            for x, y in along:
                inside = left < x < left + NODE_WIDTH and top + 1 < y < top + NODE_HEIGHT - 1
                assert not inside, f"The line from {need.id} to {skill.id} crosses {other.id}."


def test_every_line_of_the_map_joins_what_it_says() -> None:
    for need, skill, along in drawn_lines():
        for at, end, foot in ((need, along[0], NODE_HEIGHT), (skill, along[-1], 0.0)):
            left, top = corner(at)
            assert end == pytest.approx((left + NODE_WIDTH / 2, top + foot))


def test_lines_that_run_side_by_side_keep_apart() -> None:
    skills = catalogue.skills()
    by_id = {skill.id: skill for skill in skills}
    taken = {(skill.row, skill.column) for skill in skills}
    routed = lines([(by_id[need], skill) for skill in skills for need in skill.needs], taken)
    lanes = [(row, lane) for line in routed for row, lane in enumerate(line.lanes, start=line.need.row + 1)]
    assert lanes
    assert len(lanes) == len(set(lanes))


@pytest.mark.usefixtures("servers", "variant")
def test_the_map_says_what_its_boxes_mean(as_bob: Client) -> None:
    html = as_bob.get("/").content.decode()
    legend = html[html.index('class="map-legend"') :]
    assert "begun" in words(legend)
    assert "leads down from a skill to what builds on it" in words(legend)
    assert 'class="map-mark map-mark-begun"' in html
    assert "all its problems solved" not in words(html)


@pytest.mark.usefixtures("servers", "variant")
def test_somebody_new_is_told_where_to_begin(as_charlie: Client) -> None:
    html = as_charlie.get("/").content.decode()
    assert "Begin here" in words(html)
    assert "Go on where you were" not in words(html)


@pytest.mark.usefixtures("servers")
def test_one_goes_on_with_the_variant_that_was_begun_last(as_bob: Client, bob: User, variant: Variant) -> None:
    last = draw_variant(learner=bob, slug="claims")
    html = as_bob.get("/").content.decode()
    strip = html[html.index('class="next-steps"') : html.index('class="map"')]
    assert str(last.public_id) in strip
    assert str(variant.public_id) not in strip
    assert "Next for you" not in words(strip), "both problems were begun"


@pytest.mark.usefixtures("servers")
def test_nothing_to_go_on_with_once_all_is_solved(as_bob: Client, bob: User, variant: Variant) -> None:
    send_answer(learner=bob, variant=variant, answers=ALL_RIGHT)
    claims = draw_variant(learner=bob, slug="claims")
    send_answer(learner=bob, variant=claims, answers={"claims": ["sums", "positive"], "best": "first"})
    grade_pending()
    html = as_bob.get("/").content.decode()
    assert 'class="next-steps"' not in html
    assert "all its problems solved" in words(html)
