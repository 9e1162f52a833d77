"""When a card comes again, as a pure fold: whatever the ratings and the days."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.decks.schedule import NEVER, CardState, Counted, allowed, comes_on, folded, suggested, turned
from exercises.mastery.retention import OutOfOrder, Rating
from tests.exercises.cards.world import MONDAY

#: Ratings, each so many days after the one before.
histories = st.lists(st.tuples(st.sampled_from(Rating), st.integers(0, 400)), max_size=20)


def reviews(history: list[tuple[Rating, int]]) -> list[Counted]:
    """The reviews of a history, in order."""
    found, day = [], 0
    for rating, later in history:
        day += later
        at = MONDAY + dt.timedelta(days=day)
        found.append(Counted(rating, at.date(), at))
    return found


@given(histories, st.integers(-100, 900))
def test_a_pass_is_never_due_before_tomorrow_and_a_failure_is_due_today(
    history: list[tuple[Rating, int]], exam: int
) -> None:
    state = NEVER
    for review in reviews(history):
        state = turned(state, review)
        for exam_on in (None, MONDAY.date() + dt.timedelta(days=exam)):
            due = comes_on(state, key="1:1", exam_on=exam_on)
            assert due is not None
            assert due == review.on if review.rating is Rating.AGAIN else review.on < due
            assert (due - review.on).days <= 365


@given(histories, st.integers(0, 60))
def test_a_better_rating_never_comes_sooner(history: list[tuple[Rating, int]], later: int) -> None:
    state = folded(reviews(history))
    on = (state.memory.reviewed_on if state.memory else MONDAY.date()) + dt.timedelta(days=later)
    dues = [comes_on(turned(state, Counted(rating, on, MONDAY)), key="1:1", exam_on=None) for rating in Rating]
    assert dues == sorted(dues, key=lambda due: due or dt.date.min)


@given(histories)
def test_a_fold_is_its_steps_and_may_be_cut_anywhere(history: list[tuple[Rating, int]]) -> None:
    rows = reviews(history)
    half = len(rows) // 2
    state = folded(rows[:half])
    for row in rows[half:]:
        state = turned(state, row)
    assert state == folded(rows)


def test_a_review_on_a_day_before_the_last_is_refused() -> None:
    state = folded(reviews([(Rating.GOOD, 5)]))
    with pytest.raises(OutOfOrder):
        turned(state, Counted(Rating.GOOD, MONDAY.date(), MONDAY))


def test_what_was_never_reviewed_is_due_on_no_day() -> None:
    assert comes_on(CardState(), key="1:1", exam_on=None) is None


@pytest.mark.parametrize(
    ("outcomes", "hinted", "best"),
    [
        ([], False, Rating.AGAIN),
        (["wrong"], False, Rating.AGAIN),
        (["mistake", "wrong"], False, Rating.AGAIN),
        (["right"], False, Rating.GOOD),
        (["right"], True, Rating.HARD),
        (["mistake", "right"], False, Rating.HARD),
        (["wrong", "right"], True, Rating.HARD),
    ],
)
def test_what_marking_says(outcomes: list[str], hinted: bool, best: Rating) -> None:
    assert suggested(outcomes, hinted=hinted) is best
    assert max(allowed(best)) is (Rating.EASY if best is Rating.GOOD else best)
    assert min(allowed(best)) is Rating.AGAIN
