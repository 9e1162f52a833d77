"""Bob with all that is kept of him."""

import pytest

from exercises.models import Course, Problem, User
from tests.exercises.conftest import problem, published
from tests.exercises.privacy.world import Bobs, filled

__all__ = ["problem", "published"]


@pytest.fixture
def bobs(course: Course, bob: User, alice: User, problem: Problem, published: list[str]) -> Bobs:
    return filled(course, bob, alice, problem)
