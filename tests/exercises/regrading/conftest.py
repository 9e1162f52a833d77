"""Alice's course with a quiz on a problem whose key is wrong; what goes to a broker is only listed."""

import pytest

from exercises.models import Course, ProblemSet, ProblemVersion
from tests.exercises.conftest import published
from tests.exercises.courses.world import problem_set
from tests.exercises.regrading.world import WRONG, publish

__all__ = ["published"]


@pytest.fixture
def wrong(db: None) -> ProblemVersion:
    """The version with the wrong key, which everything is drawn from."""
    return publish(WRONG)


@pytest.fixture
def quiz(course: Course, wrong: ProblemVersion) -> ProblemSet:
    """A quiz that asks nothing but the problem with the wrong key."""
    return problem_set(course, ProblemSet.Mode.QUIZ, wrong.problem, opens_at=None, closes_at=None)
