"""The second of the deadline: a whole class hands in, some press twice, some have an older tab open. In threads with
connections of their own."""

import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import TypeVar

import pytest
from django.db import connection

from exercises import clock
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.check import another_variant, check_item
from exercises.actions.sitting.hand_in import hand_in, hand_in_overdue
from exercises.actions.sitting.receipt import verify_receipt
from exercises.actions.sitting.refusals import AttemptOver, NoTryLeft
from exercises.actions.sitting.save import save_answers
from exercises.courses.rules import GRACE
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Enrolment,
    Grading,
    ProblemSet,
    SavedAnswer,
    Submission,
    User,
    Variant,
)
from exercises.tasks import grade_pending, sweep_pending
from tests.exercises.courses.world import person, problem_set
from tests.exercises.sitting.world import ALL_RIGHT, HALF_AN_HOUR, NOW, fixed, place, save, synced, variant_id

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers", "published")]

LEARNERS, DOUBLE_CLICKS, STALE_TABS, THREADS = 100, 20, 10, 24
ENDS = NOW + HALF_AN_HOUR
Result = TypeVar("Result")


def in_parallel(calls: list[Callable[[], Result]], threads: int = THREADS) -> list[Result]:
    """What these calls return, so many at a time."""

    def run(call: Callable[[], Result]) -> Result:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, calls))


def at_once(count: int, call: Callable[[int], Result]) -> list[Result]:
    """Call from that many threads, all let go at the same moment."""
    gate = threading.Barrier(count)

    def run(number: int) -> Callable[[], Result]:
        def passed() -> Result:
            connection.ensure_connection()
            gate.wait(timeout=20)
            return call(number)

        return passed

    return in_parallel([run(number) for number in range(count)], count)


def graded_by_many() -> None:
    """Several workers and a sweep, until nothing is pending."""
    while Submission.objects.filter(state=Submission.State.PENDING).exists():
        in_parallel([grade_pending, grade_pending, sweep_pending, lambda: grade_pending(limit=7)], 4)


def test_twenty_presses_begin_one_attempt(quiz: ProblemSet, bob: User) -> None:
    def press(_: int) -> int:
        with clock.at(NOW):
            return begin_attempt(learner=bob, problem_set=quiz).pk

    assert len(set(at_once(20, press))) == 1
    assert (Attempt.objects.count(), AttemptItem.objects.count(), Variant.objects.count()) == (1, 2, 2)


def test_saves_of_two_tabs_at_once_lose_nothing(exam: ProblemSet, bob: User) -> None:
    with clock.at(NOW):
        item = place(begin_attempt(learner=bob, problem_set=exam))

    def saved(number: int) -> str:
        with clock.at(NOW):
            return save(item, 0, p=f"0.{number + 1}", page=f"tab {number}").kind

    kinds = Counter(at_once(10, saved))
    assert kinds == {"saved": 1, "aside": 9}
    kept = [row.answers["p"] for row in SavedAnswer.objects.all()]
    assert sorted(kept) == sorted(f"0.{number + 1}" for number in range(10))


def test_a_try_sent_twenty_times_is_one_try(quiz: ProblemSet, bob: User) -> None:
    with clock.at(NOW):
        item = place(fixed(begin_attempt(learner=bob, problem_set=quiz)))

    def press(_: int) -> str:
        with clock.at(NOW):
            return check_item(
                attempt_item=item, variant_id=variant_id(item), answers=ALL_RIGHT, based_on=0, idempotency_key="one"
            ).kind

    assert Counter(at_once(20, press)) == {"queued": 1, "duplicate": 19}
    assert Submission.objects.count() == 1


def test_no_more_tries_than_there_are_from_any_number_of_tabs(quiz: ProblemSet, bob: User) -> None:
    with clock.at(NOW):
        item = place(fixed(begin_attempt(learner=bob, problem_set=quiz)))

    def press(number: int) -> str:
        with clock.at(NOW):
            try:
                answers = {**ALL_RIGHT, "p": f"0.{number + 11}"}
                return check_item(attempt_item=item, variant_id=variant_id(item), answers=answers, based_on=0).kind
            except NoTryLeft:
                return "none"

    assert Counter(at_once(12, press)) == {"queued": 1, "none": 11}


