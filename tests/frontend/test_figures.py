"""Figures: what is in the data is in the picture and in its table, and nothing else is."""

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from exercises.figures import KINDS, draw, has_content
from exercises.figures.canvas import number, places_of, share

EXAMPLES: dict[str, dict[str, Any]] = {
    "tokens": {"tokens": ["[CLS]", "the", "[MASK]", "sat"], "marks": {"1": "special", 3: "mask"}, "first": 1},
    "bars": {"labels": ["mat", "car"], "values": [0.665, 0.335], "highlight": 0},
    "embeddings": {"rows": [{"name": "token", "values": [0.5, -1.0]}, {"name": "position", "values": [0.25, 2.0]}]},
    "vectors": {
        "vectors": [{"name": "h", "values": [1.0, -0.5]}],
        "matrix": {"name": "W", "rows": [[1.0, 2.0], [3.0, -4.5]]},
    },
    "funnel": {"inputs": 768, "outputs": 2, "labels": ["neg", "pos"], "activation": "softmax"},
    "loss-curve": {"p": 0.0453, "loss": 3.09, "label": "mat"},
}


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(svg).iter("text")]


def test_there_is_an_example_of_every_kind() -> None:
    assert set(EXAMPLES) == set(KINDS)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_figure_is_a_picture_with_a_name_a_description_and_a_table(kind: str) -> None:
    drawing = draw(kind, EXAMPLES[kind])
    for svg in filter(None, (drawing.svg, drawing.narrow_svg)):
        root = ET.fromstring(svg)
        assert root.get("role") == "img"
        assert root.findtext("title")
        assert root.findtext("desc")
        assert root.get("aria-label")
    assert drawing.caption
    assert drawing.table.rows
    assert all(len(row) == len(drawing.table.headings) for row in drawing.table.rows)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_figure_has_no_style_no_colour_of_its_own_and_fits_a_phone(kind: str) -> None:
    drawing = draw(kind, EXAMPLES[kind])
    narrow = drawing.narrow_svg or drawing.svg
    for svg in (drawing.svg, narrow):
        assert " style=" not in svg
        assert not re.search(r'(fill|stroke)="', svg)
        assert "nan" not in svg.lower()
    width = float((ET.fromstring(narrow).get("viewBox") or "").split()[2])
    assert width <= 340


@pytest.mark.parametrize("kind", EXAMPLES)
def test_everything_drawn_stays_inside_the_picture(kind: str) -> None:
    drawing = draw(kind, EXAMPLES[kind])
    root = ET.fromstring(drawing.svg)
    _, _, width, height = (float(part) for part in (root.get("viewBox") or "").split())
    for node in root.iter():
        for name, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
            if (value := node.get(name)) is not None:
                assert -0.01 <= float(value) <= most + 0.01, (node.tag, name, value)
        if node.tag == "rect":
            assert float(node.get("x", "0")) + float(node.get("width", "0")) <= width + 0.01


def test_markup_in_a_label_is_text() -> None:
    drawing = draw("bars", {"labels": ['<script>alert("x")</script>', "b&c"], "values": [0.5, 0.5], "highlight": None})
    assert "<script>" not in drawing.svg
    assert '<script>alert("x")</script>' in texts(drawing.svg)


def test_bars_without_values_are_empty_outlines() -> None:
    drawing = draw("bars", {"labels": ["mat", "car"], "values": None, "highlight": 0})
    assert drawing.svg.count("fig-empty") == 2
    assert "fig-bar" not in drawing.svg
    assert texts(drawing.svg).count("?") == 2
    assert [row[1] for row in drawing.table.rows] == ["not known yet", "not known yet"]


@pytest.mark.parametrize(("values", "is_sum"), [([0.665, 0.335], True), ([0.802, 0.5, 0.0911], False), (None, False)])
def test_bars_are_said_to_add_up_only_where_they_do(values: list[float] | None, *, is_sum: bool) -> None:
    labels = ["mat", "car", "sky"][: len(values or (0, 0))]
    caption = draw("bars", {"labels": labels, "values": values, "highlight": None}).caption
    assert (caption == "The probabilities add up to 1.") is is_sum


def test_a_probability_on_the_curve_is_printed_as_it_was_given() -> None:
    assert "(0.04, 3.22)" in texts(draw("loss-curve", {"p": 0.04, "loss": 3.2189, "label": ""}).svg)


def test_bars_are_as_long_as_their_values() -> None:
    drawing = draw("bars", {"labels": ["mat", "car"], "values": [0.75, 0.25], "highlight": None})
    widths = [
        float(node.get("width", "0"))
        for node in ET.fromstring(drawing.svg).iter("rect")
        if "fig-bar" in node.get("class", "")
    ]
    assert widths[0] == pytest.approx(3 * widths[1], abs=0.05)


