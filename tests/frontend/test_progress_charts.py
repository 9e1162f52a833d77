"""The charts of progress: what is in the numbers is in the picture and its table, for one point or five hundred."""

import datetime as dt
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.figures import Drawing
from frontend.charts import Check, Moment, history_legend, interval_strip, skill_history, study_calendar
from frontend.charts.calendar import WEEKS, StudyDay
from frontend.charts.history import LEFT, MOST_TABLE_ROWS, WIDE
from frontend.charts.time_axis import time_axis

NOON = dt.datetime(2026, 5, 3, 12, tzinfo=dt.UTC)
TODAY = dt.date(2026, 11, 29)


def moments(count: int, *, apart: dt.timedelta = dt.timedelta(hours=9), chance: float = 0.6) -> list[Moment]:
    return [
        Moment(NOON + apart * place, chance, chance / 2, (1 + chance) / 2, what=f"step {place}")
        for place in range(count)
    ]


def history(drawn: list[Moment]) -> Drawing:
    now = Moment(drawn[-1].at + dt.timedelta(days=2), 0.55, 0.2, 0.8)
    return skill_history(drawn, now, goal=0.8)


def numbers_of(svg: str) -> list[tuple[float, float]]:
    """The points of every path."""
    found = [re.findall(r"(-?[\d.]+) (-?[\d.]+)", node.get("d") or "") for node in ET.fromstring(svg).iter("path")]
    return [(float(x), float(y)) for path in found for x, y in path]


@pytest.mark.parametrize("count", [1, 2, 500])
def test_a_history_is_drawn_for_any_number_of_steps(count: int) -> None:
    drawing = history(moments(count))
    for svg in (drawing.svg, drawing.narrow_svg):
        root = ET.fromstring(svg)
        _, _, width, height = (float(part) for part in (root.get("viewBox") or "").split())
        assert root.get("role") == "img"
        assert (root.findtext("desc") or "").startswith(f"{count} step")
        assert "nan" not in svg.lower()
        assert " style=" not in svg
        assert all(-0.1 <= x <= width + 0.1 and -0.1 <= y <= height + 0.1 for x, y in numbers_of(svg))
        ticks = [node.text or "" for node in root.iter("text") if "%" not in (node.text or "")]
        assert 1 <= len(ticks) <= 9
        assert len(ticks) == len(set(ticks))
    assert len(drawing.table.rows) == min(count, MOST_TABLE_ROWS) + 1
    assert drawing.table.rows[0][1] == "today"


def test_five_hundred_steps_make_no_page_of_points() -> None:
    assert len(history(moments(500)).svg) < 20_000


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_everything_right_or_wrong_is_drawn_without_a_fault(chance: float) -> None:
    drawing = skill_history([Moment(NOON, chance, chance, chance)], Moment(NOON, chance, chance, chance), goal=0.8)
    assert "nan" not in drawing.svg.lower()
    assert drawing.table.rows[0][2] == f"{chance:.0%}"


def test_without_a_step_there_is_no_history() -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        skill_history([], Moment(NOON, 0.5, 0.2, 0.8), goal=0.8)


def test_checks_and_changes_of_level_are_marked_and_told() -> None:
    drawn = [
        Moment(NOON, 0.5, 0.3, 0.7, what="Softmax", reached="Learning"),
        Moment(NOON + dt.timedelta(days=9), 0.9, 0.8, 0.95, what="Softmax", reached="Proficient"),
        Moment(NOON + dt.timedelta(days=11), 0.95, 0.9, 0.97, what="Mixed", reached="Mastered", check="passed"),
        Moment(NOON + dt.timedelta(days=40), 0.8, 0.6, 0.9, what="Mixed", reached="Proficient", check="failed"),
    ]
    drawing = history([*drawn, Moment(NOON + dt.timedelta(days=41), 0.8, 0.6, 0.9, what="Mixed", check="other")])
    words = [node.text for node in ET.fromstring(drawing.svg).iter("text")]
    assert [words.count(word) for word in ("Learning", "Proficient", "Mastered")] == [1, 2, 1]
    for check in ("passed", "failed", "other"):
        assert drawing.svg.count(f"chart-check-{check}") == 1
    told = [row[-1] for row in drawing.table.rows]
    assert told == ["", "check", "Proficient, check failed", "Mastered, check passed", "Proficient", "Learning"]


def test_of_the_steps_of_one_check_those_that_changed_nothing_do_not_hide_the_one_that_did() -> None:
    places: list[tuple[int, Check]] = [(0, "other"), (48, "other"), (48, "passed"), (48, "other"), (96, "other")]
    drawn = [Moment(NOON + dt.timedelta(hours=hours), 0.9, 0.8, 0.95, check=check) for hours, check in places]
    assert re.findall(r"chart-check-(\w+)", history(drawn).svg) == ["other", "other", "passed"]
    now = Moment(NOON + dt.timedelta(hours=200), 0.9, 0.8, 0.95)
    assert [mark.words for mark in history_legend(drawn[1:4], now)] == ["a check passed: mastered"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, []),
        ({"check": "other"}, ["another step of a check"]),
        ({"check": "passed", "reached": "Mastered"}, ["a check passed: mastered", "the level changed"]),
        ({"check": "failed", "reached": "Proficient"}, ["a check failed: mastered no longer", "the level changed"]),
    ],
)
def test_the_legend_has_the_marks_of_the_chart_and_no_other(more: dict[str, Any], said: list[str]) -> None:
    now = Moment(NOON, 0.6, 0.3, 0.8)
    legend = history_legend([now, *[replace(now, **more)] * 2], now)
    assert [mark.words for mark in legend] == said
    for mark in legend:
        assert ET.fromstring(mark.svg).get("aria-hidden") == "true"


