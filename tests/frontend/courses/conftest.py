"""Everybody of Alice's course: Bob learns, Dave assists, Eve looks on. Charlie learns and Erin teaches elsewhere."""

import pytest
from django.test import Client

from exercises.models import Course, Enrolment, Role, User
from tests.exercises.courses.world import person

#: Nobody, who learns elsewhere, who teaches elsewhere, observer, learner, assistant, instructor.
NAMES = ("nobody", "charlie", "erin", "eve", "bob", "dave", "alice")


@pytest.fixture
def dave(course: Course) -> Enrolment:
    return person(course, "dave", Role.ASSISTANT)


@pytest.fixture
def eve(course: Course) -> Enrolment:
    return person(course, "eve", Role.OBSERVER)


@pytest.fixture
def people(course: Course, elsewhere: Course, dave: Enrolment, eve: Enrolment) -> dict[str, Client]:
    """A browser for each of them, by name."""
    course.join_code = "ABCDEFGH"
    course.save()
    clients = {"nobody": Client()}
    for name in NAMES[1:]:
        clients[name] = Client()
        clients[name].force_login(User.objects.get(username=name))
    return clients


@pytest.fixture
def member(course: Course, bob: User) -> Enrolment:
    """Bob's enrolment."""
    return Enrolment.objects.get(course=course, user=bob)
