"""Every page of a set, and every list of sets, asks the database a fixed number of times, for one or for thirty."""

from decimal import Decimal

import pytest
from pytest_django import DjangoAssertNumQueries

from exercises import clock
from exercises.models import Attempt, Course, Enrolment, Group, Problem, ProblemSet, SetItem
from exercises.queries.sets import sets_for, sets_taught
from tests.exercises.courses.world import NOW, person, problem_set
from tests.frontend.sets.world import People, where

pytestmark = pytest.mark.usefixtures("servers")
#: Session and user, the set, and the reader's place in its course.
WHO, FOUND = 2, 2
STAFF = {"set": 6, "set-edit": 3, "set-items": 5, "set-item": 5, "set-extensions": 5, "set-rules": 1, "set-copy": 1}


@pytest.fixture(params=[1, 30])
def many(request: pytest.FixtureRequest, course: Course, problems: list[Problem], people: People) -> ProblemSet:
    """So many sets in the course, and one with so many items, pools, groups, extensions, and attempts."""
    number: int = request.param
    found = problem_set(course, "quiz", problems[0], title="Many")
    for place in range(number):
        problem_set(course, "quiz", problems[0], title=f"Set {place}")
        pool = found.pools.create(name=f"Pool {place}", weight=Decimal(1))
        SetItem.objects.create(problem_set=found, problem=problems[place % 3], position=place + 1, pool=pool)
        member = person(course, f"learner{place}")
        group = Group.objects.create(course=course, name=f"Group {place}")
        group.members.add(member)
        found.extensions.create(learner=member.user, attempts=1)
        found.extensions.create(group=group, attempts=1)
        Attempt.objects.create(problem_set=found, learner=member.user, began_at=NOW)
    return found


@pytest.mark.parametrize("name", STAFF)
def test_the_pages_of_those_who_teach(
    name: str, many: ProblemSet, course: Course, people: People, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    address = where(name, many, course)
    with clock.at(NOW), django_assert_num_queries(WHO + FOUND + STAFF[name]):
        assert people["alice"].get(address).status_code == 200


def test_the_page_of_a_learner(
    many: ProblemSet, people: People, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with clock.at(NOW), django_assert_num_queries(WHO + FOUND + 4):
        people["bob"].get(f"/sets/{many.public_id}/")


def test_the_lists_of_a_course(
    many: ProblemSet, course: Course, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    mine = Enrolment.objects.select_related("course", "user").get(user__username="bob")
    number = ProblemSet.objects.count()
    with clock.at(NOW), django_assert_num_queries(3):
        assert len(sets_for(mine)) == number
    with clock.at(NOW), django_assert_num_queries(2):
        assert len(sets_taught(course)) == number
