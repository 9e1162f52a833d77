"""What an attempt counts as handed in at, and another attempt."""

import datetime as dt
from fractions import Fraction

import pytest

from exercises import clock
from exercises.actions.grading import GradeRefused, count_attempt_as, grant_attempt, preview_count_as
from exercises.actions.sets.extensions import Given, give_extension
from exercises.course_rules import rules_of
from exercises.models import Attempt, AuditEntry, Course, Enrolment, Extension, Group, Problem, ProblemSet, User
from tests.exercises.courses.sat import HALF, begun, handed_in, marked
from tests.exercises.courses.world import NOW, problem_set

pytestmark = pytest.mark.usefixtures("servers")
HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)


@pytest.fixture
def late(course: Course, problem: Problem, bob: User) -> Attempt:
    """An exam handed in an hour after due, which costs half."""
    exam = problem_set(course, "exam", problem, due_at=NOW, late=["1/2"])
    attempt = begun(exam, bob, began_at=NOW - DAY)
    found = handed_in(marked(attempt, HALF, at=NOW + HOUR), NOW + HOUR)
    assert (found.score, found.late_days) == (Fraction(1, 4), 1)
    return found


def test_what_staff_enters_after_close_can_count_as_in_time(late: Attempt, dave: User, enrolled: Enrolment) -> None:
    moment = NOW - HOUR
    with clock.at(NOW + DAY):
        (move,) = preview_count_as(late, moment).listed
        assert (move.before, move.after) == (Fraction(1, 4), Fraction(1, 2))
        for _ in range(2):
            count_attempt_as(actor=dave, attempt=late, at=moment, reason="The power was cut")
    late.refresh_from_db()
    assert (late.score, late.late_days, late.count_as_at) == (Fraction(1, 2), 0, moment)
    assert late.handed_in_at == NOW + HOUR
    entry = AuditEntry.objects.get()
    assert (entry.deed, entry.learner, entry.reason) == ("count-as", enrolled.user, "The power was cut")
    with clock.at(NOW + DAY):
        count_attempt_as(actor=dave, attempt=late, at=None, reason="It was not")
    late.refresh_from_db()
    assert (late.score, late.late_days) == (Fraction(1, 4), 1)
    assert AuditEntry.objects.count() == 2


@pytest.mark.parametrize(("moment", "reason"), [(NOW - 2 * DAY, "Why"), (NOW + 2 * DAY, "Why"), (NOW, " ")])
def test_a_moment_that_cannot_be_is_refused(moment: dt.datetime, reason: str, late: Attempt, dave: User) -> None:
    with clock.at(NOW + DAY), pytest.raises(GradeRefused):
        count_attempt_as(actor=dave, attempt=late, at=moment, reason=reason)
    assert not AuditEntry.objects.exists()


def test_one_that_goes_on_has_no_such_moment(attempt: Attempt, dave: User) -> None:
    with pytest.raises(GradeRefused, match="extension"):
        count_attempt_as(actor=dave, attempt=attempt, at=NOW, reason="Why")


def test_another_attempt_is_granted_once(quiz: ProblemSet, enrolled: Enrolment, dave: User) -> None:
    for _ in range(2):
        grant_attempt(actor=dave, problem_set=quiz, enrolment=enrolled, granted=1, reason="Ill that day")
    assert rules_of(quiz, enrolled).attempts == 2
    assert AuditEntry.objects.get().deed == "attempt-granted"
    grant_attempt(actor=dave, problem_set=quiz, enrolment=enrolled, granted=2, reason="And again")
    assert Extension.objects.get().attempts == 2
    for granted in (0, 11):
        with pytest.raises(GradeRefused, match="between 1 and 10"):
            grant_attempt(actor=dave, problem_set=quiz, enrolment=enrolled, granted=granted, reason="Why")


def test_granting_takes_nothing_away(quiz: ProblemSet, enrolled: Enrolment, dave: User) -> None:
    """Neither what a group has, which one's own outranks, nor what else is different for the learner."""
    group = Group.objects.create(course=quiz.course, name="Mondays")
    group.members.add(enrolled)
    due = NOW + DAY
    give_extension(actor=dave, problem_set=quiz, group=group, given=Given(attempts=3, reason="The room was shut"))
    grant_attempt(actor=dave, problem_set=quiz, enrolment=enrolled, granted=1, reason="Ill")
    assert rules_of(quiz, enrolled).attempts == 4
    assert not Extension.objects.filter(learner=enrolled.user).exists()
    give_extension(actor=dave, problem_set=quiz, learner=enrolled.user, given=Given(due_at=due, reason="Ill"))
    grant_attempt(actor=dave, problem_set=quiz, enrolment=enrolled, granted=4, reason="Ill again")
    rules = rules_of(quiz, enrolled)
    assert (rules.attempts, rules.due_at) == (5, due)
    entry = AuditEntry.objects.latest("pk")
    assert (entry.deed, entry.after["attempts"], entry.reason) == ("attempt-granted", 4, "Ill again")
    assert "due_at" in entry.before


def test_practice_and_a_set_that_is_gone_grant_nothing(
    course: Course, problem: Problem, quiz: ProblemSet, enrolled: Enrolment, dave: User
) -> None:
    practice = problem_set(course, "practice", problem)
    ProblemSet.objects.filter(pk=quiz.pk).update(retired=True)
    for one, says in ((practice, "no end"), (quiz, "taken away")):
        with pytest.raises(GradeRefused, match=says):
            grant_attempt(actor=dave, problem_set=one, enrolment=enrolled, granted=1, reason="Why")
    assert not Extension.objects.exists()
