"""The small world, as seen by programs."""

import socket
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from exercises.actions import issue_token
from exercises.models import Course, Problem, User, Variant
from exercises.scopes import SCOPES
from server.api.base import View
from tests.exercises.catalogued import catalogued
from tests.exercises.world import MASKED, c1

Client = Callable[..., APIClient]


@pytest.fixture
def problem(db: None) -> Problem:
    return catalogued({"masked": MASKED})[0]


@pytest.fixture
def variant(problem: Problem, bob: User) -> Variant:
    """Bob's variant of the first worked example."""
    return c1(bob)


@pytest.fixture
def client_of() -> Client:
    """A function that gives a client with a token of the user, or one that says nothing about who it is. The token has
    every scope, or those that are named, and may be limited to a course."""

    def client(user: User | None, *scopes: str, course: Course | None = None) -> APIClient:
        made = APIClient()
        if user is not None:
            token, _ = issue_token(user=user, scopes=scopes or list(SCOPES), course=course)
            made.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        return made

    return client


def after_the_look(monkeypatch: pytest.MonkeyPatch, view: type[View], deed: Callable[[], Any]) -> None:
    """Let something be done between the look of this view at what would be changed and the change: views read what
    was sent in between."""
    read = view.read

    def meanwhile(self: View, *args: Any, **more: Any) -> dict[str, Any]:
        deed()
        return read(self, *args, **more)

    monkeypatch.setattr(view, "read", meanwhile)


@pytest.fixture
def no_redis(settings: Settings) -> None:
    """The cache is at an address where nobody answers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nowhere = f"redis://127.0.0.1:{taken.getsockname()[1]}/0"
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": nowhere}}
