"""Alice's course with everybody in it: Dave assists, Eve looks on, Bob learns; Erin teaches elsewhere."""

import pytest
from django.test import Client

from exercises.models import Course, Group, Problem, ProblemSet, Role, User
from tests.exercises.courses.world import NOW, person, problem_set
from tests.exercises.sets.world import synced
from tests.frontend.sets.world import People


@pytest.fixture
def problems(db: None) -> list[Problem]:
    """Three built-in problems."""
    return synced()


@pytest.fixture
def quiz(course: Course, problems: list[Problem]) -> ProblemSet:
    """A published quiz of two items, open for a day around NOW, and in a group that Bob is not in, another one."""
    return problem_set(course, "quiz", *problems[:2], instructions="Use $\\ln$.\n\n<script>alert(1)</script>")


@pytest.fixture
def people(course: Course, elsewhere: Course, alice: User, bob: User, charlie: User) -> People:
    """One client each."""
    erin = User.objects.get(username="erin")
    dave = person(course, "dave", Role.ASSISTANT).user
    eve = person(course, "eve", Role.OBSERVER).user
    clients = {"nobody": Client()}
    for user in (charlie, erin, eve, bob, dave, alice):
        clients[user.username] = Client()
        clients[user.username].force_login(user)
    return clients


@pytest.fixture
def draft(course: Course, problems: list[Problem]) -> ProblemSet:
    """A quiz that is not published."""
    return problem_set(course, "quiz", problems[0], title="A draft", published_at=None)


@pytest.fixture
def others(course: Course, problems: list[Problem]) -> ProblemSet:
    """A published quiz for a group that Bob is not in."""
    made = problem_set(course, "quiz", problems[0], title="For Monday")
    made.groups.add(Group.objects.create(course=course, name="Monday"))
    return made


@pytest.fixture
def practice(course: Course, problems: list[Problem]) -> ProblemSet:
    """A published practice set of two items."""
    return problem_set(course, "practice", *problems[:2], closes_at=None, opens_at=NOW)
