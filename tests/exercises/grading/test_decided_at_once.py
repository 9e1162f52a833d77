"""Two tabs, two teachers, and workers that mark meanwhile: one decision, and every score follows it."""

import datetime as dt
import threading
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial

import pytest

from exercises.access import ruling_in
from exercises.actions.courses.people import set_groups
from exercises.actions.courses.refusals import RosterMoved
from exercises.actions.courses.roster_import import Choices, import_roster, plan_roster, seal_of
from exercises.actions.grading import (
    ChangedMeanwhile,
    Decision,
    Given,
    give_override,
    give_ruling,
    grade_import,
    import_grades,
    rulings,
    settle,
    settle_for,
    withdraw_ruling,
)
from exercises.courses.grade_csv import percent_heading
from exercises.models import (
    Attempt,
    AttemptItem,
    AuditEntry,
    Course,
    Enrolment,
    Override,
    Problem,
    ProblemSet,
    Ruling,
    User,
)
from exercises.queries.attempt_scores import worked_out
from exercises.queries.gradebook import key_of, sets_of
from exercises.tasks import grade_pending
from tests.exercises.courses.sat import HALF, NO_EXP, begun, marked, place_of, sent
from tests.exercises.courses.world import NOW, person, problem_set
from tests.exercises.test_at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers", "published")]

ROUNDS = 12


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
    calls: list[Callable[[], object]] = [
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


def bring_in(actor: User, course: Course, names: list[str], percentage: int) -> None:
    sets = sets_of(course)
    lines = [f"{name},{percentage},{percentage}" for name in names]
    text = "\n".join([f"username,{','.join(percent_heading('', key_of(one)) for one in sets)}", *lines])
    seen = import_grades(actor=actor, course=course, sets=sets, text=text)
    assert seen.changed
    with suppress(ChangedMeanwhile):
        import_grades(
            actor=actor, course=course, sets=sets, text=text, reason="Oral", is_preview=False, seen=seen.digest
        )


def enrol(actor: User, course: Course, names: list[str], factor: str) -> None:
    text, choices = "\n".join(["username,time factor", *(f"{name},{factor}" for name in names)]), Choices()
    plan = plan_roster(course=course, text=text, choices=choices)
    assert not plan.faults
    with suppress(RosterMoved):
        seal = seal_of(plan, text=text, choices=choices)
        import_roster(actor=actor, course=course, text=text, choices=choices, seal=seal)


def decide(actor: User, decision: Decision, *, is_kept: bool) -> None:
    ruling = give_ruling(actor=actor, decision=decision, reason="Ambiguous")
    if not is_kept:
        withdraw_ruling(actor=actor, ruling=ruling_in(decision.item.problem_set, ruling.pk), reason="It is not")


def regroup(actor: User, enrolments: list[Enrolment]) -> None:
    for one in enrolments:
        set_groups(actor=actor, enrolment=one, groups=one.course.groups.values_list("pk", flat=True))


def mark_some() -> None:
    grade_pending(limit=8)


def test_a_file_a_decision_a_roster_and_workers_at_once_wait_for_nobody_for_ever(
    dave: User, alice: User, course: Course, quiz: ProblemSet, problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each comes to the same attempts in an order of its own: the file by its sets, the decision by learners, the
    roster by its lines, a worker by answers."""
    for module in (grade_import, settle):
        monkeypatch.setattr(module, "BATCH", 2)
    other = problem_set(course, "quiz", problem, title="Another", position=2)
    learners = [person(course, f"learner-{number}") for number in range(4)]
    names = [one.user.username for one in learners]
    # The later a learner came, the earlier they began; and each set has attempts between those of the other.
    attempts = [begun(found, one.user) for one in reversed(learners) for found in (other, quiz)]
    item = place_of(attempts[1]).item
    item.problem_set = quiz
    accept = Decision(item, Ruling.Kind.ACCEPT, step="p", note="p.no-exp")
    for number in range(ROUNDS):
        course.groups.create(name=f"Tutorial {number}")
        for attempt in attempts:
            sent(attempt, NO_EXP, at=NOW + dt.timedelta(minutes=number))
        calls: list[Callable[[], None]] = [
            partial(bring_in, dave, course, names, number + 1),
            partial(decide, dave, accept, is_kept=number % 2 == 0),
            partial(enrol, alice, course, names[::-1], f"1.{number + 10}"),
            partial(regroup, alice, learners),
            *[mark_some] * 3,
        ]
        at_once(len(calls), partial(call, calls))
    while grade_pending():
        pass
    settle_for(60)
    assert_kept_as_worked_out()


def call(calls: list[Callable[[], None]], number: int) -> None:
    calls[number]()
