"""A quiz that Bob sits, in Alice's course: Dave assists there, Eve observes, Erin teaches elsewhere."""

from collections.abc import Iterator

import pytest
from django.test import Client

from exercises import clock
from exercises.models import Attempt, Course, Enrolment, Problem, ProblemSet, Role, User
from tests.exercises.conftest import problem
from tests.exercises.courses.sat import NO_EXP, begun, marked
from tests.exercises.courses.world import NOW, person, problem_set

__all__ = ["problem"]


@pytest.fixture(autouse=True)
def _monday() -> Iterator[None]:
    with clock.at(NOW):
        yield


@pytest.fixture
def quiz(course: Course, problem: Problem) -> ProblemSet:
    return problem_set(course, "quiz", problem, problem, weights=("3", "1"))


@pytest.fixture
def attempt(quiz: ProblemSet, bob: User) -> Attempt:
    """Bob made a known mistake at the first item."""
    return marked(begun(quiz, bob), NO_EXP)


@pytest.fixture
def enrolled(course: Course, bob: User) -> Enrolment:
    """Bob's enrolment."""
    return Enrolment.objects.select_related("user").get(course=course, user=bob)


@pytest.fixture
def dave(course: Course) -> User:
    return person(course, "dave", Role.ASSISTANT).user


@pytest.fixture
def eve(course: Course) -> User:
    return person(course, "eve", Role.OBSERVER).user


@pytest.fixture
def as_dave(dave: User) -> Client:
    client = Client()
    client.force_login(dave)
    return client
