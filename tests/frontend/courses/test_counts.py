"""Every page of a course asks the database a fixed number of times, for one row or thirty."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from exercises import clock
from exercises.actions import courses as actions
from exercises.courses.roster import COLUMNS
from exercises.models import Attempt, Course, Enrolment, Extension, Group, Role, User
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = pytest.mark.usefixtures("servers")
#: Session and user: asked for by every page of somebody signed in.
WHO = 2


@pytest.fixture(params=[1, 30])
def many(request: pytest.FixtureRequest, course: Course, alice: User, bob: User) -> int:
    """So many learners, groups, sets, deeds, and courses that both Alice and Bob are in."""
    number: int = request.param
    for place in range(number):
        group = Group.objects.create(course=course, name=f"Group {place}")
        someone = person(course, f"learner-{place}")
        someone.groups.add(group)
        actions.change_role(actor=alice, enrolment=someone, role=Role.OBSERVER)
        actions.change_role(actor=alice, enrolment=someone, role=Role.LEARNER)
        quiz = problem_set(course, "quiz", due_at=NOW + dt.timedelta(hours=5))
        Attempt.objects.create(problem_set=quiz, learner=bob, began_at=NOW)
        Extension.objects.create(problem_set=quiz, group=group, attempts=1)
        other = Course.objects.create(title=f"Course {place}")
        problem_set(other, "quiz")
        for user, role in ((alice, Role.INSTRUCTOR), (bob, Role.LEARNER)):
            Enrolment.objects.create(course=other, user=user, role=role)
    Group.objects.filter(name="Group 0").get().members.add(Enrolment.objects.get(course=course, user=bob))
    return number


PAGES = {
    # name: queries for Alice
    "courses": 1,
    "course": 4,
    "course-edit": 1,
    "course-copy": 1,
    "people": 6,
    "member": 5,
    "groups": 2,
    "roster": 1,
    "roster-export": 3,
    "audit": 4,
}


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_of_who_teaches(
    name: str, many: int, course: Course, bob: User, as_alice: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    his = Enrolment.objects.get(course=course, user=bob)
    args = [] if name == "courses" else [course.public_id, *([his.pk] if name == "member" else [])]
    with clock.at(NOW), django_assert_num_queries(WHO + PAGES[name]):
        assert as_alice.get(reverse(f"frontend:{name}", args=args)).status_code == 200


def test_the_pages_of_who_learns(
    many: int, course: Course, as_bob: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with clock.at(NOW):
        with django_assert_num_queries(WHO + 6):
            shown = as_bob.get("/courses/").content.decode()
        assert shown.count("going on") == min(many, 5)
        with django_assert_num_queries(WHO + 4):
            as_bob.get(reverse("frontend:course", args=[course.public_id]))


def test_a_dry_run(
    many: int, course: Course, as_alice: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    text = "\n".join([COLUMNS[0], *(f"learner-{place}" for place in range(many))])
    with django_assert_num_queries(WHO + 5):
        shown = as_alice.post(reverse("frontend:roster", args=[course.public_id]), {"do": "look", "text": text})
    assert shown.content.decode().count("<td>unchanged") == many
