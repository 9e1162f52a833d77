"""FSRS-6 gives the numbers it was measured with, and does none of the things it does when left alone."""

import datetime as dt
import random
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.mastery.ability import idled
from exercises.mastery.retention import (
    LONGEST,
    MOST_STABLE,
    SCHEDULER_VERSION,
    OutOfOrder,
    Rating,
    due_on,
    interval,
    rating_of,
    retained,
    retrievability,
    reviewed,
)
from exercises.mastery.states import Memory

DAY = dt.date(2026, 3, 1)
AGAIN, HARD, GOOD, EASY = Rating

MEMORIES = st.builds(
    Memory,
    stability=st.floats(0.001, 5000),
    difficulty=st.floats(1, 10),
    reviewed_on=st.just(DAY),
    reviews=st.integers(1, 50),
    lapses=st.integers(0, 9),
)
KEYS = st.text(max_size=12)


def days(count: int) -> dt.timedelta:
    return dt.timedelta(days=count)


def reviewed_when_due(ratings: list[Rating]) -> tuple[list[float], list[int]]:
    """Stabilities and intervals of a card that is reviewed on the very day; its intervals have no upper end here."""
    memory, on, stabilities, intervals = None, DAY, [], []
    for rating in ratings:
        memory = reviewed(memory, rating, on=on)
        stabilities.append(memory.stability)
        intervals.append(max(round(memory.stability), 1))
        on += days(intervals[-1])
    return stabilities, intervals


@pytest.mark.parametrize(
    ("ratings", "stabilities", "intervals"),
    [
        ([GOOD] * 6, [2.3065, 10.9643, 46.2802, 162.8622, 497.4472, 1345.5288], [2, 11, 46, 163, 497, 1346]),
        ([GOOD, GOOD, AGAIN, GOOD], [2.3065, 10.9643, 1.5383, 4.8763], [2, 11, 2, 5]),
        ([EASY, GOOD], [8.2956, 38.9051], [8, 39]),
    ],
)
def test_stabilities_are_those_of_fsrs_6(ratings: list[Rating], stabilities: list[float], intervals: list[int]) -> None:
    measured = reviewed_when_due(ratings)
    assert measured[0] == pytest.approx(stabilities, abs=1e-4)
    assert measured[1] == intervals
    assert [interval(stability) for stability in stabilities] == [min(each, LONGEST) for each in intervals]


@pytest.mark.parametrize(
    ("stability", "after", "chance", "mean"),
    [(10.0, 10, 0.9000, 1.7600), (10.0, 40, 0.7821, 1.4771), (2.3065, 7, 0.8083, 1.5399)],
)
def test_forgetting_follows_its_curve_and_wears_the_ability(
    stability: float, after: int, chance: float, mean: float
) -> None:
    memory = Memory(stability=stability, difficulty=5.0, reviewed_on=DAY)
    left = retrievability(memory, on=DAY + days(after))
    assert left == pytest.approx(chance, abs=1e-4)
    assert left == retained(memory, days=after)
    assert idled(2.0, 0.5, days=after, retained=left)[0] == pytest.approx(mean, abs=1e-4)


def test_on_the_day_of_the_review_and_before_nothing_is_forgotten() -> None:
    memory = reviewed(None, GOOD, on=DAY)
    assert retrievability(memory, on=DAY) == retrievability(memory, on=DAY - days(3)) == 1.0


@pytest.mark.parametrize(("retention", "expected"), [(0.9, 100), (0.8, 332), (0.95, 40)])
def test_an_interval_depends_on_the_retention_that_is_wanted(retention: float, expected: int) -> None:
    assert interval(100.0, retention=retention) == expected


def test_the_version_of_the_scheduler_has_a_name_to_keep() -> None:
    assert SCHEDULER_VERSION.startswith("fsrs 6.")


def test_a_review_reads_no_clock_never_sleeps_and_draws_nothing_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("slept"))
    before = random.getstate()
    first = reviewed(reviewed(None, GOOD, on=DAY), GOOD, on=DAY + days(40))
    again = reviewed(reviewed(None, GOOD, on=DAY), GOOD, on=DAY + days(40))
    assert first == again
    assert random.getstate() == before


def test_a_day_before_the_last_review_is_refused() -> None:
    memory = reviewed(None, GOOD, on=DAY)
    with pytest.raises(OutOfOrder, match="2026-02-28"):
        reviewed(memory, GOOD, on=DAY - days(1))


def test_lapses_count_what_was_held_and_lost_once_a_day() -> None:
    memory = reviewed(None, AGAIN, on=DAY)
    assert (memory.reviews, memory.lapses) == (1, 0)
    memory = reviewed(memory, AGAIN, on=DAY)
    assert (memory.reviews, memory.lapses) == (2, 0)
    memory = reviewed(memory, AGAIN, on=DAY + days(1))
    assert (memory.reviews, memory.lapses) == (3, 1)
    memory = reviewed(memory, GOOD, on=DAY + days(1))
    assert (memory.reviews, memory.lapses) == (4, 1)