@pytest.mark.parametrize(
    ("data", "absent"),
    [
        ({"p": None, "loss": None, "label": "mat"}, ("fig-point", "fig-drop")),
        ({"p": 0.5, "loss": None, "label": "mat"}, ("0.693)",)),
    ],
)
def test_the_curve_shows_no_answer_that_is_not_given(data: dict[str, Any], absent: tuple[str, ...]) -> None:
    svg = draw("loss-curve", data).svg
    for part in absent:
        assert part not in svg


def test_the_answer_lies_on_the_curve() -> None:
    for chance, loss in ((0.5, 0.6931), (0.05, 2.9957), (0.9, 0.10536)):
        root = ET.fromstring(draw("loss-curve", {"p": chance, "loss": loss, "label": ""}).svg)
        point = next(node for node in root.iter("circle") if node.get("class") == "fig-point")
        path = next(node for node in root.iter("path") if node.get("class") == "fig-curve").get("d") or ""
        places = [tuple(map(float, pair.split())) for pair in path.removeprefix("M").split("L")]
        x, y = float(point.get("cx", "0")), float(point.get("cy", "0"))
        (x1, y1), (x2, y2) = next(pair for pair in pairwise(places) if pair[0][0] <= x <= pair[1][0])
        assert y == pytest.approx(y1 + (y2 - y1) * (x - x1) / (x2 - x1), abs=0.6)


def test_a_loss_beyond_the_usual_scale_is_still_in_the_picture() -> None:
    drawing = draw("loss-curve", {"p": 1e-9, "loss": 20.7, "label": ""})
    point = next(node for node in ET.fromstring(drawing.svg).iter("circle"))
    assert float(point.get("cy", "-1")) >= 0
    assert ("loss", "20.7") in drawing.table.rows


def test_a_long_sentence_wraps_instead_of_shrinking() -> None:
    data = {"tokens": ["representation"] * 12, "marks": {}, "first": 1}
    drawing = draw("tokens", data)
    assert drawing.narrow_svg != drawing.svg
    assert texts(drawing.narrow_svg).count("representation") == 12
    lines = {node.get("y") for node in ET.fromstring(drawing.narrow_svg).iter("rect")}
    assert len(lines) > 3


def test_slots_count_from_where_the_problem_counts() -> None:
    assert [row[0] for row in draw("tokens", {"tokens": ["a", "b"], "marks": {}, "first": 0}).table.rows] == ["0", "1"]
    assert [row[0] for row in draw("tokens", {"tokens": ["a", "b"], "marks": {}}).table.rows] == ["1", "2"]


def test_what_was_done_to_a_token_is_said_in_words() -> None:
    table = draw("tokens", EXAMPLES["tokens"]).table
    assert [row[2] for row in table.rows] == ["a signpost, not a word", "", "hidden behind [MASK]", ""]


def test_a_head_of_the_whole_vocabulary_is_drawn_with_few_dots() -> None:
    drawing = draw("funnel", {"inputs": 768, "outputs": 30522, "labels": [], "activation": "softmax"})
    assert len(list(ET.fromstring(drawing.svg).iter("circle"))) < 30
    assert "30,522 rows" in texts(drawing.svg)


def test_the_sum_of_embeddings_is_left_to_the_learner() -> None:
    drawn = texts(draw("embeddings", EXAMPLES["embeddings"]).svg)
    assert drawn.count("?") == 2
    assert "0.75" not in drawn


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [(-1.5, None, "−1.5"), (2.0, 1, "2.0"), (0.125, None, "0.125"), (-0.0, 2, "0.00"), (float("inf"), None, "∞")],
)
def test_numbers_are_printed_with_a_real_minus(value: float, places: int | None, shown: str) -> None:
    assert number(value, places) == shown


def test_a_list_is_printed_with_one_precision() -> None:
    assert places_of([0.5, 2.0, -1.25]) == 2
    assert places_of([1.0, 2.0]) == 0
    assert places_of([1 / 3]) == 4


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.66524, "0.665"),
        (0.0453, "0.0453"),
        (1.0, "1.00"),
        (3.0949, "3.09"),
        (0.0, "0"),
        (-0.5, "−0.500"),
        (12.345, "12.3"),
    ],
)
def test_shares_are_printed_to_three_significant_figures(value: float, shown: str) -> None:
    assert share(value) == shown


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_figure_without_anything_to_see_is_known(kind: str) -> None:
    assert has_content(kind, EXAMPLES[kind])
    assert not has_content("embeddings", {"rows": []})
    assert not has_content("vectors", {"vectors": [], "matrix": None})