def test_another_variant_pressed_twenty_times_is_one(practice: ProblemSet, bob: User) -> None:
    with clock.at(NOW):
        item = place(begin_attempt(learner=bob, problem_set=practice))
    Variant.objects.filter(attempt_item=item).update(revealed_at=NOW)
    first = variant_id(item)

    def press(_: int) -> int:
        with clock.at(NOW):
            return another_variant(attempt_item=item, after=first).pk

    drawn = at_once(20, press)
    assert len(set(drawn)) == 1


class Rush:
    """What a hundred learners do in the last second, and what came of it."""

    def __init__(self, course: Course) -> None:
        self.exam = problem_set(course, "exam", *synced(), closes_at=ENDS)
        with clock.at(NOW):
            self.attempts = [self._begun(course, number) for number in range(LEARNERS)]

    def _begun(self, course: Course, number: int) -> Attempt:
        enrolment: Enrolment = person(course, f"learner{number}")
        attempt = fixed(begin_attempt(learner=enrolment.user, problem_set=self.exam))
        # One in ten typed nothing; of the others the loss is right for every second one.
        if number % 10:
            save(place(attempt), 0, **{**ALL_RIGHT, "loss": "0.408" if number % 2 else "9.9"})
        return attempt

    def calls(self) -> list[Callable[[], str]]:
        """Every press and every save, in an order that is the same each time and means nothing."""
        calls: list[Callable[[], str]] = [lambda a=attempt: self._hand_in(a) for attempt in self.attempts]  # type: ignore[misc]
        calls += [lambda a=attempt: self._hand_in(a) for attempt in self.attempts[:DOUBLE_CLICKS]]  # type: ignore[misc]
        calls += [lambda a=attempt: self._stale(a) for attempt in self.attempts[-STALE_TABS:]]  # type: ignore[misc]
        calls += [self._sweep, self._grade, self._sweep, self._grade]
        random.Random(4).shuffle(calls)
        return calls

    def _hand_in(self, attempt: Attempt) -> str:
        with clock.at(ENDS):
            return f"handed in {hand_in(attempt=Attempt.objects.get(pk=attempt.pk)).receipt}"

    def _stale(self, attempt: Attempt) -> str:
        item = place(attempt)
        with clock.at(ENDS):
            try:
                answers = {"p": "0.111", "loss": ""}
                save_answers(attempt_item=item, variant_id=variant_id(item), answers=answers, based_on=0, page="old")
            except AttemptOver:
                return "late"
            return "aside"

    def _sweep(self) -> str:
        with clock.at(ENDS + 2 * GRACE):
            hand_in_overdue()
        return "swept"

    def _grade(self) -> str:
        grade_pending()
        return "graded"


def test_a_class_hands_in_in_the_same_second(course: Course) -> None:
    rush = Rush(course)
    said = in_parallel(rush.calls())
    with clock.at(ENDS + 2 * GRACE):
        assert hand_in_overdue() == 0
    graded_by_many()

    receipts = {one.removeprefix("handed in ") for one in said if one.startswith("handed in ")}
    stored = list(Attempt.objects.select_related("learner"))
    assert len(stored) == LEARNERS
    assert receipts == {attempt.receipt for attempt in stored}
    assert all(attempt.handed_in_at == ENDS for attempt in stored)
    # Nothing lost, nothing doubled: of everybody who typed something one answer, with one verdict.
    typed = LEARNERS - LEARNERS // 10
    assert Submission.objects.count() == Submission.objects.filter(state=Submission.State.GRADED).count()
    assert Counter(Counter(Submission.objects.values_list("variant", flat=True)).values()) in (
        {1: typed},
        # A stale tab of somebody who had typed nothing is their newest text, if it came before they handed in.
        {1: typed + 1},
    )
    assert set(Counter(Grading.objects.values_list("submission", flat=True)).values()) == {1}
    assert all(verify_receipt(attempt=attempt).is_genuine for attempt in stored)
    for number, attempt in enumerate(rush.attempts[:-STALE_TABS]):
        attempt.refresh_from_db()
        worth = 0 if number % 10 == 0 else 1 if number % 2 else Fraction(1, 2)
        # total and p are right where anything is, and the loss, which weighs as much as both, for every second one.
        assert attempt.score == Fraction(worth) / 2, number
    # What a stale tab said is kept beside what counts, and replaced nothing.
    kept = SavedAnswer.objects.filter(answers__p="0.111")
    assert kept.exclude(aside="").count() >= STALE_TABS - 1
    assert kept.count() == STALE_TABS