def test_flags_that_are_close_do_not_cover_each_other() -> None:
    drawn = [Moment(NOON + dt.timedelta(minutes=place), 0.5, 0.3, 0.7, reached=f"Level {place}") for place in range(6)]
    flags = [
        (float(node.get("x") or 0), float(node.get("y") or 0), len(node.text or "") * 7.0)
        for node in ET.fromstring(history(drawn).svg).iter("text")
        if "chart-flag" in (node.get("class") or "")
    ]
    assert 1 <= len(flags) <= 3
    for place, (x, y, wide) in enumerate(flags):
        for other_x, other_y, _ in flags[place + 1 :]:
            assert y != other_y or other_x >= x + wide


def test_markup_in_a_title_is_text() -> None:
    drawing = history([Moment(NOON, 0.5, 0.3, 0.7, reached="<script>")])
    assert "<script>" not in drawing.svg


zones = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])
#: Seconds since 1970, from 2020 to 2030.
instants = st.tuples(st.integers(1_577_836_800, 1_893_456_000), zones.map(ZoneInfo)).map(
    lambda drawn: dt.datetime.fromtimestamp(drawn[0], drawn[1])
)


@given(
    first=instants, seconds=st.one_of(st.just(0), st.integers(0, 10**5), st.integers(0, 10**9)), most=st.integers(3, 9)
)
def test_an_axis_has_at_least_one_tick_and_never_too_many(first: dt.datetime, seconds: int, most: int) -> None:
    last = first + dt.timedelta(seconds=seconds)
    axis = time_axis(first, last, left=0, right=600, most=most)
    assert 1 <= len(axis.ticks) <= most
    places = [axis.x(moment) for moment, _ in axis.ticks]
    assert all(0 <= place <= 600 for place in places)
    assert all(before < after for before, after in pairwise(places))
    assert all(words for _, words in axis.ticks)
    assert 0 <= axis.x(first) <= axis.x(last) <= 600


def test_ticks_stand_where_a_calendar_has_its_lines() -> None:
    def words(**length: int) -> list[str]:
        axis = time_axis(NOON, NOON + dt.timedelta(**length), left=LEFT, right=WIDE, most=9)
        return [said for _, said in axis.ticks]

    assert words(minutes=20) == ["3 May, 12:00", "13:00"]
    assert words(hours=20) == ["3 May, 12:00", "15:00", "18:00", "21:00", "4 May", "03:00", "06:00"]
    assert words(days=3) == ["4 May", "5 May", "6 May"]
    assert words(days=30) == ["4 May", "11 May", "18 May", "25 May", "1 Jun"]
    assert words(days=200) == ["Jun", "Jul", "Aug", "Sep", "Oct", "Nov"]
    assert words(days=1000) == ["Jul", "2027", "Jul", "2028", "Jul", "2029"]


def test_the_calendar_has_a_square_for_each_day_and_fills_it_by_what_was_done() -> None:
    days = {TODAY: StudyDay(steps=3), TODAY - dt.timedelta(days=1): StudyDay(steps=40, cards=2)}
    drawing = study_calendar(days, today=TODAY)
    rectangles = list(ET.fromstring(drawing.svg).iter("rect"))
    kinds = [node.get("class") for node in rectangles]
    assert kinds.count("chart-day-today") == 1
    assert kinds.count("chart-day") == 7 * WEEKS - 1, "today is a Sunday"
    sizes = [float(node.get("width") or 0) for node in rectangles if node.get("class") == "chart-day-done"]
    assert len(sizes) == 2
    assert sizes[0] > sizes[1]
    assert drawing.table.rows == (
        ("Sun 29 November 2026", "3", "0"),
        ("Sat 28 November 2026", "40", "2"),
    )
    assert "2 days: 45 in all" in drawing.caption


@given(st.dates(dt.date(2024, 1, 1), dt.date(2028, 12, 31)))
def test_the_calendar_stays_inside_its_picture_on_any_day(today: dt.date) -> None:
    drawing = study_calendar({today: StudyDay(cards=1)}, today=today)
    for svg in (drawing.svg, drawing.narrow_svg):
        root = ET.fromstring(svg)
        _, _, width, height = (float(part) for part in (root.get("viewBox") or "").split())
        for node in root.iter("rect"):
            assert float(node.get("x", "0")) + float(node.get("width", "0")) <= width
            assert float(node.get("y", "0")) + float(node.get("height", "0")) <= height
        months = [float(node.get("x") or 0) for node in root.iter("text") if node.get("text-anchor") == "start"]
        assert all(after - before >= 28 for before, after in pairwise(months))
        assert months[-1] + 20 <= width
    assert float((ET.fromstring(drawing.narrow_svg).get("viewBox") or "").split()[2]) <= 340


def test_an_empty_calendar_says_so() -> None:
    drawing = study_calendar({TODAY - dt.timedelta(days=400): StudyDay(steps=1)}, today=TODAY)
    assert drawing.caption.startswith("Nothing yet.")
    assert drawing.table.rows == (("none yet", "0", "0"),)


@given(*(st.floats(0, 1) for _ in range(3)))
def test_a_strip_shows_any_chance(chance: float, low: float, high: float) -> None:
    svg = interval_strip(chance, min(low, high), max(low, high), goal=0.8)
    assert "nan" not in svg
    for node in ET.fromstring(svg).iter("rect"):
        assert float(node.get("x") or 0) + float(node.get("width") or 0) <= 124
