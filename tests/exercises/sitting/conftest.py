"""The course in which sets are sat, with Dave who assists and Eve who observes beside the three standing people."""

import pytest

from exercises.models import Course, ProblemSet, Role, User
from tests.exercises.courses.world import person, problem_set
from tests.exercises.sitting.world import synced


@pytest.fixture
def quiz(course: Course) -> ProblemSet:
    """Two items, two tries each: the first worth everything, the second half."""
    return problem_set(course, "quiz", *synced())


@pytest.fixture
def exam(course: Course) -> ProblemSet:
    """Two items, handed in once, told when released."""
    return problem_set(course, "exam", *synced())


@pytest.fixture
def practice(course: Course) -> ProblemSet:
    """Two items, as often as one likes."""
    return problem_set(course, "practice", *synced())


@pytest.fixture
def dave(course: Course) -> User:
    return person(course, "dave", Role.ASSISTANT).user


@pytest.fixture
def eve(course: Course) -> User:
    return person(course, "eve", Role.OBSERVER).user
