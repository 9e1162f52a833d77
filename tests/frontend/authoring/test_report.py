"""The report of a check in pictures: every kind of report can be drawn, and the table says what the picture shows."""

import re

import pytest

from exercises import catalogue
from frontend.authoring.histogram import histogram
from frontend.authoring.lanes import Lane, active_chart, separation_chart
from frontend.authoring.report import report_view
from grader.problem import load
from grader.report import distribution, full_report

SVG_NUMBER = re.compile(r' (?:x|y|x1|x2|y1|y2|width|height|cx|cy)="([^"]*)"')


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_the_report_of_every_problem_can_be_drawn(slug: str) -> None:
    report = full_report(load(catalogue.source(slug)), range(12))
    view = report_view(report)
    assert view.seeds == 12
    drawings = [view.active, view.separation, *view.spread]
    drawings += [drawn for step in view.steps for drawn in (step.keys, step.allowance)]
    for drawing in drawings:
        if drawing is not None:
            assert drawing.table.rows
            assert all(float(number) >= 0 for number in SVG_NUMBER.findall(drawing.svg))
            assert "nan" not in drawing.svg


def test_a_report_that_lacks_everything_is_shown() -> None:
    view = report_view({"seeds": 3, "failures": ["no variant can be drawn"], "passed": False})
    assert [fault["message"] for fault in view.faults] == ["no variant can be drawn"]
    assert view.steps == ()


def test_mistakes_that_were_never_looked_at_are_not_drawn_as_idle() -> None:
    mistakes = [{"note": "loss.log2", "active": 0.0, "separation": None, "nearest_seed": None}]
    assert report_view({"seeds": 3, "passed": False, "mistakes": mistakes}).active is None
    assert report_view({"seeds": 3, "passed": True, "mistakes": mistakes}).active is not None


def test_the_bars_are_as_tall_as_the_counts() -> None:
    found = distribution([1, 1, 1, 1, 2, 2, 3])
    assert found is not None
    drawing = histogram(found, "Keys of p")
    assert sum(int(count) for _, count in drawing.table.rows) == 7
    heights = [float(tall) for tall in re.findall(r'height="([\d.]+)" rx="0"', drawing.svg)]
    assert sorted(heights) == pytest.approx([23, 46, 92])


def test_one_value_and_powers_of_ten_can_be_drawn() -> None:
    for values in ([5.0], [0.0, 0.0], [1e-6, 1.0, 1e6], [-3.0, 7.5]):
        found = distribution(values)
        assert found is not None
        assert histogram(found, "Keys").svg.startswith("<svg")


def test_a_mistake_that_is_idle_looks_so() -> None:
    lanes = [Lane("p.no-exp", 0.9, None), Lane("p.argmax", 0.1, None)]
    svg = active_chart(lanes).svg
    assert svg.count("fig-bar-chosen") == 1
    assert "10%" in svg


def test_notes_are_escaped_and_long_ones_cut_in_the_picture_only() -> None:
    lane = Lane("loss.<b>" + "x" * 40, 0.5, {"min": 2, "q1": 3, "median": 5, "q3": 8, "max": 5000})
    for drawing in (active_chart([lane]), separation_chart([lane])):
        assert "<b>" not in drawing.svg
        assert drawing.table.rows[0][0] == lane.note
