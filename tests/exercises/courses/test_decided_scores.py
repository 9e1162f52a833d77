"""Scores of attempts as people decided them, and as later verdicts and versions move them."""

import datetime as dt
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from exercises.actions.scores import keep_scores
from exercises.models import (
    Attempt,
    Course,
    Grading,
    Override,
    Problem,
    ProblemVersion,
    Ruling,
    SetItem,
    Submission,
    User,
    Variant,
)
from exercises.queries.attempt_scores import worked_out
from tests.exercises.courses.sat import (
    ALL,
    DAY,
    HALF,
    LOG2,
    NO_EXP,
    NOTHING,
    begun,
    marked,
    place_of,
    scored,
    variant_of,
)
from tests.exercises.courses.world import NOW, person, problem_set
from tests.exercises.world import MASKED

pytestmark = pytest.mark.usefixtures("servers", "published")

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def rule(alice: User) -> Callable[..., Ruling]:
    def made(attempt: Attempt, kind: str, position: int = 1, **said: str) -> Ruling:
        place = place_of(attempt, position)
        return Ruling.objects.create(
            problem_set=attempt.problem_set, item=place.item, kind=kind, reason="Why.", given_by=alice, **said
        )

    return made


@pytest.fixture
def by_hand(alice: User) -> Callable[..., Override]:
    def made(attempt: Attempt, score: str, item: SetItem | None = None, step: str = "") -> Override:
        return Override.objects.create(
            problem_set=attempt.problem_set,
            learner=attempt.learner,
            item=item,
            step=step,
            score=score,
            reason="Why.",
            given_by=alice,
        )

    return made


@pytest.mark.parametrize(
    ("answers", "kind", "said", "score"),
    [
        (NO_EXP, "accept", {"step": "p", "note": "p.no-exp"}, "1/2"),
        (NO_EXP, "accept", {"step": "p", "note": "p.other"}, "1/4"),
        (NO_EXP, "accept", {"step": "p", "read_as": "0.6667", "digest": "its own"}, "1/2"),
        (NO_EXP, "accept", {"step": "p", "read_as": "0.6667", "digest": "another"}, "1/4"),
        (NO_EXP, "discount", {"step": "p"}, "1/3"),
        (NO_EXP, "discount", {"step": "loss"}, "1/2"),
        (LOG2, "accept", {"step": "loss", "note": "loss.log2"}, "1"),
        (NO_EXP, "compensate", {"digest": "its own"}, "1/4"),
    ],
)
@pytest.mark.parametrize("mode", ["practice", "quiz", "exam"])
def test_a_ruling_is_read_with_the_verdicts(
    course: Course,
    bob: User,
    problem: Problem,
    rule: Callable[..., Ruling],
    mode: str,
    answers: dict[str, Any],
    kind: str,
    said: dict[str, str],
    score: str,
) -> None:
    attempt = marked(begun(problem_set(course, mode, problem), bob), answers)
    before = attempt.score
    digest = {"digest": variant_of(attempt).digest} if said.get("digest") == "its own" else {}
    ruling = rule(attempt, kind, **{**said, **digest})
    assert scored(attempt).score == Fraction(score)
    Ruling.objects.filter(pk=ruling.pk).update(withdrawn_at=NOW)
    assert scored(attempt).score == before


def test_an_item_of_which_nothing_is_left_counts_for_nobody(
    course: Course, bob: User, problem: Problem, rule: Callable[..., Ruling], by_hand: Callable[..., Override]
) -> None:
    attempt = begun(problem_set(course, "quiz", problem, problem, weights=("3", "1")), bob)
    marked(attempt, NOTHING)
    marked(attempt, HALF, position=2)
    for step in ("total", "p", "loss"):
        rule(attempt, "discount", step=step)
    # Also where only the other place is worked out.
    keep_scores([place_of(attempt, 2).pk])
    attempt.refresh_from_db()
    assert attempt.score == Fraction(1, 2)
    by_hand(attempt, "1", place_of(attempt).item)
    assert scored(attempt).score == Fraction(7, 8)


def test_compensation_counts_for_whom_it_raises(
    course: Course, bob: User, problem: Problem, rule: Callable[..., Ruling]
) -> None:
    quiz = problem_set(course, "quiz", problem, problem)
    better, worse = begun(quiz, bob), begun(quiz, person(course, "dora").user)
    for attempt, first, second in ((better, ALL, HALF), (worse, NOTHING, HALF)):
        marked(attempt, first)
        marked(attempt, second, position=2)
    rule(better, "compensate", digest=variant_of(better).digest)
    assert (scored(better).score, scored(worse).score) == (Fraction(3, 4), Fraction(1, 2))
    # On other numbers nothing was wrong.
    Variant.objects.filter(attempt_item=place_of(worse)).update(digest="of other numbers")
    assert scored(worse).score == Fraction(1, 4)


