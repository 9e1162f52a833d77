"""Alice writes a problem, Erin teaches elsewhere and writes another; nobody else may write any."""

import pytest
from django.test import Client

from exercises.models import Course, Problem, User
from tests.frontend.authoring.world import draft, signed_in


@pytest.fixture
def erin(elsewhere: Course) -> User:
    return User.objects.get(username="erin")


@pytest.fixture
def as_erin(erin: User) -> Client:
    return signed_in(erin)


@pytest.fixture
def own(alice: User) -> Problem:
    """Alice's draft: the small problem that one begins with."""
    return draft(alice)
