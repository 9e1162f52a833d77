"""A quiz of two items with Bob's attempt at it, and Dave who assists."""

import pytest

from exercises.models import Attempt, Course, Enrolment, Problem, ProblemSet, Role, User
from tests.exercises.courses.sat import begun
from tests.exercises.courses.world import person, problem_set


@pytest.fixture
def dave(course: Course) -> User:
    return person(course, "dave", Role.ASSISTANT).user


@pytest.fixture
def quiz(course: Course, problem: Problem) -> ProblemSet:
    return problem_set(course, "quiz", problem, problem, weights=("3", "1"))


@pytest.fixture
def attempt(quiz: ProblemSet, bob: User) -> Attempt:
    return begun(quiz, bob)


@pytest.fixture
def enrolled(course: Course, bob: User) -> Enrolment:
    """Bob's enrolment."""
    return Enrolment.objects.select_related("user").get(course=course, user=bob)
