"""Bob sits a quiz and an exam of Alice's course; nobody waits for a worker."""

from collections.abc import Iterator

import pytest
from django.test import Client

from exercises import clock
from exercises.actions.sitting.begin import begin_attempt
from exercises.models import Attempt, ProblemSet, User
from frontend.views.sitting import check as check_views
from tests.exercises.sitting.conftest import dave, eve, exam, practice, quiz
from tests.exercises.sitting.world import NOW, fixed

__all__ = ["dave", "eve", "exam", "practice", "quiz"]


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch, published: list[str]) -> Iterator[None]:
    monkeypatch.setattr(check_views, "WAIT", 0)
    with clock.at(NOW):
        yield


@pytest.fixture
def quizzed(quiz: ProblemSet, bob: User) -> Attempt:
    """Bob's attempt at the quiz."""
    return fixed(begin_attempt(learner=bob, problem_set=quiz))


@pytest.fixture
def examined(exam: ProblemSet, bob: User) -> Attempt:
    """Bob's attempt at the exam."""
    return fixed(begin_attempt(learner=bob, problem_set=exam))


@pytest.fixture
def practised(practice: ProblemSet, bob: User) -> Attempt:
    """Bob's attempt at the set for practice."""
    return fixed(begin_attempt(learner=bob, problem_set=practice))


def client_of(user: User) -> Client:
    """Somebody signed in."""
    client = Client()
    client.force_login(user)
    return client
