"""A standing is what a state means now: level, what is due and the highest ever are three facts."""

import datetime as dt
from dataclasses import astuple
from math import isfinite

from hypothesis import given
from hypothesis import strategies as st

from exercises.mastery.levels import Standing, is_unlocked, standing
from exercises.mastery.states import NOTHING, Level, SkillState
from tests.exercises.mastery.rows import START, after, clean_rows, row


def stands(state: SkillState, *, days: int = 0, exam_on: dt.date | None = None) -> Standing:
    now = START + dt.timedelta(days=days, hours=1)
    return standing("softmax", state, now=now, today=now.date(), key="bob softmax", exam_on=exam_on)


def mastered() -> SkillState:
    return after([row(10, hours=24, is_check=True)], after(clean_rows(10)))


def test_who_has_done_nothing_stands_at_the_start() -> None:
    held = stands(NOTHING, days=400)
    assert (held.level, held.highest, held.is_due) == (Level.NOT_STARTED, Level.NOT_STARTED, False)
    assert held.retention is held.due_on is held.last_at is held.since is None
    assert (held.mean, held.variance) == (NOTHING.mean, NOTHING.variance)
    assert held.low < held.chance < held.high
    assert held.surplus < 0


def test_a_review_comes_due_when_it_may_be_forgotten_and_the_level_stays() -> None:
    state = after(clean_rows(10))
    fresh = stands(state)
    assert (fresh.is_due, fresh.retention) == (False, 1.0)
    assert fresh.due_on == START.date() + dt.timedelta(days=2)
    assert not stands(state, days=1).is_due
    due = stands(state, days=2)
    assert (due.is_due, due.level) == (True, Level.PROFICIENT)
    late = stands(state, days=40)
    assert late.is_due
    assert late.due_on == fresh.due_on
    assert late.retention is not None
    assert late.retention < 0.7
    assert late.mean < due.mean < fresh.mean
    assert late.variance > fresh.variance


def test_mastered_once_failed_since_and_due_are_told_apart() -> None:
    failed = after([row(11, hours=30, is_check=True, e=0.0)], mastered())
    held = stands(failed, days=9)
    assert (held.level, held.highest, held.is_due) == (Level.PROFICIENT, Level.MASTERED, True)
    assert held.highest_at == mastered().highest_at
    assert held.failures == 1


def test_a_skill_that_is_being_learnt_again_is_not_due() -> None:
    lost = after([row(number, e=0.0) for number in range(10, 15)], after(clean_rows(10)))
    held = stands(lost, days=100)
    assert held.level is Level.LEARNING
    assert not held.is_due
    # What is not held is learnt and not reviewed: nothing is to be said of a retention or of a next review.
    assert held.retention is held.due_on is None
    assert lost.memory is not None


def test_what_is_due_never_says_a_day_to_come() -> None:
    state = mastered()
    for days in range(1, 60):
        held = stands(state, days=days)
        today = START.date() + dt.timedelta(days=days)
        assert held.due_on is not None
        assert held.is_due == (held.due_on <= today)


def test_an_exam_brings_reviews_forward_until_it_is_over() -> None:
    state = mastered()
    plain = stands(state, days=1)
    exam = START.date() + dt.timedelta(days=10)
    before = stands(state, days=1, exam_on=exam)
    assert plain.due_on is not None
    assert before.due_on is not None
    assert before.due_on < plain.due_on
    assert before.due_on < exam
    assert stands(state, days=11, exam_on=exam).due_on == stands(state, days=11).due_on


@given(st.integers(0, 20), st.integers(0, 5), st.integers(0, 5000))
def test_no_standing_holds_a_number_that_is_none(right: int, wrong: int, days: int) -> None:
    state = after([*clean_rows(right), *(row(right + number, e=0.0) for number in range(wrong))])
    held = stands(state, days=days)
    assert all(isfinite(each) for each in astuple(held) if isinstance(each, float))
    assert 0 < held.low <= held.chance <= held.high < 1


def test_a_skill_opens_when_every_hard_prerequisite_carries_it() -> None:
    needs = {"cross-entropy": ("softmax", "logarithm")}
    nothing, fine = stands(NOTHING), stands(after(clean_rows(5)))
    assert fine.level is Level.LEARNING
    assert fine.surplus >= 0
    assert is_unlocked("softmax", {}, needs)
    assert not is_unlocked("cross-entropy", {"softmax": fine}, needs)
    assert not is_unlocked("cross-entropy", {"softmax": fine, "logarithm": nothing}, needs)
    assert is_unlocked("cross-entropy", {"softmax": fine, "logarithm": fine}, needs)


def test_a_skill_once_proficient_keeps_open_what_stands_on_it_however_long_ago() -> None:
    worn = stands(after(clean_rows(10)), days=300)
    assert worn.surplus < 0
    assert is_unlocked("cross-entropy", {"softmax": worn}, {"cross-entropy": ("softmax",)})
