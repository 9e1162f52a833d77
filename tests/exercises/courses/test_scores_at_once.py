"""Scores under workers that record side by side, teachers who change the rules, and learners who hand in meanwhile."""

import datetime as dt
import threading
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction

from exercises import clock
from exercises.actions import draw_variant, record
from exercises.actions.claim import claim_pending
from exercises.actions.mark import mark_submissions
from exercises.actions.scores import keep_released, keep_scores, keep_shown, refresh_ends
from exercises.models import Attempt, AttemptItem, Course, Extension, Problem, ProblemSet, Submission, User
from exercises.queries.attempt_scores import worked_out
from exercises.tasks import grade_pending
from tests.exercises.courses.sat import ALL, HALF, NOTHING, begun, place_of, sent
from tests.exercises.courses.world import NOW, person, problem_set
from tests.exercises.learning import assert_nothing_drifted
from tests.exercises.test_at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers", "published")]

ITEMS = 6


def assert_kept_as_worked_out() -> None:
    """What stands in the tables is what comes out anew."""
    places = {row.pk: (row.tries, row.score) for row in AttemptItem.objects.all()}
    attempts = {row.pk: (row.score, row.late_days) for row in Attempt.objects.all()}
    told = worked_out(places)
    assert (told.items, told.attempts) == (places, attempts)


def mark_everything() -> None:
    while grade_pending():
        pass


def extend(quiz: ProblemSet, learners: Sequence[User]) -> None:
    with transaction.atomic():
        for learner in learners:
            longer = {"due_at": NOW + dt.timedelta(days=2)}
            Extension.objects.get_or_create(problem_set=quiz, learner=learner, defaults=longer)
        refresh_ends(quiz.attempts.all())


def hand_in(attempt: Attempt) -> None:
    with clock.at(NOW + dt.timedelta(hours=2)), transaction.atomic():
        Attempt.objects.select_for_update(no_key=True).get(pk=attempt.pk)
        Attempt.objects.filter(pk=attempt.pk).update(handed_in_at=clock.now(), handed_in_by="learner")
        keep_scores(attempt.items.values_list("pk", flat=True))
        keep_shown(Attempt.objects.filter(pk=attempt.pk))


def test_batches_of_one_attempt_side_by_side_lose_no_score(course: Course, bob: User, problem: Problem) -> None:
    quiz = problem_set(course, "quiz", *[problem] * ITEMS)
    attempts = [begun(quiz, one) for one in (bob, person(course, "dora").user)]
    for attempt in attempts:
        for position in range(1, ITEMS + 1):
            sent(attempt, NOTHING, position)
            sent(attempt, ALL, position, at=NOW + dt.timedelta(minutes=1))
    # Small claims, so that every attempt is recorded by all of the workers.
    at_once(6, lambda number: [grade_pending(limit=1 + number % 3) for _ in range(8)])
    mark_everything()
    for attempt in attempts:
        attempt.refresh_from_db()
        assert attempt.score == Fraction(1, 2)
        assert [place_of(attempt, position).tries for position in range(1, ITEMS + 1)] == [2] * ITEMS
    assert_kept_as_worked_out()
    assert_nothing_drifted()


@pytest.mark.parametrize("mode", ["quiz", "exam"])
def test_the_second_of_two_batches_sees_what_the_first_one_wrote(
    course: Course, bob: User, problem: Problem, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """The one that comes second waits for the attempt, and works its score out from both: in an exam as well, where no
    evidence is kept that would make them take turns."""
    attempt = begun(problem_set(course, mode, problem, problem), bob)
    sent(attempt, ALL)
    sent(attempt, HALF, position=2)
    has_written, may_commit = threading.Event(), threading.Event()

    def slowly(places: Any) -> int:
        changed = keep_scores(places)
        if not has_written.is_set():
            has_written.set()
            may_commit.wait(timeout=10)
        return changed

    monkeypatch.setattr(record, "keep_scores", slowly)

    def work(number: int) -> int:
        if number == 2:
            # Lets the first one go on as soon as the second is held up, or after a while on a database that has no
            # such locks: there it waits for the whole transaction.
            has_written.wait(timeout=10)
            may_commit.wait(timeout=1)
            may_commit.set()
            return 0
        if number == 1:
            has_written.wait(timeout=10)
        claim = claim_pending(limit=1)
        return record.record_verdicts(claim, mark_submissions(claim.submissions))

    assert sum(at_once(3, work)) == 2
    attempt.refresh_from_db()
    assert attempt.score == Fraction(3, 4)
    assert_kept_as_worked_out()


def test_everybody_at_once_waits_for_nobody_for_ever(course: Course, bob: User, problem: Problem) -> None:
    """Workers, an instructor who extends and releases, learners who hand in and practise: no deadlock, and in the end
    everything is as worked out anew."""
    quiz = problem_set(course, "quiz", *[problem] * 2, due_at=NOW, late=["1/2"], feedback="handed-in")
    learners = [bob, *(person(course, name).user for name in ("dora", "emil", "fay"))]
    attempts = [begun(quiz, learner) for learner in learners]
    for attempt in attempts:
        for position in (1, 2):
            sent(attempt, NOTHING, position, at=NOW)
            sent(attempt, ALL, position, at=NOW + dt.timedelta(hours=1))

    def act(number: int) -> None:
        if number < 4:
            for _ in range(4):
                grade_pending(limit=2)
        elif number < 6:
            extend(quiz, learners[:2])
        elif number < 10:
            hand_in(attempts[number - 6])
        else:
            draw_variant(learner=learners[number - 10], slug="masked")

    at_once(12, act)
    mark_everything()
    with clock.at(NOW + dt.timedelta(hours=3)):
        keep_released(problem_set=quiz)
        assert not Submission.objects.filter(state="pending").exists()
        assert_kept_as_worked_out()
        assert_nothing_drifted()
    scores = [Attempt.objects.get(pk=attempt.pk).score for attempt in attempts]
    assert scores == [Fraction(1, 2), Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
