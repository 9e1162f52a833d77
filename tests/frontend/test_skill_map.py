"""The picture of the skill map: its lines cross no box, its states are told without colour; and where to go on."""

import datetime as dt
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from exercises import catalogue, queries
from exercises.actions import draw_variant, send_answer, sync_catalogue
from exercises.catalogue import Skill
from exercises.mastery.choosing import Bucket, Choice
from exercises.mastery.levels import Standing, standing
from exercises.mastery.states import NOTHING, Level
from exercises.models import User, Variant
from exercises.tasks import grade_pending
from frontend.map_lines import NODE_HEIGHT, NODE_WIDTH, corner, lines, path
from frontend.skill_map import SkillMap, skill_map_picture
from tests.exercises.world import ALL_RIGHT
from tests.frontend.world import words

NOW = dt.datetime(2026, 5, 3, 12, tzinfo=dt.UTC)


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
    legend = words(html[html.index('class="map-legend"') : html.index('class="skills"')])
    for said in ("Not started", "Learning", "Proficient", "Mastered", "Review due"):
        assert said in legend
    assert "leads down from a skill to what builds on it" in legend


def standing_at(skill: str, level: Level, *, is_due: bool = False) -> Standing:
    held = replace(NOTHING, level=level, highest=level)
    return replace(standing(skill, held, now=NOW, today=NOW.date(), key=skill), is_due=is_due)


def drawn_map(**levels: Level) -> SkillMap:
    """The map of somebody at these levels, who has not started the rest; a review is due at softmax."""
    held = {
        skill.id: standing_at(skill.id, levels.get(skill.id, Level.NOT_STARTED), is_due=skill.id == "softmax")
        for skill in catalogue.skills()
    }
    return skill_map_picture([(skill, []) for skill in catalogue.skills()], held, address=lambda skill: f"#{skill.id}")


def box_of(shown: SkillMap, title: str) -> ET.Element:
    """The link around a box of the picture."""
    return next(
        node
        for node in ET.fromstring(shown.picture).iter("a")
        if (node.get("aria-label") or "").startswith(f"{title},")
    )


def marks_in(box: ET.Element) -> list[str | None]:
    """The shapes that mark a box, without their colours."""
    return [node.get("d") for group in box.iter("g") for node in group.iter("path")]


def test_levels_and_what_is_due_are_told_apart_without_colour() -> None:
    shown = drawn_map(**{"exp-log": Level.LEARNING, "softmax": Level.PROFICIENT, "shapes": Level.MASTERED})
    learning, proficient, mastered, new = (
        box_of(shown, title) for title in ("Exponentials and logarithms", "Softmax", "Shapes", "Perplexity")
    )
    shapes = [*map(marks_in, (learning, proficient, mastered, new))]
    assert [len(found) for found in shapes] == [1, 2, 1, 0], "softmax has a second mark, since it is due"
    assert len({shape for found in shapes for shape in found}) == 4
    assert proficient.get("aria-label") == "Softmax, proficient, review due, no problem yet"
    assert new.get("aria-label") == "Perplexity, not started, no problem yet"


def test_the_boxes_lead_where_the_page_says() -> None:
    found = {node.get("href") for node in ET.fromstring(drawn_map().picture).iter("a")}
    assert found == {f"#{skill.id}" for skill in catalogue.skills()}


@pytest.mark.usefixtures("servers")
def test_somebody_new_is_told_where_to_begin_and_why(as_charlie: Client) -> None:
    sync_catalogue()
    strip = part_of_strip(as_charlie)
    assert "Begin here" in words(strip)
    assert "New for you:" in words(strip)
    assert "nothing else is needed first." in words(strip)
    assert "Go on where you were" not in words(strip)
    assert 'name="skill" value="exp-log"' in strip


@pytest.mark.usefixtures("servers")
def test_what_is_recommended_begins_whatever_became_of_it_before(
    as_bob: Client, bob: User, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_answer(learner=bob, variant=variant, answers=ALL_RIGHT)
    grade_pending()
    choice = Choice("masked", "softmax", Bucket.REVIEW, "Due for review: softmax.", 0.8)
    monkeypatch.setattr(queries, "next_choice", lambda *_, **__: choice)
    strip = part_of_strip(as_bob)
    assert "Next for you Loss at one masked token Begin : Loss at one masked token Due for review: softmax." in words(
        strip
    )
    assert "solved" in words(as_bob.get("/").content.decode()), "below, in the list of its skill"


@pytest.mark.usefixtures("servers", "variant")
@pytest.mark.parametrize(("skill", "asked"), [("softmax", ["powers", "total", "p"]), ("", None)])
def test_what_is_recommended_asks_only_what_its_learner_is_ready_for(
    as_charlie: Client, charlie: User, skill: str, asked: list[str] | None
) -> None:
    as_charlie.post("/problems/masked/draw/", {"skill": skill} if skill else {})
    assert Variant.objects.get(learner=charlie).asked == asked


def part_of_strip(client: Client) -> str:
    """The strip above the map."""
    html = client.get("/").content.decode()
    return html[html.index('class="next-steps"') : html.index('class="map"')]


@pytest.mark.usefixtures("servers")
def test_one_goes_on_with_the_variant_that_was_begun_last(as_bob: Client, bob: User, variant: Variant) -> None:
    last = draw_variant(learner=bob, slug="claims")
    strip = part_of_strip(as_bob)
    assert str(last.public_id) in strip
    assert str(variant.public_id) not in strip
    assert "Next for you" not in words(strip), "what the two problems build on has no problem here"


@pytest.mark.usefixtures("servers")
def test_with_nothing_to_go_on_with_there_is_still_the_session_of_the_day(
    as_bob: Client, bob: User, variant: Variant
) -> None:
    send_answer(learner=bob, variant=variant, answers=ALL_RIGHT)
    claims = draw_variant(learner=bob, slug="claims")
    send_answer(learner=bob, variant=claims, answers={"claims": ["sums", "positive"], "best": "first"})
    grade_pending()
    strip = words(part_of_strip(as_bob))
    assert "Today’s session" in strip
    assert "Go on where you were" not in strip
