"""A quiz, and people by what they are in its course."""

from typing import Any

import pytest
from celery import current_app

from exercises import clock
from exercises.actions.courses.making import CourseFields, create_course
from exercises.models import Course, Problem, ProblemSet, Role, User
from tests.api.sets.world import DAY
from tests.exercises.courses.world import NOW, person, problem_set


@pytest.fixture(autouse=True)
def published(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was sent to workers; none of it reaches a broker."""
    sent: list[Any] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **said: sent.append((name, said)))
    return sent


@pytest.fixture
def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is NOW."""
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture
def quiz(course: Course, problem: Problem) -> ProblemSet:
    """A quiz that is open around NOW."""
    return problem_set(course, ProblemSet.Mode.QUIZ, problem, due_at=NOW + DAY, time_limit=40)


@pytest.fixture
def everybody(course: Course, alice: User, bob: User, charlie: User) -> dict[str, User]:
    """People by what they are in the course, and an instructor of another one."""
    erin = User.objects.create_user("erin", is_instructor=True)
    create_course(author=erin, fields=CourseFields(title="Elsewhere"))
    return {
        "learner": bob, "instructor": alice, "stranger": charlie, "other-instructor": erin,
        "observer": person(course, "olga", Role.OBSERVER).user, "other-learner": person(course, "frida").user,
        "assistant": person(course, "dave", Role.ASSISTANT).user,
    }  # fmt: skip
