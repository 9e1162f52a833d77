"""What attempts come to, by mode, moment and decisions: nothing but values, so that no table is needed."""

import datetime as dt
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.courses.attempt_scoring import Part, Sitting, attempt_score, is_anything_left, place_score
from exercises.courses.item_scoring import ItemScore, Sent
from exercises.courses.rules import GRACE, Mode, Policy, effective
from exercises.courses.scoring import StepMark

HALF, WHOLE, NOTHING = Fraction(1, 2), Fraction(1), Fraction(0)
DUE = dt.datetime(2026, 11, 2, 12, tzinfo=dt.UTC)
CLOSES = DUE + dt.timedelta(days=3)
SECOND = dt.timedelta(seconds=1)
MODES: list[Mode] = ["practice", "quiz", "exam"]

shares = st.fractions(min_value=0, max_value=1, max_denominator=20)
parts = st.lists(st.builds(Part, shares, st.builds(ItemScore, st.just(1), shares)), min_size=1, max_size=6)


def sitting(mode: Mode, *, ended_at: dt.datetime | None = DUE, on_paper: bool = False) -> Sitting:
    """A set of two tries, the second worth a half; late by a day, half is left of it."""
    policy = Policy(mode, due_at=DUE, closes_at=CLOSES, credits=(WHOLE, HALF), late=(HALF,))
    rules = effective(policy, time_zone="UTC", time_factor=WHOLE, exemptions=())
    return Sitting(mode, rules, ended_at is not None, on_paper, ended_at)


def sent(credit: Fraction, at: dt.datetime = DUE, variant: int = 1) -> Sent:
    return Sent(variant, at, (StepMark("p", WHOLE, credit),))


def test_the_tries_of_a_quiz_count_by_what_each_is_worth() -> None:
    assert place_score([sent(NOTHING), sent(WHOLE)], sitting("quiz")).score == HALF


def test_of_an_exam_and_of_paper_the_last_answer_counts_whole() -> None:
    answers = [sent(NOTHING), sent(WHOLE)]
    assert place_score(answers, sitting("exam")).score == 1
    for mode in MODES:
        assert place_score(answers, sitting(mode, on_paper=True)).score == 1


def test_practice_counts_until_it_is_closed_and_the_grace_is_over() -> None:
    late = [sent(WHOLE, CLOSES + GRACE + SECOND)]
    assert place_score(late, sitting("practice", ended_at=None)).score is None
    assert place_score([sent(WHOLE, CLOSES + GRACE)], sitting("practice", ended_at=None)).score == 1


@pytest.mark.parametrize("mode", MODES)
def test_what_was_left_out_is_nothing_yet_and_0_once_the_attempt_is_over(mode: Mode) -> None:
    assert place_score([], sitting(mode, ended_at=None)).score is None
    assert place_score([], sitting(mode)).score == 0


@pytest.mark.parametrize("mode", MODES)
def test_what_could_not_be_marked_costs_nothing(mode: Mode) -> None:
    assert place_score([], sitting(mode), waits=True).score is None


@pytest.mark.parametrize("mode", MODES)
@given(score=shares, answers=st.lists(shares, max_size=3))
def test_a_score_by_hand_outranks_every_answer(mode: Mode, score: Fraction, answers: list[Fraction]) -> None:
    assert place_score([sent(each) for each in answers], sitting(mode), by_hand=score).score == score


@given(parts=parts, score=shares)
def test_a_score_by_hand_outranks_every_place_and_no_day_late_lowers_it(parts: list[Part], score: Fraction) -> None:
    late = sitting("exam", ended_at=DUE + SECOND)
    assert attempt_score(late, parts, is_marked=True, by_hand=score) == (score, 1)


@given(parts=parts)
def test_an_exam_is_late_as_a_whole(parts: list[Part]) -> None:
    in_time, _ = attempt_score(sitting("exam"), parts, is_marked=True)
    late, days = attempt_score(sitting("exam", ended_at=DUE + SECOND), parts, is_marked=True)
    assert in_time is not None
    assert (late, days) == (in_time * HALF, 1)


@given(parts=parts)
def test_a_quiz_that_was_handed_in_late_loses_nothing_more_than_its_tries_did(parts: list[Part]) -> None:
    in_time = attempt_score(sitting("quiz"), parts, is_marked=True)
    assert attempt_score(sitting("quiz", ended_at=DUE + SECOND), parts, is_marked=True) == in_time


def test_an_attempt_has_no_score_before_anything_is_marked() -> None:
    going_on, over = sitting("quiz", ended_at=None), sitting("quiz")
    place = [Part(WHOLE, ItemScore())]
    assert attempt_score(going_on, place, is_marked=False) == (None, 0)
    assert attempt_score(over, place, is_marked=False) == (0, 0)
    assert attempt_score(over, place, is_marked=False, waits=True) == (None, 0)


@given(parts=parts, score=shares)
def test_a_compensated_place_never_lowers_a_score(parts: list[Part], score: Fraction) -> None:
    helps = Part(WHOLE, ItemScore(1, score), helps=True)
    before, _ = attempt_score(sitting("exam"), parts, is_marked=True)
    after, _ = attempt_score(sitting("exam"), [*parts, helps], is_marked=True)
    assert before is not None
    assert after is not None
    assert after >= before


@given(parts=parts, score=shares)
def test_a_place_of_which_nothing_counts_is_as_if_it_were_not_there(parts: list[Part], score: Fraction) -> None:
    gone = Part(WHOLE, ItemScore(1, score), counts=False)
    assert attempt_score(sitting("exam"), [*parts, gone], is_marked=True) == attempt_score(
        sitting("exam"), parts, is_marked=True
    )


def test_an_item_is_gone_once_every_step_that_weighs_counts_for_nobody() -> None:
    steps = [("p", WHOLE), ("loss", NOTHING)]
    assert is_anything_left([steps], frozenset({"loss"}))
    assert not is_anything_left([steps], frozenset({"p"}))
    # Of one that cannot be read, and of one without variants, nobody knows better.
    assert is_anything_left([None], frozenset({"p"}))
    assert is_anything_left([], frozenset({"p"}))
