"""A quiz and an exam that are open, and the learner who sits them."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from exercises import clock
from exercises.models import Course, ProblemSet, User
from tests.api.conftest import Client
from tests.exercises.courses.world import NOW, problem_set
from tests.exercises.sitting.world import synced


@pytest.fixture(autouse=True)
def _now() -> Any:
    with clock.at(NOW):
        yield


@pytest.fixture
def quiz(course: Course) -> ProblemSet:
    return problem_set(course, "quiz", *synced())


@pytest.fixture
def exam(course: Course) -> ProblemSet:
    return problem_set(course, "exam", *synced())


@pytest.fixture
def api(bob: User, client_of: Client) -> APIClient:
    return client_of(bob)
