"""The small world of launches: a forging platform, its registration, and the course that it leads to."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from exercises import clock
from exercises.models import Context, Course, Deployment, Registration, ResourceLink, User
from tests.exercises.conftest import published
from tests.exercises.courses.world import NOW
from tests.lti.platform import FakePlatform, registered
from tests.lti.services import Services, connected, member

__all__ = ["published"]


@pytest.fixture
def platform(settings: Any) -> Iterator[FakePlatform]:
    """A platform on loopback, which is called here and nowhere else."""
    settings.ALLOW_PRIVATE_ADDRESSES = True
    made = FakePlatform()
    yield made
    made.stop()


@pytest.fixture
def registration(db: None, platform: FakePlatform, published: list[str]) -> Registration:
    """The platform, registered, with one approved deployment."""
    return registered(platform)


@pytest.fixture
def lms_context(registration: Registration, course: Course) -> Context:
    """The course of the platform, connected with the course that Alice teaches."""
    deployment = Deployment.objects.get(registration=registration)
    return Context.objects.create(deployment=deployment, context_id="course-1", course=course)


@pytest.fixture
def link(lms_context: Context) -> ResourceLink:
    """A link in it that opens nothing yet."""
    return ResourceLink.objects.create(context=lms_context, link_id="link-1")


@pytest.fixture
def services(platform: FakePlatform) -> Services:
    """The services of the platform."""
    return Services(platform)


@pytest.fixture
def served(lms_context: Context, services: Services, bob: User) -> Context:
    """The course of the platform with its services; Bob has been launched from it, as "7"."""
    member(connected(lms_context, services), bob, "7")
    return lms_context


@pytest.fixture
def noon() -> Iterator[None]:
    """The Monday noon at which the sets of the small world are open."""
    with clock.at(NOW):
        yield


@pytest.fixture
def browser_of() -> Any:
    """Another browser at each call."""
    return Client


@pytest.fixture
def operator(db: None) -> User:
    """Whoever runs the service."""
    return User.objects.create_user("oscar", password="oscar runs it", is_staff=True)