def test_no_pass_on_the_same_day_makes_a_memory_weaker() -> None:
    memory = Memory(stability=50.0, difficulty=5.0, reviewed_on=DAY)
    for rating in (HARD, GOOD, EASY):
        assert reviewed(memory, rating, on=DAY).stability >= memory.stability
    assert reviewed(memory, AGAIN, on=DAY).stability < memory.stability


@given(MEMORIES, st.integers(0, 3000), KEYS, st.none() | st.integers(1, 400))
def test_a_better_rating_never_gives_a_less_stable_memory_nor_an_earlier_day(
    memory: Memory, later: int, key: str, exam_in: int | None
) -> None:
    after = [reviewed(memory, rating, on=DAY + days(later)) for rating in Rating]
    stabilities = [each.stability for each in after]
    assert stabilities == sorted(stabilities)
    assert 0 < stabilities[0] <= stabilities[-1] <= MOST_STABLE
    assert all(1 <= each.difficulty <= 10 for each in after)
    exam_on = None if exam_in is None else DAY + days(later + exam_in)
    due = [due_on(each, key=key, exam_on=exam_on) for each in after]
    assert due == sorted(due)


@given(st.floats(0.5, 60), st.floats(0, 20), st.integers(2, 60), KEYS)
def test_nor_does_a_more_stable_memory_come_earlier_before_an_exam(
    stability: float, more: float, left: int, key: str
) -> None:
    exam_on = DAY + days(left)
    memories = [Memory(stability=each, difficulty=5.0, reviewed_on=DAY) for each in (stability, stability + more)]
    first, second = (due_on(each, key=key, exam_on=exam_on) for each in memories)
    assert first <= second


@given(MEMORIES, KEYS, st.none() | st.integers(-30, 800))
def test_the_next_review_is_never_before_the_day_after_the_last_nor_a_year_away(
    memory: Memory, key: str, exam_in: int | None
) -> None:
    exam_on = None if exam_in is None else DAY + days(exam_in)
    due = due_on(memory, key=key, exam_on=exam_on)
    assert DAY + days(1) <= due <= DAY + days(LONGEST)
    assert due == due_on(replace(memory), key=key, exam_on=exam_on)
    assert due <= due_on(memory, key=key) or exam_in is None


@given(MEMORIES, KEYS)
def test_the_spread_stays_within_a_twentieth_and_leaves_short_intervals_alone(memory: Memory, key: str) -> None:
    plain = interval(memory.stability)
    after = (due_on(memory, key=key) - DAY).days
    assert abs(after - plain) <= plain * 0.05 + 0.5
    if plain < 10:
        assert after == plain


def test_what_was_learnt_together_comes_back_on_different_days() -> None:
    memory = Memory(stability=100.0, difficulty=5.0, reviewed_on=DAY)
    due = {due_on(memory, key=f"bob {number}") for number in range(40)}
    assert len(due) >= 8


@given(st.floats(2.5, 400), st.floats(1, 10), st.integers(2, 200), KEYS)
def test_reviews_on_their_days_bring_a_memory_fresh_to_the_exam(
    stability: float, difficulty: float, left: int, key: str
) -> None:
    exam_on = DAY + days(left)
    memory = Memory(stability=stability, difficulty=difficulty, reviewed_on=DAY)
    while (due := due_on(memory, key=key, exam_on=exam_on)) < exam_on:
        memory = reviewed(memory, GOOD, on=due)
    assert retrievability(memory, on=exam_on) >= 0.95


@given(MEMORIES, st.integers(2, 200), KEYS)
def test_the_last_review_before_an_exam_is_over_by_the_day_before(memory: Memory, longer: int, key: str) -> None:
    exam_on = DAY + days(int(memory.stability * 0.41) + longer)
    assert retrievability(memory, on=exam_on) < 0.95
    assert due_on(memory, key=key, exam_on=exam_on) < exam_on


def test_the_last_reviews_before_an_exam_are_spread_over_a_week() -> None:
    memory = Memory(stability=100.0, difficulty=5.0, reviewed_on=DAY)
    exam_on = DAY + days(41)
    due = {due_on(memory, key=f"bob {number}", exam_on=exam_on) for number in range(60)}
    assert {(exam_on - each).days for each in due} == set(range(1, 8))


def test_an_exam_that_is_reached_fresh_anyway_changes_nothing() -> None:
    memory = Memory(stability=100.0, difficulty=5.0, reviewed_on=DAY)
    plain = due_on(memory, key="bob softmax")
    assert due_on(memory, key="bob softmax", exam_on=DAY + days(20)) == plain
    assert due_on(memory, key="bob softmax", exam_on=DAY) == plain


@pytest.mark.parametrize(
    ("e", "rating"), [(0.0, AGAIN), (0.49, AGAIN), (0.5, HARD), (0.79, HARD), (0.8, GOOD), (1.0, GOOD)]
)
def test_a_step_rates_its_skill(e: float, rating: Rating) -> None:
    assert rating_of(e) is rating


def test_a_memory_as_stable_as_can_be_stays_a_number() -> None:
    memory = Memory(stability=36400.0, difficulty=1.0, reviewed_on=DAY)
    for years in range(1, 6):
        memory = reviewed(memory, EASY, on=DAY + days(365 * years))
    assert memory.stability == MOST_STABLE
