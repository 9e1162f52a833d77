"""The state is what the rows say, whatever order they come in; levels move by their rules and by one at a time."""

import datetime as dt
import random
from dataclasses import replace
from itertools import pairwise
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.mastery.constants import CONSTANTS
from exercises.mastery.fold import advanced, counting, effects, folded, trajectory
from exercises.mastery.retention import Rating, reviewed
from exercises.mastery.states import NOTHING, ClosedStep, Level, SkillState
from tests.exercises.mastery.rows import CLEAN, START, after, clean_rows, row

NEEDS = {"cross-entropy": ("softmax", "logarithm"), "softmax": ("exponential",)}
SKILLS = ["cross-entropy", "softmax", "exponential", "logarithm"]


@st.composite
def steps(draw: st.DrawFn) -> ClosedStep:
    """Any step: rarely clean, often clumsy, at any moment of ten weeks; few variants, so that revisions collide."""
    at = START + dt.timedelta(hours=draw(st.integers(0, 1700)))
    return replace(
        CLEAN,
        skill=draw(st.sampled_from(SKILLS)),
        variant=draw(st.integers(1, 6)),
        step=draw(st.sampled_from("abc")),
        submission=draw(st.integers(0, 9)),
        closed_at=at,
        study_day=at.date() + dt.timedelta(days=draw(st.integers(-1, 1))),
        e=draw(st.sampled_from([0.0, 0.36, 0.5, 0.6, 0.7, 1.0, 1.0, 1.0])),
        w=draw(st.sampled_from([0.0, 0.5, 1.0, 1.0])),
        b=draw(st.sampled_from([-0.7, 0.0, 0.7])),
        g=draw(st.sampled_from([0.0, 0.25])),
        tries=draw(st.integers(1, 3)),
        hints=draw(st.integers(0, 1)),
        is_check=draw(st.booleans()),
    )


@st.composite
def logs(draw: st.DrawFn) -> list[ClosedStep]:
    """A log as the table keeps it: the revisions of each step of each variant count up from 0."""
    seen: dict[tuple[int, str], int] = {}
    log = []
    for each in draw(st.lists(steps(), max_size=25)):
        place = (each.variant, each.step)
        seen[place] = seen.get(place, -1) + 1
        log.append(replace(each, revision=seen[place]))
    return log


def proficient() -> SkillState:
    state = after(clean_rows(10))
    assert state.level is Level.PROFICIENT
    return state


# Replay.


@given(logs(), st.randoms(use_true_random=False))
def test_any_order_of_arrival_with_duplicates_gives_the_same_state(log: list[ClosedStep], dice: random.Random) -> None:
    shuffled = log + [dice.choice(log) for _ in log]
    dice.shuffle(shuffled)
    for skill in SKILLS:
        assert folded(skill, shuffled, NEEDS) == folded(skill, log, NEEDS)


@given(logs())
def test_superseded_revisions_leave_no_trace(log: list[ClosedStep]) -> None:
    newest = counting(log)
    assert len({(each.variant, each.step) for each in newest}) == len(newest)
    for skill in SKILLS:
        assert folded(skill, log, NEEDS) == folded(skill, newest, NEEDS)


@given(logs())
def test_going_on_from_the_kept_state_is_folding_from_the_beginning(log: list[ClosedStep]) -> None:
    kept = dict.fromkeys(SKILLS, NOTHING)
    for each in counting(log):
        for skill, is_own in effects(each, NEEDS):
            kept[skill] = advanced(kept[skill], each, is_own=is_own)
    for skill in SKILLS:
        assert kept[skill] == folded(skill, log, NEEDS)


@given(logs())
def test_rows_that_count_nothing_change_nothing(log: list[ClosedStep]) -> None:
    voids = [replace(each, variant=each.variant + 100, w=0.0) for each in log]
    for skill in SKILLS:
        assert folded(skill, [*log, *voids], NEEDS) == folded(skill, log, NEEDS)


@given(logs())
def test_a_skill_depends_on_the_rows_that_reach_it_alone(log: list[ClosedStep]) -> None:
    newest = counting(log)
    for skill in SKILLS:
        reaching = [each for each in newest if skill in dict(effects(each, NEEDS))]
        assert folded(skill, reaching, NEEDS) == folded(skill, newest, NEEDS)


@given(logs())
def test_whatever_happened_the_state_is_made_of_finite_numbers(log: list[ClosedStep]) -> None:
    for skill in SKILLS:
        state = folded(skill, log, NEEDS)
        assert -CONSTANTS.bound <= state.mean <= CONSTANTS.bound
        assert 0 < state.variance <= CONSTANTS.start_variance
        assert isfinite(state.weight)
        assert state.highest.rank >= state.level.rank
        assert (state.since is None) == (state.level is Level.NOT_STARTED)
        assert state.memory is None or (isfinite(state.memory.stability) and state.memory.stability > 0)


