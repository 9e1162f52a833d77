"""Two tabs, two teachers, and workers that mark meanwhile: one decision, and every score follows it."""

import threading
from fractions import Fraction

import pytest

from exercises.actions.grading import (
    ChangedMeanwhile,
    Decision,
    Given,
    give_override,
    give_ruling,
    import_grades,
    rulings,
    settle,
    settle_for,
)
from exercises.models import Attempt, AttemptItem, AuditEntry, Course, Enrolment, Override, ProblemSet, Ruling, User
from exercises.queries.attempt_scores import worked_out
from exercises.queries.gradebook import sets_of
from exercises.tasks import grade_pending
from tests.exercises.courses.sat import HALF, NO_EXP, begun, marked, place_of, sent
from tests.exercises.courses.world import person
from tests.exercises.test_at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers", "published")]


def assert_kept_as_worked_out() -> None:
    places = {row.pk: (row.tries, row.score) for row in AttemptItem.objects.all()}
    attempts = {row.pk: (row.score, row.late_days) for row in Attempt.objects.all()}
    told = worked_out(places)
    assert (told.items, told.attempts) == (places, attempts)


def test_eight_clicks_set_one_score(dave: User, attempt: Attempt, enrolled: Enrolment, quiz: ProblemSet) -> None:
    marked(attempt, HALF)
    given = Given(quiz, enrolled, Fraction(2, 3))
    at_once(8, lambda _: give_override(actor=dave, given=given, reason="As agreed", seen=None))
    assert Override.objects.count() == AuditEntry.objects.count() == 1
    attempt.refresh_from_db()
    assert attempt.score == Fraction(2, 3)


def test_of_two_teachers_one_is_told_that_the_other_was_first(
    dave: User, alice: User, attempt: Attempt, enrolled: Enrolment, quiz: ProblemSet
) -> None:
    told = []

    def decide(actor: User, score: Fraction) -> None:
        try:
            give_override(actor=actor, given=Given(quiz, enrolled, score), reason="My view", seen=None)
        except ChangedMeanwhile as refused:
            told.append(refused)

    at_once(2, lambda number: decide((dave, alice)[number], Fraction(1, 1 + number)))
    assert len(told) == 1
    assert Override.objects.filter(withdrawn_at=None).count() == Override.objects.count() == 1


def test_a_decision_for_all_beside_workers_and_clicks(
    dave: User, course: Course, quiz: ProblemSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, value in ((rulings, "MOST_AT_ONCE", 3), (settle, "BATCH", 2)):
        monkeypatch.setattr(module, name, value)
    attempts = [begun(quiz, person(course, f"learner-{number}").user) for number in range(6)]
    for attempt in attempts[:3]:
        marked(attempt, NO_EXP)
    for attempt in attempts[3:]:
        sent(attempt, NO_EXP)
    item = place_of(attempts[0]).item
    item.problem_set = quiz
    accept = Decision(item, Ruling.Kind.ACCEPT, step="p", note="p.no-exp")
    calls = [
        *[lambda: give_ruling(actor=dave, decision=accept, reason="Ambiguous")] * 4,
        *[lambda: grade_pending(limit=1)] * 3,
        *[lambda: settle_for(20)] * 2,
    ]
    at_once(len(calls), lambda number: calls[number]())
    settle_for(60)
    ruling = Ruling.objects.get()
    assert ruling.applied_at is not None
    assert AuditEntry.objects.count() == 1
    assert_kept_as_worked_out()
    assert {attempt.score for attempt in Attempt.objects.all()} == {Fraction(3, 8)}


def test_a_file_brought_in_twice_at_once(dave: User, course: Course, attempt: Attempt, enrolled: Enrolment) -> None:
    marked(attempt, HALF)
    text = "username,percent\nbob,50\n"
    sets = sets_of(course)
    seen = import_grades(actor=dave, course=course, sets=sets, text=text).digest
    lock = threading.Lock()
    changed = []

    def bring_in() -> None:
        result = import_grades(
            actor=dave, course=course, sets=sets, text=text, reason="Oral", is_preview=False, seen=seen
        )
        with lock:
            changed.append(result.changed)

    at_once(4, lambda _: bring_in())
    assert sorted(changed) == [0, 0, 0, 1]
    assert Override.objects.count() == AuditEntry.objects.count() == 1
    assert_kept_as_worked_out()
