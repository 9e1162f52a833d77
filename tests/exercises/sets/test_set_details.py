"""What fits together on a set, and what means nothing in its mode."""

import datetime as dt
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.courses.set_details import FEEDBACK_OF, FIELDS_OF, SetDetails, faults_of, in_mode, window_faults

HALF = Fraction(1, 2)
DAY = dt.timedelta(days=1)
NOON = dt.datetime(2026, 11, 30, 11, tzinfo=dt.UTC)
QUIZ = SetDetails(title="Losses", mode="quiz", credits=(Fraction(1), HALF))

modes = st.sampled_from(list(FIELDS_OF))
falling = st.lists(st.fractions(0, 1, max_denominator=20), max_size=4).map(
    lambda all_: tuple(sorted(all_, reverse=True))
)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": ""}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"instructions": "a\x00b"}, "instructions"),
        ({"opens_at": NOON, "due_at": NOON}, "due_at"),
        ({"opens_at": NOON, "closes_at": NOON}, "closes_at"),
        ({"due_at": NOON, "closes_at": NOON - DAY}, "closes_at"),
        ({"time_limit": 0}, "time_limit"),
        ({"time_limit": 7 * 24 * 60 + 1}, "time_limit"),
        ({"credits": (HALF, Fraction(1))}, "credits"),
        ({"credits": (Fraction(0),)}, "credits"),
        ({"credits": (Fraction(1),) * 21}, "credits"),
        ({"late": (Fraction(1),)}, "late"),
        ({"due_at": NOON, "late": (HALF, Fraction(1))}, "late"),
        ({"pass_mark": Fraction(0)}, "pass_mark"),
    ],
)
def test_each_fault_stands_at_its_field(change: dict[str, Any], field: str) -> None:
    assert list(faults_of(replace(QUIZ, **change))) == [field]


def test_times_may_touch_where_that_means_something() -> None:
    assert not faults_of(QUIZ)
    assert not window_faults(NOON, NOON + DAY, NOON + DAY)
    assert not window_faults(None, None, None)
    assert not faults_of(replace(QUIZ, due_at=NOON, late=(Fraction(1), Fraction(4, 5), Fraction(3, 5)), time_limit=1))


@given(modes, falling, falling, st.sampled_from(["at-once", "handed-in", "released"]), st.integers(1, 99))
def test_what_means_nothing_in_a_mode_is_not_kept(
    mode: Any, shares: tuple[Fraction, ...], late: tuple[Fraction, ...], feedback: Any, limit: int
) -> None:
    said = SetDetails(
        title="  A   set ", mode=mode, credits=shares, late=late, due_at=NOON, feedback=feedback, time_limit=limit,
        retry="new", hints=True, shuffle=True, pass_mark=HALF,
    )  # fmt: skip
    kept = in_mode(said)
    blank = SetDetails(title="", mode=mode)
    assert kept.title == "A set"
    assert kept.feedback in FEEDBACK_OF[mode]
    for name in FIELDS_OF["quiz"] - FIELDS_OF[mode] - {"feedback"}:
        assert getattr(kept, name) == getattr(blank, name)
    for name in FIELDS_OF[mode] - {"feedback", "credits"}:
        assert getattr(kept, name) == getattr(said, name)
    assert (kept.credits == (shares or (Fraction(1),))) if mode == "quiz" else kept.credits == ()
    assert in_mode(kept) == kept
