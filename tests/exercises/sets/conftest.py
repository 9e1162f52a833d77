"""Sets in the course that Alice teaches, with the problems that are built in as far as a test needs them."""

import pytest

from exercises.actions.sets import items
from exercises.models import Course, Problem, ProblemSet, User
from tests.exercises.conftest import problem, published
from tests.exercises.sets.world import made, synced

__all__ = ["problem", "published"]


@pytest.fixture
def problems(db: None) -> list[Problem]:
    """Three built-in problems."""
    return synced()


@pytest.fixture
def quiz(course: Course, alice: User, problems: list[Problem], published: list[str]) -> ProblemSet:
    """A draft of a quiz with two items, open around NOW."""
    kept = made(alice, course)
    items.add_items(actor=alice, problem_set=kept, problems=problems[:2])
    return kept