def test_by_hand_outranks_the_grader_until_it_is_taken_back(
    course: Course, bob: User, problem: Problem, by_hand: Callable[..., Override]
) -> None:
    attempt = begun(
        problem_set(course, "quiz", problem, problem, due_at=NOW, closes_at=NOW + 3 * DAY, late=["1/2"]), bob
    )
    marked(attempt, NO_EXP, at=NOW + HOUR)
    item = place_of(attempt).item
    assert attempt.score == Fraction(1, 16)
    step = by_hand(attempt, "1", item, "p")
    assert scored(attempt).score == Fraction(1, 8)
    whole_item = by_hand(attempt, "9/10", item)
    assert (scored(attempt).score, place_of(attempt).score) == (Fraction(9, 20), Fraction(9, 10))
    whole = by_hand(attempt, "2/3")
    assert scored(attempt).score == Fraction(2, 3)
    # A later verdict changes nothing of it.
    assert marked(attempt, ALL, at=NOW + 2 * HOUR).score == Fraction(2, 3)
    for override in (whole, whole_item, step):
        Override.objects.filter(pk=override.pk).update(withdrawn_at=NOW)
    assert scored(attempt).score == Fraction(1, 8)


def test_by_hand_is_for_one_learner(
    course: Course, bob: User, problem: Problem, by_hand: Callable[..., Override]
) -> None:
    quiz = problem_set(course, "quiz", problem)
    other = marked(begun(quiz, person(course, "dora").user), NOTHING)
    attempt = begun(quiz, bob)
    by_hand(attempt, "1/2", place_of(attempt).item)
    assert (scored(attempt).score, scored(other).score) == (Fraction(1, 2), 0)


def test_a_score_by_hand_that_cannot_be_read_does_not_count(
    course: Course, bob: User, problem: Problem, by_hand: Callable[..., Override]
) -> None:
    attempt = marked(begun(problem_set(course, "quiz", problem), bob), HALF)
    by_hand(attempt, "very good")
    assert scored(attempt).score == Fraction(1, 2)


def test_a_second_verdict_moves_the_score(course: Course, bob: User, problem: Problem) -> None:
    attempt = marked(begun(problem_set(course, "quiz", problem), bob), HALF)
    first = Grading.objects.get()
    right = {**first.verdict, "marks": {name: {**mark, "credit": "1"} for name, mark in first.verdict["marks"].items()}}
    told = worked_out([place_of(attempt).pk], judged={first.submission_id: right})
    assert told.items[place_of(attempt).pk] == (1, 1)
    assert told.attempts[attempt.pk] == (1, 0)
    Grading.objects.create(
        submission=first.submission,
        verdict=right,
        score_numerator=1,
        score_denominator=1,
        grader_version="2",
        version=first.version,
        reason=Grading.Reason.REGRADE,
    )
    assert scored(attempt).score == 1


def test_a_verdict_is_weighed_by_the_version_that_gave_it(course: Course, bob: User, problem: Problem) -> None:
    attempt = marked(begun(problem_set(course, "quiz", problem), bob), HALF)
    light = ProblemVersion.objects.create(
        problem=problem, number=2, source=MASKED.replace("weight: 2", "weight: 0"), digest="2"
    )
    verdict = Grading.objects.get().verdict
    submission = Submission.objects.get().pk
    told = worked_out([place_of(attempt).pk], judged={submission: verdict}, judged_by=light)
    assert told.attempts[attempt.pk] == (1, 0)
    assert scored(attempt).score == Fraction(1, 2)
    Variant.objects.update(marked_by=light)
    assert worked_out([place_of(attempt).pk], judged={submission: verdict}).attempts[attempt.pk] == (1, 0)


def test_an_answer_is_marked_by_the_version_of_the_regrade(course: Course, bob: User, problem: Problem) -> None:
    attempt = begun(problem_set(course, "quiz", problem), bob)
    kinder = ProblemVersion.objects.create(
        problem=problem, number=2, source=MASKED.replace("credit: 1/4", "credit: 1/2"), digest="2"
    )
    Variant.objects.update(marked_by=kinder)
    assert marked(attempt, LOG2).score == Fraction(3, 4)
    assert Grading.objects.get().version == kinder


def test_where_the_problem_can_no_longer_be_read_the_verdict_stays(course: Course, bob: User, problem: Problem) -> None:
    attempt = marked(begun(problem_set(course, "quiz", problem), bob), HALF)
    ProblemVersion.objects.update(source="title: no more")
    assert scored(attempt).score == Fraction(1, 2)


def test_only_what_is_asked_counts(course: Course, bob: User, problem: Problem) -> None:
    quiz = problem_set(course, "quiz", problem)
    SetItem.objects.filter(problem_set=quiz).update(asked=["p"])
    assert marked(begun(quiz, bob), {"p": "0.665"}).score == 1
