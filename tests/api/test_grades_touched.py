"""Grades since a moment: who asks for what changed misses nobody whose grades were touched, and is told no others."""

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from rest_framework.test import APIClient

from exercises import clock
from exercises.models import (
    Attempt,
    Course,
    Enrolment,
    Extension,
    Group,
    Override,
    Problem,
    ProblemSet,
    User,
)
from exercises.models.touched import install_trigger
from tests.api.conftest import Client
from tests.exercises.courses.sat import HALF, begun, handed_in, marked
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = pytest.mark.usefixtures("servers")
API = "/api/v1"
HOUR = dt.timedelta(hours=1)
#: Everything was written then; what happens in a test comes later, also by the clock of the database.
BEFORE = NOW - HOUR
SINCE = NOW - HOUR / 2


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with clock.at(NOW):
        yield


@pytest.fixture
def quiz(course: Course, problem: Problem, bob: User) -> ProblemSet:
    """Bob sat it, Dora did not; everything was written a while ago."""
    made = problem_set(course, "quiz", problem)
    person(course, "dora")
    handed_in(marked(begun(made, bob), HALF))
    for table in (ProblemSet, Enrolment, Attempt):
        written_at(table, BEFORE)
    return made


@pytest.fixture
def staff(alice: User, client_of: Client) -> APIClient:
    return client_of(alice)


def written_at(table: type[Model], moment: dt.datetime, **which: Any) -> None:
    """Let rows have been written at another time: their table keeps its own, so it must look away."""
    name, rows = table._meta.db_table, table._default_manager.filter(**which)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"DROP TRIGGER {name}_touched")
            rows.update(updated_at=moment)
            install_trigger(connection, name)
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE {name} DISABLE TRIGGER touched")
            rows.update(updated_at=moment)
            cursor.execute(f"ALTER TABLE {name} ENABLE TRIGGER touched")


def rooms(quiz: ProblemSet) -> tuple[str, str]:
    return f"{API}/courses/{quiz.course.public_id}/grades", f"{API}/problem-sets/{quiz.public_id}/grades"


def since(staff: APIClient, quiz: ProblemSet, moment: dt.datetime = SINCE, **more: Any) -> list[str]:
    """Whose grades were touched, which both books say alike."""
    said = {"updated_since": moment.isoformat(), **more}
    of_course, of_set = (staff.get(room, said).json()["results"] for room in rooms(quiz))
    assert [row["learner"] for row in of_course] == [row["learner"] for row in of_set]
    return [row["learner"] for row in of_course]


def is_given(bob: User, quiz: ProblemSet, **more: Any) -> None:
    Override.objects.create(problem_set=quiz, learner=bob, score="1", reason="Because.", **more)


TOUCHES: dict[str, Callable[[User, ProblemSet], object]] = {
    "an attempt": lambda bob, quiz: Attempt.objects.filter(learner=bob).update(late_days=1),
    "who they are in the course": lambda bob, quiz: Enrolment.objects.filter(user=bob).update(external_id="4711"),
    "a score by hand": is_given,
    "one that is taken back": lambda bob, quiz: is_given(bob, quiz, created_at=BEFORE, withdrawn_at=NOW),
    "an extension": lambda bob, quiz: Extension.objects.create(problem_set=quiz, learner=bob, attempts=1),
    "one that ended": lambda bob, quiz: Extension.objects.create(
        problem_set=quiz, learner=bob, created_at=BEFORE, closes_at=NOW - HOUR / 4
    ),
}


@pytest.mark.parametrize("what", TOUCHES)
def test_what_touches_the_grades_of_one_learner_tells_that_one(
    quiz: ProblemSet, bob: User, staff: APIClient, what: str
) -> None:
    assert since(staff, quiz) == []
    TOUCHES[what](bob, quiz)
    assert since(staff, quiz) == ["bob"]


def test_what_touches_the_grades_of_all_tells_all(quiz: ProblemSet, staff: APIClient) -> None:
    group = Group.objects.create(course=quiz.course, name="Monday")
    made = Extension.objects.create(problem_set=quiz, group=group, attempts=1)
    assert since(staff, quiz) == ["bob", "dora"]
    made.delete()
    assert since(staff, quiz) == []
    ProblemSet.objects.filter(pk=quiz.pk).update(pass_mark="1/2")
    assert since(staff, quiz) == ["bob", "dora"]


def test_that_a_set_is_closed_touches_the_grades_of_all(quiz: ProblemSet, staff: APIClient) -> None:
    assert quiz.closes_at is not None
    with clock.at(quiz.closes_at + HOUR):
        assert since(staff, quiz, quiz.closes_at - HOUR) == ["bob", "dora"]
        assert since(staff, quiz, quiz.closes_at + HOUR / 2) == []


def test_what_happens_elsewhere_touches_nothing_here(
    quiz: ProblemSet, problem: Problem, elsewhere: Course, bob: User, alice: User, staff: APIClient
) -> None:
    other = problem_set(elsewhere, "quiz", problem)
    Enrolment.objects.create(course=elsewhere, user=bob)
    handed_in(begun(other, bob))
    is_given(bob, other)
    Attempt.objects.create(problem_set=quiz, learner=bob, is_preview=True)
    assert since(staff, quiz) == []


def test_the_list_goes_by_the_last_touch_and_pages_both_ways(quiz: ProblemSet, staff: APIClient) -> None:
    names = [f"n{number}" for number in range(7)]
    for name in names:
        person(quiz.course, name)
    for moment, touched in ((BEFORE, names[:2]), (NOW, names[2:5]), (NOW - HOUR / 4, names[5:])):
        written_at(Enrolment, moment, user__username__in=touched)
    wanted = [*names[5:], *names[2:5]]
    for room in rooms(quiz):
        found, address, last = [], f"{room}?limit=1&updated_since={SINCE.isoformat().replace('+', '%2B')}", None
        while address:
            last = staff.get(address).json()
            found += last["results"]
            address = last["next"]
        assert [row["learner"] for row in found] == wanted
        assert [row["updated_at"] for row in found] == sorted(row["updated_at"] for row in found)
        assert last is not None
        back = last["results"]
        while last["previous"]:
            last = staff.get(last["previous"]).json()
            back = [*last["results"], *back]
        assert [row["learner"] for row in back] == wanted


def test_without_a_moment_the_whole_book_comes_with_the_times(quiz: ProblemSet, bob: User, staff: APIClient) -> None:
    with clock.at(NOW + HOUR):
        is_given(bob, quiz)
    for room in rooms(quiz):
        rows = {
            row["learner"]: dt.datetime.fromisoformat(row["updated_at"]) for row in staff.get(room).json()["results"]
        }
        assert rows == {"bob": NOW + HOUR, "dora": BEFORE}


@pytest.mark.parametrize("said", ["2026", "yesterday", "2026-11-30T08:00:00"])
def test_a_moment_without_its_zone_is_refused(quiz: ProblemSet, staff: APIClient, said: str) -> None:
    for room in rooms(quiz):
        answer = staff.get(room, {"updated_since": said})
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["updated_since"])


def test_a_course_without_sets_has_its_people(course: Course, staff: APIClient) -> None:
    [row] = staff.get(f"{API}/courses/{course.public_id}/grades").json()["results"]
    assert (row["learner"], row["grades"]) == ("bob", [])
