"""A course with everybody in it, a quiz whose key was wrong, Bob's answer, and people signed in by name."""

from collections.abc import Callable

import pytest
from django.test import Client

from exercises.models import Course, ProblemSet, ProblemVersion, RegradeEvent, Role, Submission, User
from tests.exercises.courses.world import person
from tests.exercises.regrading.conftest import quiz, wrong
from tests.exercises.regrading.world import RIGHT, answered, made, place, publish
from tests.exercises.world import MASKED

__all__ = ["quiz", "wrong"]
As = Callable[[str], Client]


@pytest.fixture
def everybody(course: Course, elsewhere: Course) -> Course:
    """Alice's course, in which Dave assists and Eve observes; Charlie and Erin are elsewhere."""
    person(course, "dave", Role.ASSISTANT)
    person(course, "eve", Role.OBSERVER)
    return course


@pytest.fixture
def as_person() -> As:
    """A client of somebody by name; of nobody for an empty one."""

    def signed_in(name: str) -> Client:
        client = Client()
        if name:
            client.force_login(User.objects.get(username=name))
        return client

    return signed_in


@pytest.fixture
def submission(everybody: Course, bob: User, quiz: ProblemSet, published: list[str]) -> Submission:
    """Bob's right answer, which the wrong key marked wrong at one step."""
    return answered(place(bob, quiz), RIGHT)


@pytest.fixture
def right(submission: Submission) -> ProblemVersion:
    """The version with the right key."""
    return publish(MASKED)


@pytest.fixture
def event(everybody: Course, alice: User, right: ProblemVersion) -> RegradeEvent:
    """A regrade by the right key whose dry run is done."""
    return made(everybody, alice, right)
