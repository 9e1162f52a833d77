"""Scores of attempts as they are kept: exact, and the best of what was tried."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.actions.scores import keep_scores, refresh_ends, rescore
from exercises.courses.attempt_scoring import fitting
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Enrolment,
    Extension,
    Grading,
    Problem,
    SetItem,
    Submission,
    User,
    Variant,
)
from exercises.models.submission import NEVER_CLAIMED
from exercises.queries.attempt_scores import worked_out
from exercises.tasks import grade_pending
from tests.exercises.courses.sat import (
    ALL,
    DAY,
    HALF,
    LOG2,
    NOTHING,
    begun,
    drawn,
    handed_in,
    marked,
    place_of,
    scored,
    sent,
    variant_of,
)
from tests.exercises.courses.world import NOW, person, problem_set
from tests.exercises.learning import record

pytestmark = pytest.mark.usefixtures("servers", "published")

HOUR = dt.timedelta(hours=1)


def tries_of(attempt: Attempt, position: int = 1) -> int:
    return place_of(attempt, position).tries


@pytest.mark.parametrize(
    ("tries", "score", "count"),
    [
        ([ALL], "1", 1),
        ([NOTHING], "0", 1),
        ([NOTHING, ALL], "1/2", 2),
        ([HALF, NOTHING], "1/2", 2),
        ([HALF, ALL], "1/2", 2),
        # A third is one too many: it counts nothing, whatever it says.
        ([NOTHING, NOTHING, ALL], "0", 2),
        ([LOG2], "5/8", 1),
    ],
)
def test_the_best_try_of_a_quiz_counts(
    course: Course, bob: User, problem: Problem, tries: list[dict[str, Any]], score: str, count: int
) -> None:
    attempt = marked(begun(problem_set(course, "quiz", problem), bob), *tries)
    assert (attempt.score, tries_of(attempt)) == (Fraction(score), count)
    assert place_of(attempt).score == Fraction(score)


def test_tries_count_in_the_order_in_which_they_were_sent(course: Course, bob: User, problem: Problem) -> None:
    attempt = begun(problem_set(course, "quiz", problem), bob)
    first, second = sent(attempt, NOTHING), sent(attempt, ALL, at=NOW + HOUR)
    record(second)
    assert scored(attempt).score == 1
    Submission.objects.filter(pk=first.pk).update(claimed_until=NEVER_CLAIMED)
    record(first)
    assert scored(attempt).score == Fraction(1, 2)


def test_what_could_not_be_marked_is_no_try(course: Course, bob: User, problem: Problem) -> None:
    attempt = begun(problem_set(course, "quiz", problem), bob)
    lost = sent(attempt, NOTHING)
    Submission.objects.filter(pk=lost.pk).update(state="ungradable", claimed_until=None)
    marked(attempt, ALL, at=NOW + HOUR)
    assert (attempt.score, tries_of(attempt)) == (1, 1)


def test_a_new_variant_for_each_try_is_one_row_of_tries(course: Course, bob: User, problem: Problem) -> None:
    attempt = marked(begun(problem_set(course, "quiz", problem, retry="new"), bob), NOTHING)
    drawn(place_of(attempt))
    marked(attempt, ALL, at=NOW + HOUR)
    assert (attempt.score, tries_of(attempt)) == (Fraction(1, 2), 2)


def test_weights_are_those_of_the_beginning_and_all_right_is_exactly_one(
    course: Course, bob: User, problem: Problem
) -> None:
    quiz = problem_set(course, "quiz", problem, problem, problem, weights=("0.7", "0.2", "0.1"))
    attempt = begun(quiz, bob)
    assert attempt.score is None
    assert marked(attempt, ALL).score == Fraction(7, 10)
    SetItem.objects.filter(problem_set=quiz).update(weight=Decimal(5))
    assert marked(attempt, HALF, position=2).score == Fraction(8, 10)
    marked(attempt, ALL, position=3)
    Submission.objects.filter(variant=variant_of(attempt, 2)).delete()
    marked(attempt, ALL, position=2)
    assert attempt.score == 1


def test_zero_weights_come_to_nothing(course: Course, bob: User, problem: Problem) -> None:
    attempt = marked(begun(problem_set(course, "quiz", problem, weights=("0",)), bob), ALL)
    assert (attempt.score, place_of(attempt).score) == (0, 1)


LATE: dict[str, Any] = {"due_at": NOW, "closes_at": NOW + 3 * DAY, "late": ["1/2", "1/4"]}


@pytest.mark.parametrize(
    ("early", "late", "after", "score", "days"),
    [
        ([], [ALL], HOUR, "1/2", 1),
        ([], [ALL], DAY, "1/2", 1),
        ([], [ALL], DAY + HOUR, "1/4", 2),
        # In time, and no better late: nobody is late for having tried again.
        ([HALF], [ALL], HOUR, "1/2", 0),
        ([NOTHING], [ALL], HOUR, "1/4", 1),
        ([ALL], [], HOUR, "1", 0),
    ],
)
def test_a_late_try_is_worth_what_is_left(
    course: Course,
    bob: User,
    problem: Problem,
    early: list[dict[str, Any]],
    late: list[dict[str, Any]],
    after: dt.timedelta,
    score: str,
    days: int,
) -> None:
    attempt = begun(problem_set(course, "quiz", problem, **LATE), bob)
    marked(attempt, *early, at=NOW - HOUR)
    marked(attempt, *late, at=NOW + after)
    assert (attempt.score, attempt.late_days) == (Fraction(score), days)


def test_an_item_answered_in_time_stays_so_when_another_comes_late(course: Course, bob: User, problem: Problem) -> None:
    attempt = begun(problem_set(course, "quiz", problem, problem, **LATE), bob)
    marked(attempt, ALL, at=NOW - HOUR)
    marked(attempt, ALL, position=2, at=NOW + HOUR)
    assert (attempt.score, attempt.late_days) == (Fraction(3, 4), 1)
    # The first place is worked out again, and the second is remembered as late.
    keep_scores([place_of(attempt).pk])
    attempt.refresh_from_db()
    assert (attempt.score, attempt.late_days) == (Fraction(3, 4), 1)


def test_an_extension_makes_good_what_was_late(course: Course, bob: User, problem: Problem) -> None:
    quiz = problem_set(course, "quiz", problem, **LATE)
    attempt = marked(begun(quiz, bob), ALL, at=NOW + HOUR)
    assert attempt.score == Fraction(1, 2)
    Extension.objects.create(problem_set=quiz, learner=bob, due_at=NOW + 2 * HOUR)
    assert refresh_ends(quiz.attempts.all()) == 3
    attempt.refresh_from_db()
    assert (attempt.score, attempt.late_days, attempt.ends_at) == (1, 0, NOW + 3 * DAY)


@pytest.mark.parametrize("mode", ["quiz", "exam"])
def test_a_set_that_is_due_later_or_earlier_moves_whoever_was_late(
    mode: str, course: Course, bob: User, problem: Problem
) -> None:
    found = problem_set(course, mode, problem, problem, weights=("1", "3"), **LATE)
    late, in_time = begun(found, bob), begun(found, person(course, "dora").user)
    handed_in(marked(late, ALL, at=NOW + HOUR), NOW + HOUR)
    handed_in(marked(in_time, ALL, at=NOW - HOUR), NOW - HOUR)

    def due(at: dt.datetime) -> list[tuple[Fraction | None, int]]:
        found.due_at = at
        found.save()
        refresh_ends(found.attempts.all())
        return [(one.score, one.late_days) for one in found.attempts.order_by("pk")]

    assert due(NOW) == [(Fraction(1, 8), 1), (Fraction(1, 4), 0)]
    assert due(NOW + 2 * HOUR) == [(Fraction(1, 4), 0), (Fraction(1, 4), 0)]
    assert due(NOW - 2 * HOUR) == [(Fraction(1, 8), 1), (Fraction(1, 8), 1)]


def test_no_answer_to_an_exam_is_read_when_its_times_change(course: Course, bob: User, problem: Problem) -> None:
    exam = problem_set(course, "exam", problem, **LATE)
    handed_in(marked(begun(exam, bob), ALL))
    with CaptureQueriesContext(connection) as queries:
        assert refresh_ends(exam.attempts.all()) == 0
    assert not [one for one in queries if "exercises_grading" in one["sql"]]


def test_what_counts_as_handed_in_earlier_is_in_time(course: Course, bob: User, problem: Problem) -> None:
    for mode in ("quiz", "exam"):
        attempt = begun(problem_set(course, mode, problem, **LATE), bob)
        handed_in(marked(attempt, ALL, at=NOW + DAY + HOUR), NOW + DAY + HOUR)
        assert (attempt.score, attempt.late_days) == (Fraction(1, 4), 2)
        Attempt.objects.filter(pk=attempt.pk).update(count_as_at=NOW - HOUR)
        assert (scored(attempt).score, attempt.late_days) == (1, 0)


def test_a_try_taken_in_the_seconds_of_grace_counts_as_handed_in(course: Course, bob: User, problem: Problem) -> None:
    attempt = begun(problem_set(course, "quiz", problem, due_at=NOW, late=["0"], closes_at=NOW + DAY), bob)
    sent(attempt, ALL, at=NOW + dt.timedelta(seconds=3))
    grade_pending()
    assert scored(attempt).score == 0
    assert handed_in(attempt, NOW).score == 1


def test_an_exam_is_its_hand_in(course: Course, bob: User, problem: Problem) -> None:
    exam = problem_set(course, "exam", problem, problem, **LATE)
    attempt = begun(exam, bob)
    sent(attempt, ALL, at=NOW + HOUR)
    assert handed_in(attempt, NOW + HOUR).score is None  # it is being marked
    grade_pending()
    attempt.refresh_from_db()
    assert (attempt.score, attempt.late_days) == (Fraction(1, 4), 1)
    assert [place_of(attempt, position).score for position in (1, 2)] == [1, 0]


def test_nothing_is_not_zero_before_it_is_handed_in(course: Course, bob: User, problem: Problem) -> None:
    attempt = begun(problem_set(course, "exam", problem), bob)
    assert scored(attempt).score is None
    assert handed_in(attempt).score == 0


def test_what_could_not_be_marked_is_not_zero_either(course: Course, bob: User, problem: Problem) -> None:
    attempt = begun(problem_set(course, "exam", problem), bob)
    lost = sent(attempt, ALL)
    Submission.objects.filter(pk=lost.pk).update(state="ungradable", claimed_until=None)
    handed_in(attempt)
    assert place_of(attempt).score is None


@pytest.mark.parametrize("mode", ["practice", "quiz", "exam"])
def test_what_was_entered_from_paper_counts_as_corrected_last(
    course: Course, bob: User, problem: Problem, mode: str
) -> None:
    attempt = begun(problem_set(course, mode, problem), bob)
    handed_in(marked(attempt, ALL, HALF), by=Attempt.HandedInBy.STAFF)
    assert (attempt.score, tries_of(attempt)) == (Fraction(1, 2), 1)


def test_in_practice_the_best_variant_counts_by_the_best_of_each_step(
    course: Course, bob: User, problem: Problem
) -> None:
    attempt = begun(problem_set(course, "practice", problem, due_at=NOW - DAY, late=["0"]), bob)
    marked(attempt, HALF)
    marked(attempt, {"loss": "0.408"}, at=NOW + HOUR)
    assert (attempt.score, tries_of(attempt), attempt.late_days) == (1, 2, 0)
    drawn(place_of(attempt))
    marked(attempt, NOTHING, at=NOW + 2 * HOUR)
    assert (attempt.score, tries_of(attempt)) == (1, 3)


def test_practice_that_is_closed_goes_on_without_counting(course: Course, bob: User, problem: Problem) -> None:
    attempt = begun(problem_set(course, "practice", problem, closes_at=NOW + HOUR), bob)
    marked(attempt, HALF)
    marked(attempt, {"loss": "0.408"}, at=NOW + 2 * HOUR)
    assert (attempt.score, tries_of(attempt)) == (Fraction(1, 2), 1)


def test_what_was_practised_late_counts_once_the_set_is_closed_later(
    course: Course, bob: User, problem: Problem
) -> None:
    practice = problem_set(course, "practice", problem, closes_at=NOW + HOUR)
    attempt = begun(practice, bob)
    marked(attempt, {"loss": "0.408"}, at=NOW + 2 * HOUR)
    # All that came was too late.
    assert (attempt.score, tries_of(attempt)) == (None, 0)
    extension = Extension.objects.create(problem_set=practice, learner=bob, closes_at=NOW + 3 * HOUR)
    refresh_ends(Attempt.objects.all())
    attempt.refresh_from_db()
    assert (attempt.score, tries_of(attempt)) == (Fraction(1, 2), 1)
    extension.delete()
    refresh_ends(Attempt.objects.all())
    attempt.refresh_from_db()
    assert (attempt.score, tries_of(attempt)) == (None, 0)


def test_practice_of_which_nothing_counts_has_no_score_whichever_place_is_worked_out(
    course: Course, bob: User, problem: Problem
) -> None:
    practice = problem_set(course, "practice", problem, problem, closes_at=NOW)
    attempt = begun(practice, bob)
    marked(attempt, ALL, at=NOW + HOUR)
    assert attempt.score is None
    told = [worked_out([place_of(attempt, place).pk]).attempts[attempt.pk] for place in (1, 2)]
    assert told == [(None, 0), (None, 0)]
    assert worked_out((), attempts=[attempt.pk]).attempts[attempt.pk] == (None, 0)
    # Handed in it is over, and what does not count is nothing.
    assert handed_in(attempt).score == 0


def test_one_transaction_keeps_verdict_and_score(
    course: Course, bob: User, problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = begun(problem_set(course, "quiz", problem), bob)
    sent(attempt, ALL)
    monkeypatch.setattr("exercises.actions.record.keep_scores", lambda places: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        grade_pending()
    assert not Grading.objects.exists()


def test_attempts_end_as_their_rules_say_now(course: Course, bob: User, problem: Problem) -> None:
    quiz = problem_set(course, "quiz", problem, time_limit=60)
    going_on, preview = begun(quiz, bob), begun(quiz, bob, is_preview=True)
    done = begun(quiz, bob, number=2, handed_in_at=NOW)
    refresh_ends(quiz.attempts.all())
    ends = [Attempt.objects.get(pk=one.pk).ends_at for one in (going_on, preview, done)]
    assert ends == [NOW + HOUR, None, None]
    Enrolment.objects.filter(user=bob).update(time_factor=Decimal("1.25"))
    assert refresh_ends(Attempt.objects.filter(learner=bob)) == 1
    going_on.refresh_from_db()
    assert going_on.ends_at == NOW + dt.timedelta(minutes=75)
    assert refresh_ends(Attempt.objects.filter(learner=bob)) == 0


def test_a_whole_set_is_scored_anew(course: Course, bob: User, problem: Problem) -> None:
    quiz = problem_set(course, "quiz", problem)
    attempts = [marked(begun(quiz, one), NOTHING, ALL) for one in (bob, person(course, "dora").user)]
    quiz.credits = ["1", "1"]
    quiz.save()
    assert rescore(quiz.attempts.all()) == 4
    assert [Attempt.objects.get(pk=one.pk).score for one in attempts] == [1, 1]


@pytest.mark.parametrize(
    ("share", "kept"),
    [
        (None, None),
        (Fraction(1, 3), Fraction(1, 3)),
        (Fraction(1), Fraction(1)),
        (Fraction(7, 10) + Fraction(1, 3**60), Fraction(7, 10)),
        (Fraction(2, 3) + Fraction(1, 7**40), Fraction(2, 3)),
    ],
)
def test_a_share_that_no_column_holds_stays_on_its_side(share: Fraction | None, kept: Fraction | None) -> None:
    assert fitting(share) == kept


@pytest.mark.parametrize("limit", [Fraction(7, 10), Fraction(2, 3), Fraction(1)])
def test_a_share_just_below_stays_below(limit: Fraction) -> None:
    found = fitting(limit - Fraction(1, 3**60))
    assert found is not None
    assert limit - Fraction(1, 10**15) < found < limit
    assert found.denominator < 2**63


def test_scores_take_as_many_queries_for_a_class_as_for_one(course: Course, bob: User, problem: Problem) -> None:
    quiz = problem_set(course, "quiz", problem, problem, **LATE)
    counts = []
    for name in ("", "dora", "emil", "fay"):
        attempt = begun(quiz, person(course, name).user if name else bob)
        sent(attempt, ALL, at=NOW + HOUR)
        sent(attempt, HALF, position=2)
    grade_pending()
    for people in (1, 4):
        AttemptItem.objects.update(tries=9, score_numerator=None, score_denominator=None)
        Attempt.objects.update(late_days=9)
        chosen = Attempt.objects.order_by("pk")[:people]
        places = list(AttemptItem.objects.filter(attempt__in=list(chosen)).values_list("pk", flat=True))
        with CaptureQueriesContext(connection) as queries:
            keep_scores(places)
        counts.append(len([one for one in queries if "SAVEPOINT" not in one["sql"]]))
    assert counts == [20, 20]


def test_practice_asks_nothing_about_attempts(bob: User, variant: Variant, course: Course, problem: Problem) -> None:
    """Where no answer is of an attempt, recording costs what it did; else it costs so much more, however many."""

    def queries(*submissions: Submission) -> int:
        with CaptureQueriesContext(connection) as captured:
            record(*submissions)
        words = ("attempt", "override", "ruling", "extension")
        return len([one for one in captured if any(f'"exercises_{word}' in one["sql"] for word in words)])

    plain = Submission.objects.create(
        variant=variant, author=bob, answers=HALF, locale="en", idempotency_key="1", fingerprint="1"
    )
    attempt = begun(problem_set(course, "quiz", problem, problem), bob)
    assert queries(plain) == 0
    alone = queries(sent(attempt, HALF))
    assert alone > 0
    assert queries(sent(attempt, ALL), sent(attempt, ALL, position=2)) == alone
