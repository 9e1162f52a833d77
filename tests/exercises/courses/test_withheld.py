"""Nothing that a learner may not know yet shows in what they can do: no evidence before results are released."""

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises import clock
from exercises.actions import scores
from exercises.actions.scores import keep_released, keep_shown, keep_some_released
from exercises.actions.withheld import withheld
from exercises.models import Attempt, Course, Evidence, Mastery, Problem, ProblemSet, User, Variant
from tests.exercises.courses.sat import ALL, DAY, HALF, NO_EXP, begun, handed_in, marked, variant_of
from tests.exercises.courses.world import NOW, person, problem_set
from tests.exercises.learning import answered, assert_nothing_drifted

pytestmark = pytest.mark.usefixtures("servers", "published")


def said() -> list[tuple[Any, ...]]:
    return list(Evidence.objects.order_by("learner", "step").values_list("learner__username", "step", "reason"))


def test_an_exam_shows_nothing_before_it_is_released(course: Course, bob: User, problem: Problem) -> None:
    exam = problem_set(course, "exam", problem)
    attempt = begun(exam, bob)
    with clock.at(NOW):
        handed_in(attempt)
        marked(attempt, NO_EXP)
        assert withheld([variant_of(attempt)]) == {variant_of(attempt).pk}
        assert (said(), list(Mastery.objects.all())) == ([], [])
        assert keep_released(problem_set=exam) == 0
    ProblemSet.objects.filter(pk=exam.pk).update(released_at=NOW + DAY)
    exam.refresh_from_db()
    with clock.at(NOW + DAY):
        assert keep_released(problem_set=exam) == 1
        assert keep_released(problem_set=exam) == 0
        # What was tried and not right is left with the hand-in: it is evidence too.
        assert said() == [("bob", "p", "left")]
        assert Evidence.objects.get().closed_at == NOW
        assert_nothing_drifted()


def test_nor_does_a_rebuild(course: Course, bob: User, problem: Problem) -> None:
    attempt = begun(problem_set(course, "exam", problem), bob)
    with clock.at(NOW):
        marked(handed_in(attempt), ALL)
        assert_nothing_drifted()
    assert said() == []


def test_who_is_still_at_it_learns_nothing_from_a_release(course: Course, bob: User, problem: Problem) -> None:
    quiz = problem_set(course, "quiz", problem, feedback="released", released_at=NOW)
    done, going_on = begun(quiz, bob), begun(quiz, person(course, "dora").user)
    with clock.at(NOW - DAY):
        for attempt in (done, going_on):
            marked(attempt, HALF, at=NOW - DAY)
        handed_in(done, NOW - DAY)
        assert said() == []
    with clock.at(NOW):
        keep_released(problem_set=quiz)
        assert said() == [("bob", "p", "right")]
        handed_in(going_on)
        keep_shown(Attempt.objects.filter(pk=going_on.pk))
        assert said() == [("bob", "p", "right"), ("dora", "p", "right")]


def test_a_large_class_is_kept_slice_by_slice(
    course: Course, bob: User, problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scores, "VARIANTS", 2)
    exam = problem_set(course, "exam", problem)
    with clock.at(NOW - DAY):
        for learner in (bob, *(person(course, name).user for name in ("dora", "emil"))):
            marked(handed_in(begun(exam, learner), NOW - DAY), HALF)
    ProblemSet.objects.filter(pk=exam.pk).update(released_at=NOW)
    with clock.at(NOW):
        reached = keep_some_released(problem_set=exam, seconds=0)
        assert reached == list(Variant.objects.order_by("pk").values_list("pk", flat=True))[1]
        assert len(said()) == 2
        reached = keep_some_released(problem_set=exam, after=reached, seconds=60)
        assert (reached, len(said())) == (None, 3)
        assert keep_some_released(problem_set=exam, seconds=60) is None
        assert len(said()) == 3


def test_a_quiz_that_tells_at_the_end_is_withheld_until_then(course: Course, bob: User, problem: Problem) -> None:
    attempt = begun(problem_set(course, "quiz", problem, feedback="handed-in"), bob)
    with clock.at(NOW):
        marked(attempt, NO_EXP)
        assert said() == []
        handed_in(attempt)
        assert keep_shown(Attempt.objects.filter(pk=attempt.pk)) == 1
        assert said() == [("bob", "p", "left")]
        assert_nothing_drifted()


@pytest.mark.parametrize(("mode", "is_kept"), [("practice", True), ("quiz", True), ("exam", False)])
def test_what_is_told_at_once_is_kept_at_once(
    course: Course, bob: User, problem: Problem, mode: str, is_kept: bool
) -> None:
    with clock.at(NOW):
        marked(begun(problem_set(course, mode, problem), bob), HALF)
    assert said() == ([("bob", "p", "right")] if is_kept else [])


@pytest.mark.parametrize("mode", ["practice", "quiz", "exam"])
def test_a_preview_counts_for_nobody(course: Course, alice: User, problem: Problem, mode: str) -> None:
    previewed = problem_set(course, mode, problem, released_at=NOW - DAY)
    attempt = begun(previewed, alice, is_preview=True)
    with clock.at(NOW):
        marked(handed_in(attempt), ALL)
        keep_released(problem_set=previewed)
    assert said() == []


def test_what_is_practised_beside_it_is_kept(course: Course, bob: User, problem: Problem, variant: Variant) -> None:
    attempt = begun(problem_set(course, "exam", problem), bob)
    answered(bob, variant, p="0.665")
    marked(attempt, ALL)
    assert Evidence.objects.get().variant == variant
    assert withheld([variant]) == set()


def test_it_costs_as_many_queries_for_a_class_as_for_one(course: Course, bob: User, problem: Problem) -> None:
    exam = problem_set(course, "exam", problem)
    variants = [variant_of(begun(exam, bob))]
    variants += [variant_of(begun(exam, person(course, name).user)) for name in ("dora", "emil", "fay")]
    counts = []
    for some in (variants[:1], variants):
        with CaptureQueriesContext(connection) as captured:
            assert withheld(some) == {variant.pk for variant in some}
        counts.append(len(captured))
    assert counts == [4, 4]


def test_a_try_in_the_middle_of_a_quiz_closes_nothing_that_is_wrong(
    course: Course, bob: User, problem: Problem
) -> None:
    attempt = begun(problem_set(course, "quiz", problem), bob)
    with clock.at(NOW):
        marked(attempt, NO_EXP)
        assert said() == []
        marked(attempt, ALL, at=NOW + dt.timedelta(minutes=5))
        assert ("bob", "p", "right") in said()
