"""The chart of a skill tells what the fold made of each step of a check, and decides nothing itself."""

import datetime as dt
import uuid
from dataclasses import replace

import pytest

from exercises import clock
from exercises.mastery.fold import trajectory
from exercises.mastery.levels import standing
from exercises.mastery.states import ClosedStep, Level
from exercises.queries import Point
from frontend.skill_page import HistoryChart, history_chart
from tests.exercises.mastery.rows import CLEAN

START = dt.datetime(2026, 5, 3, 12, tzinfo=dt.UTC)


def later(place: int, *, hours: float, **more: float | bool) -> ClosedStep:
    """A clean step of a variant of its own, so many hours after the first."""
    at = START + dt.timedelta(hours=hours)
    return replace(CLEAN, variant=place, submission=place, closed_at=at, study_day=at.date(), **more)  # type: ignore[arg-type]


#: Clean steps on hard problems within the hour: proficient.
PRACTICE = [later(place, hours=place / 24, b=0.7) for place in range(1, 25)]
#: A clean step of a check two days later: mastered.
MASTERED = [*PRACTICE, later(30, hours=48, is_check=True)]


def drawn(rows: list[ClosedStep]) -> tuple[HistoryChart, list[Level]]:
    """The chart of these rows, and the level after each."""
    passed = trajectory("softmax", rows, {})
    points = [Point(row, state, "masked", "At one token", uuid.uuid4()) for row, state in passed]
    last = passed[-1][1]
    now = standing("softmax", last, now=rows[-1].closed_at, today=rows[-1].study_day, key="softmax")
    with clock.at(rows[-1].closed_at):
        chart = history_chart(points, now, "Europe/Berlin")
    assert chart is not None
    return chart, [state.level for _, state in passed]


@pytest.mark.parametrize(
    ("rows", "levels", "said"),
    [
        pytest.param(MASTERED, (Level.PROFICIENT, Level.MASTERED), "Mastered, check passed", id="passed"),
        pytest.param(
            [*MASTERED, later(31, hours=72, is_check=True, e=0.0, tries=3)],
            (Level.MASTERED, Level.PROFICIENT),
            "Proficient, check failed",
            id="failed",
        ),
        pytest.param(
            [*MASTERED, later(31, hours=72, is_check=True, e=0.6, tries=2)],
            (Level.MASTERED, Level.MASTERED),
            "check",
            id="neither lowered nor raised",
        ),
        pytest.param(
            [*PRACTICE, later(30, hours=48, is_check=True, w=0.5)],
            (Level.PROFICIENT, Level.PROFICIENT),
            "check",
            id="scaffolded",
        ),
        pytest.param(
            [*PRACTICE, later(30, hours=12, is_check=True)],
            (Level.PROFICIENT, Level.PROFICIENT),
            "check",
            id="too early",
        ),
    ],
)
def test_a_check_is_called_what_the_fold_made_of_it(
    rows: list[ClosedStep], levels: tuple[Level, Level], said: str
) -> None:
    chart, reached = drawn(rows)
    assert tuple(reached[-2:]) == levels
    told = [row[-1] for row in chart.drawing.table.rows]
    assert told[1] == said, "after today's row the latest step comes first"
    kinds = {"check": "other", "Mastered, check passed": "passed", "Proficient, check failed": "failed"}
    assert f"chart-check-{kinds[said]}" in chart.drawing.svg
    assert any("check" in mark.words for mark in chart.legend)


def test_a_step_in_practice_is_no_check() -> None:
    chart, _ = drawn(PRACTICE)
    assert "chart-check" not in chart.drawing.svg
    assert [mark.words for mark in chart.legend] == ["the level changed"]