@given(logs())
def test_the_trajectory_ends_where_the_fold_does_and_moves_one_level_at_a_time(log: list[ClosedStep]) -> None:
    for skill in SKILLS:
        passed = trajectory(skill, log, NEEDS)
        states = [NOTHING, *(state for _, state in passed)]
        assert states[-1] == folded(skill, log, NEEDS)
        assert [each.order for each, _ in passed] == sorted(each.order for each, _ in passed)
        for before, now in pairwise(states):
            assert abs(now.level.rank - before.level.rank) <= 1
            assert now.highest.rank >= before.highest.rank


def test_a_regrade_takes_back_what_the_first_verdict_gave() -> None:
    first = row(0)
    taken_back = replace(first, revision=1, w=0.0)
    assert folded("softmax", [first], NEEDS).level is Level.LEARNING
    assert folded("softmax", [first, taken_back], NEEDS) == NOTHING
    moved = replace(first, revision=1, skill="exponential", e=0.0, w=0.5)
    assert folded("softmax", [moved, first], NEEDS) == NOTHING
    assert folded("exponential", [moved, first], NEEDS).failures == 1


# What one row does.


def test_a_strong_step_gives_a_quarter_of_its_weight_to_the_direct_prerequisites() -> None:
    strong = row(skill="cross-entropy")
    assert effects(strong, NEEDS) == [("cross-entropy", True), ("softmax", False), ("logarithm", False)]
    state = folded("softmax", [strong], NEEDS)
    assert state.weight == 0.25
    assert CONSTANTS.start_mean < state.mean < after([row()]).mean
    assert (state.level, state.steps, state.memory, state.since) == (Level.NOT_STARTED, 0, None, None)
    assert folded("exponential", [strong], NEEDS) == NOTHING


@pytest.mark.parametrize("changes", [{"e": 0.7}, {"e": 0.0}, {"w": 0.0}])
def test_a_weak_step_gives_no_credit_and_no_blame(changes: dict[str, float]) -> None:
    assert effects(row(skill="cross-entropy", **changes), NEEDS) == [("cross-entropy", True)]


def test_credit_moves_no_level_and_nothing_that_is_mastered() -> None:
    state = after(clean_rows(9))
    assert state.level is Level.LEARNING
    credited = advanced(advanced(state, row(9, skill="cross-entropy"), is_own=False), row(10), is_own=False)
    assert credited.mean > state.mean
    assert credited.level is Level.LEARNING
    mastered = after([row(11, hours=24, is_check=True)], proficient())
    assert advanced(mastered, row(12, hours=25), is_own=False) is mastered


def test_failures_running_are_counted_until_something_goes_half_right() -> None:
    state = after([row(0, e=0.0), row(1, e=0.36)])
    assert (state.failures, state.steps) == (2, 2)
    assert after([row(2, e=0.5)], state).failures == 0


def test_idle_days_wear_the_estimate_once_and_hours_do_not() -> None:
    state = after(clean_rows(4))
    soon = after([row(4, hours=23)], state)
    assert soon.mean == after([row(4)], state).mean
    late = after([row(4, hours=24 * 30)], state)
    assert late.variance > soon.variance
    # Without a memory nothing is forgotten: only certainty is lost.
    assert late.mean > soon.mean


def test_two_absences_wear_no_more_than_what_was_forgotten_over_both() -> None:
    state = proficient()
    credit = [row(10, hours=24 * days, e=0.9) for days in (10, 20)]
    once = advanced(state, replace(credit[1], w=1e-9), is_own=False)
    twice = advanced(
        advanced(state, replace(credit[0], w=1e-9), is_own=False), replace(credit[1], w=1e-9), is_own=False
    )
    assert twice.mean == pytest.approx(once.mean, abs=1e-6)
    assert twice.variance == pytest.approx(once.variance, abs=1e-6)


# Levels.


def test_ten_clean_steps_on_two_variants_make_proficient_and_begin_a_memory() -> None:
    assert after(clean_rows(9)).level is Level.LEARNING
    state = proficient()
    last = clean_rows(10)[-1]
    assert (state.since, state.highest, state.highest_at) == (last.closed_at, Level.PROFICIENT, last.closed_at)
    assert state.memory == reviewed(None, Rating.GOOD, on=last.study_day)


def test_one_variant_alone_makes_nobody_proficient() -> None:
    alone = [row(number, variant=7, step=f"s{number}") for number in range(20)]
    state = after(alone)
    assert state.level is Level.LEARNING
    assert after([row(20, variant=8)], state).level is Level.PROFICIENT


def test_steps_with_help_alone_make_nobody_proficient() -> None:
    helped = [row(number, hints=1) for number in range(20)]
    assert after(helped).level is Level.LEARNING


