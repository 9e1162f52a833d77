"""The small world, with a set that is printed."""

import pytest

from exercises.actions.paper import print_copies
from exercises.models import Course, PaperCopy, Problem, ProblemSet, User
from tests.exercises.conftest import problem, published, variant
from tests.exercises.courses.world import problem_set

__all__ = ["problem", "published", "variant"]


@pytest.fixture
def exam(course: Course, problem: Problem) -> ProblemSet:
    """An exam with the problem `masked` twice, with weights .7 and .3."""
    return problem_set(course, "exam", problem, problem, weights=("0.7", "0.3"))


@pytest.fixture
def copy(exam: ProblemSet, alice: User) -> PaperCopy:
    """The first of three printed copies."""
    run = print_copies(problem_set=exam, made_by=alice, copies=3, seed=1)
    found = PaperCopy.objects.select_related("run__problem_set__course").get(run=run, number=1)
    assert found.attempt is None
    return found
