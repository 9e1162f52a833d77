"""A course copied to another term: its sets as drafts, their times moved, nobody and nothing of anybody."""

import datetime as dt
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.actions import courses as actions
from exercises.actions.courses import CourseFields, CourseRefused
from exercises.models import (
    Attempt,
    AuditEntry,
    Course,
    Enrolment,
    Extension,
    Group,
    Pool,
    Problem,
    ProblemSet,
    SetItem,
    User,
)
from tests.exercises.courses.world import NOW, problem_set

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]

BERLIN = ZoneInfo("Europe/Berlin")
FIELDS = CourseFields("BERT by hand", "Summer 2027", "Europe/Berlin", dt.date(2027, 4, 12))


@pytest.fixture
def quiz(course: Course, problem: Problem, bob: User) -> ProblemSet:
    """Due on 24 October, the evening before the clocks change, with a pool, a group, an extension and an attempt."""
    course.starts_on = dt.date(2026, 10, 12)
    course.save()
    made = problem_set(
        course, "quiz", problem, problem, weights=("2", "3"), opens_at=None, closes_at=None,
        due_at=dt.datetime(2026, 10, 24, 20, 0, tzinfo=BERLIN), late=["1/2"], pass_mark="7/10", shuffle=True,
        released_at=NOW, revision=5, instructions="Do *this*.",
    )  # fmt: skip
    pool = Pool.objects.create(problem_set=made, name="One of two", choose=1, weight=4)
    made.items.filter(weight=3).update(pool=pool, asked=["p"], variants=2)
    SetItem.objects.create(problem_set=made, problem=problem, position=9, retired=True)
    group = Group.objects.create(course=course, name="Tutorial 1")
    group.members.add(Enrolment.objects.get(course=course, user=bob))
    made.groups.add(group)
    Extension.objects.create(problem_set=made, learner=bob, attempts=1)
    Attempt.objects.create(problem_set=made, learner=bob)
    return made


def test_sets_come_along_as_drafts_at_the_same_time_of_day(alice: User, course: Course, quiz: ProblemSet) -> None:
    problem_set(course, "exam", title="Taken away", retired=True)
    copy = actions.copy_course(actor=alice, course=course, fields=FIELDS)
    assert (copy.sets, copy.left_out, copy.course.copied_from) == (1, 0, course)
    made = copy.course.problem_sets.get()
    assert (made.title, made.copied_from, made.late, made.pass_mark) == (quiz.title, quiz, ["1/2"], "7/10")
    assert (made.published_at, made.released_at, made.opens_at, made.revision) == (None, None, None, 0)
    assert made.public_id != quiz.public_id
    # 182 days from 12 October to 12 April, and summer time at both ends.
    assert made.due_at is not None
    assert f"{made.due_at.astimezone(BERLIN):%Y-%m-%d %H:%M %Z}" == "2027-04-24 20:00 CEST"


def test_items_pools_and_groups_come_along(alice: User, course: Course, quiz: ProblemSet) -> None:
    copy = actions.copy_course(actor=alice, course=course, fields=FIELDS)
    made = copy.course.problem_sets.get()
    pool = made.pools.get()
    assert (pool.name, pool.choose, str(pool.weight)) == ("One of two", 1, "4.0000")
    first, second = made.items.all()
    assert (first.pool, second.pool, second.asked, second.variants) == (None, pool, ["p"], 2)
    assert [item.weight for item in (first, second)] == [Decimal(2), Decimal(3)]
    group = made.groups.get()
    assert (group.course, group.name, group.members.count()) == (copy.course, "Tutorial 1", 0)
    quiz.refresh_from_db()
    assert (quiz.items.count(), quiz.pools.count(), quiz.groups.count()) == (3, 1, 1)


def test_nobody_comes_along(alice: User, course: Course, quiz: ProblemSet) -> None:
    copy = actions.copy_course(actor=alice, course=course, fields=FIELDS)
    assert [one.user for one in copy.course.enrolments.all()] == [alice]
    made = copy.course.problem_sets.get()
    assert not made.attempts.exists()
    assert not made.extensions.exists()
    trail = AuditEntry.objects.filter(course=copy.course).order_by("pk")
    assert [entry.deed for entry in trail] == ["course-made", "course-copied"]
    assert not AuditEntry.objects.filter(course=course).exists()


def test_without_a_first_day_times_stay_behind(alice: User, course: Course, quiz: ProblemSet) -> None:
    fields = CourseFields("BERT by hand", "Some day", "Europe/Berlin")
    made = actions.copy_course(actor=alice, course=course, fields=fields).course.problem_sets.get()
    assert (made.opens_at, made.due_at, made.closes_at, made.late) == (None, None, None, [])


def test_problems_that_are_not_shared_stay_behind(
    alice: User, course: Course, quiz: ProblemSet, problem: Problem
) -> None:
    erin = User.objects.create_user("erin", is_instructor=True)
    Problem.objects.filter(pk=problem.pk).update(owner=erin)
    copy = actions.copy_course(actor=alice, course=course, fields=FIELDS)
    assert (copy.left_out, copy.course.problem_sets.get().items.count()) == (2, 0)


def test_what_cannot_be_made_leaves_nothing(alice: User, course: Course, quiz: ProblemSet) -> None:
    with pytest.raises(CourseRefused):
        actions.copy_course(actor=alice, course=course, fields=CourseFields(""))
    assert Course.objects.count() == 1


def test_thirty_sets_are_as_many_queries_as_one(alice: User, course: Course, quiz: ProblemSet) -> None:
    counts = []
    for number in (0, 29):
        for _ in range(number):
            problem_set(course, "quiz", quiz.items.all()[0].problem).groups.set(quiz.groups.all())
        with CaptureQueriesContext(connection) as queries:
            actions.copy_course(actor=alice, course=course, fields=FIELDS)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 32