def test_one_slip_after_proficiency_keeps_the_level_and_many_lose_it() -> None:
    state = proficient()
    slipped = after([row(10, e=0.0)], state)
    assert slipped.level is Level.PROFICIENT
    lost = after([row(number, e=0.0) for number in range(11, 14)], slipped)
    assert lost.level is Level.LEARNING
    assert (lost.highest, lost.highest_at) == (Level.PROFICIENT, state.highest_at)
    assert lost.memory is not None


def test_absence_alone_costs_no_level_and_neither_does_a_right_answer_after_it() -> None:
    state = proficient()
    back = after([row(10, hours=24 * 300)], state)
    assert back.mean < CONSTANTS.start_mean + 2
    assert back.level is Level.PROFICIENT
    assert after([row(10, hours=24 * 300, e=0.0)], state).level is Level.LEARNING


def test_a_mixed_check_a_day_later_unaided_and_well_done_makes_mastered() -> None:
    state = after([row(10, hours=20, is_check=True)], proficient())
    assert (state.level, state.highest) == (Level.MASTERED, Level.MASTERED)


@pytest.mark.parametrize(
    "changes",
    [
        {"hours": 19.9, "is_check": True},
        {"hours": 48.0, "is_check": False},
        {"hours": 48.0, "is_check": True, "hints": 1},
        {"hours": 48.0, "is_check": True, "tries": 2},
        {"hours": 48.0, "is_check": True, "w": 0.5},
        {"hours": 48.0, "is_check": True, "e": 0.75},
    ],
)
def test_nothing_less_makes_mastered(changes: dict[str, float]) -> None:
    assert after([row(10, **changes)], proficient()).level is Level.PROFICIENT


def test_a_learner_does_not_become_mastered_without_being_proficient_first() -> None:
    state = after([row(number, hours=24 * number, is_check=True, variant=1) for number in range(30)])
    assert state.level is Level.LEARNING


def test_a_failed_check_costs_one_level_and_the_highest_is_remembered() -> None:
    mastered = after([row(10, hours=24, is_check=True)], proficient())
    failed = after([row(11, hours=30, is_check=True, e=0.0)], mastered)
    assert (failed.level, failed.since) == (Level.PROFICIENT, row(11, hours=30).closed_at)
    assert (failed.highest, failed.highest_at) == (Level.MASTERED, mastered.highest_at)
    # The way back takes another check, as long after.
    assert after([row(12, hours=40, is_check=True)], failed).level is Level.PROFICIENT
    assert after([row(12, hours=51, is_check=True)], failed).level is Level.MASTERED


def test_blame_for_a_step_of_another_skill_fails_no_check() -> None:
    mastered = after([row(10, hours=24, is_check=True)], proficient())
    # A mixed check asked for another skill, and the mistake made there speaks about this one at half weight.
    blamed = after([row(11, hours=30, is_check=True, e=0.0, w=0.5)], mastered)
    assert (blamed.level, blamed.failures) == (Level.MASTERED, 1)
    assert blamed.mean < mastered.mean


def test_one_answer_costs_one_level_however_many_of_its_steps_went_wrong() -> None:
    mastered = after([row(10, hours=24, is_check=True)], proficient())
    sent = row(11, hours=30).closed_at
    steps = [row(11 + n, closed_at=sent, step=f"s{n}", is_check=True, e=0.0) for n in range(6)]
    failed = after(steps, mastered)
    assert (failed.level, failed.since, failed.failures) == (Level.PROFICIENT, sent, 6)
    # The estimate has taken all of it, and the next failure tells.
    assert after([row(20, hours=31, e=0.0)], failed).level is Level.LEARNING


def test_failures_outside_a_check_wear_mastery_down_one_level_at_a_time() -> None:
    state = after([row(10, hours=24, is_check=True)], proficient())
    levels = [state.level]
    for number in range(11, 18):
        state = after([row(number, hours=24, e=0.0)], state)
        levels.append(state.level)
    assert levels[1] is Level.MASTERED
    assert list(dict.fromkeys(levels)) == [Level.MASTERED, Level.PROFICIENT, Level.LEARNING]


# Memory.


def test_the_memory_is_reviewed_by_the_first_clean_step_of_a_day_alone() -> None:
    state = proficient()
    assert state.memory is not None
    same_day = after([row(10, e=0.0)], state)
    assert same_day.memory == state.memory
    next_week = after([row(11, hours=24 * 7, hints=1), row(12, hours=24 * 7, w=0.5)], state)
    assert next_week.memory == state.memory
    rated = after([row(13, hours=24 * 7, e=0.6, tries=2), row(14, hours=24 * 7)], next_week)
    assert rated.memory == reviewed(state.memory, Rating.HARD, on=row(13, hours=24 * 7).study_day)


def test_a_study_day_before_the_last_review_is_no_review() -> None:
    state = proficient()
    assert state.memory is not None
    moved = row(10, study_day=state.memory.reviewed_on - dt.timedelta(days=1))
    assert after([moved], state).memory == state.memory
