"""The rules of sets, read from the tables: for one, for many, in a constant number of queries."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.course_rules import policy_of, rules_of, rules_of_pairs, rules_of_sets, zone_of
from exercises.models import Course, Enrolment, Extension, Group, ProblemSet, User
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = pytest.mark.usefixtures("servers")

DAY = dt.timedelta(days=1)


@pytest.fixture
def exam(course: Course, db: None) -> ProblemSet:
    made = problem_set(course, "exam", due_at=NOW, closes_at=None, time_limit=60, late=["1", "1/2"], pass_mark="7/10")
    return ProblemSet.objects.select_related("course").get(pk=made.pk)


def enrolled(course: Course, user: User) -> Enrolment:
    return Enrolment.objects.get(course=course, user=user)


def test_what_is_written_on_a_set(exam: ProblemSet) -> None:
    policy = policy_of(exam)
    assert (policy.mode, policy.due_at, policy.time_limit) == ("exam", NOW, 60)
    assert (policy.late, policy.pass_mark) == ((Fraction(1), Fraction(1, 2)), Fraction(7, 10))
    assert (policy.feedback, policy.retry, policy.hints) == ("released", "same", False)


def test_what_cannot_be_read_counts_as_not_written(exam: ProblemSet, caplog: pytest.LogCaptureFixture) -> None:
    exam.late, exam.credits, exam.pass_mark = ["1/2", "half", "3/2", "1/0", None], "1/2", "most"
    policy = policy_of(exam)
    assert (policy.late, policy.credits, policy.pass_mark) == ((Fraction(1, 2),), (), None)
    assert len(caplog.records) == 5
    exam.course.time_zone = "Europe/Nowhere"
    assert zone_of(exam.course) == "UTC"


def test_own_and_group_and_factor_come_together(course: Course, exam: ProblemSet, bob: User) -> None:
    tutorial = Group.objects.create(course=course, name="Tuesday")
    Extension.objects.create(problem_set=exam, group=tutorial, due_at=NOW + 2 * DAY, time_limit=90)
    Extension.objects.create(problem_set=exam, learner=bob, due_at=NOW + DAY, attempts=1)
    dora = person(course, "dora", time_factor=Decimal("1.25"))
    tutorial.members.add(dora, enrolled(course, bob))
    own, group = rules_of(exam, bob), rules_of(exam, dora)
    assert (own.due_at, own.time_limit, own.attempts) == (NOW + DAY, dt.timedelta(minutes=90), 2)
    assert (group.due_at, group.time_limit) == (NOW + 2 * DAY, dt.timedelta(minutes=112, seconds=30))
    assert (group.closes_at, group.time_zone) == (NOW + 4 * DAY, "Europe/Berlin")
    # Every way to ask gives the same.
    emil = person(course, "emil")
    expected = {bob.pk: own, dora.user_id: group, emil.user_id: rules_of(exam, emil)}
    assert rules_of_pairs((exam, pk) for pk in expected) == {(exam.pk, pk): rules for pk, rules in expected.items()}
    assert rules_of_pairs([(exam, bob.pk)])[exam.pk, bob.pk] == rules_of(exam, enrolled(course, bob)) == own
    assert rules_of_sets([exam], dora) == {exam.pk: group}
    assert not expected[emil.user_id].is_extended


def test_an_extension_of_another_set_or_learner_changes_nothing(
    course: Course, exam: ProblemSet, bob: User, charlie: User
) -> None:
    other = problem_set(course, "exam")
    Extension.objects.create(problem_set=other, learner=bob, due_at=NOW + DAY)
    Extension.objects.create(problem_set=exam, learner=charlie, due_at=NOW + DAY)
    Extension.objects.create(problem_set=exam, group=Group.objects.create(course=course, name="A"), due_at=NOW + DAY)
    assert rules_of(exam, bob).due_at == rules_of_pairs([(exam, bob.pk)])[exam.pk, bob.pk].due_at == NOW


def test_the_factor_of_another_course_changes_nothing(
    exam: ProblemSet, elsewhere: Course, bob: User, charlie: User
) -> None:
    Enrolment.objects.filter(user=charlie).update(time_factor=Decimal(2))
    found = rules_of_pairs([(exam, charlie.pk)])[exam.pk, charlie.pk]
    assert rules_of(exam, charlie).time_factor == found.time_factor == 1


def test_many_cost_what_one_costs(course: Course, exam: ProblemSet, bob: User) -> None:
    tutorial = Group.objects.create(course=course, name="Tuesday")
    Extension.objects.create(problem_set=exam, group=tutorial, due_at=NOW + DAY)
    people = [person(course, name) for name in ("dora", "emil", "fay")]
    tutorial.members.add(*people)
    sets = list(ProblemSet.objects.select_related("course"))
    problem_set(course, "quiz")
    more = list(ProblemSet.objects.select_related("course"))

    def queries(call: object) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert callable(call)
            call()
        return len(captured)

    assert queries(lambda: rules_of(exam, people[0])) == 1
    assert queries(lambda: rules_of(exam, bob)) == 2
    assert queries(lambda: rules_of_sets(sets, people[0])) == queries(lambda: rules_of_sets(more, people[0])) == 1
    assert queries(lambda: rules_of_pairs([(exam, bob.pk)])) == 3
    assert queries(lambda: rules_of_pairs((exam, one.user_id) for one in people)) == 3
    assert queries(lambda: rules_of_pairs((one, bob.pk) for one in more)) == 3
    assert rules_of_pairs([]) == {}
