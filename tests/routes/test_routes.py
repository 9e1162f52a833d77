"""Every address of the service, for everybody: who may, gets past the door; for everybody else there is nothing."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from exercises.models import Course, User
from server.api.throttles import KeyThrottle, WorkThrottle
from tests.exercises.conftest import published
from tests.routes.table import DOOR, LIBRARIES, NONE, PAGES, SIGNED
from tests.routes.world import ROLES, World

__all__ = ["published"]
pytestmark = pytest.mark.usefixtures("servers", "published", "elsewhere")
METHODS = ("get", "post", "put", "patch", "delete")
LOGIN = "/accounts/login/"
#: Rows are JSON at the door, and forms on pages.
JSON = "application/json"


def addresses(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, list[str]]]:
    """The names of all addresses, with what stands in each."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from addresses(pattern, inner)
        else:
            assert isinstance(pattern, URLPattern)
            yield f"{space}{pattern.name}", list(pattern.pattern.converters)


EVERY = {name: wanted for name, wanted in addresses(get_resolver()) if not name.startswith(LIBRARIES + NONE + SIGNED)}


def test_every_address_has_its_row() -> None:
    known = {**PAGES, **DOOR}
    assert sorted(set(EVERY) - set(known)) == [], "say in tests/routes/table.py who gets there"
    assert sorted(set(known) - set(EVERY)) == []


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """One person asks everything within a minute here."""
    monkeypatch.setattr(KeyThrottle, "per_key", {"reads": 10**6, "writes": 10**6})
    monkeypatch.setattr(WorkThrottle, "per_user", 10**6)


@pytest.fixture
def world(course: Course, bob: User, alice: User) -> World:
    return World(course, bob, alice)


def ask(world: World, who: str, method: str, address: str, *, form: Mapping[str, Any], is_door: bool) -> HttpResponse:
    """What somebody is answered; whatever it did is undone."""
    with transaction.atomic():
        if is_door:
            key = {"Authorization": f"Bearer {world.tokens[who]}"} if who in world.tokens else {}
            more: dict[str, Any] = {} if method == "get" else {"data": "{}", "content_type": JSON}
            answer = getattr(world.browsers["N"], method)(address, headers=key, **more)
        else:
            answer = getattr(world.browsers[who], method)(address, form if method == "post" else {})
        transaction.set_rollback(True)
    return answer


def faults(world: World, table: Mapping[str, str], *, is_door: bool) -> Iterator[str]:
    """Where somebody gets what they should not, or does not get what they should."""
    for name, row in table.items():
        if name not in EVERY:
            continue
        address = reverse(name, kwargs=world.arguments(name, EVERY[name])) if EVERY[name] else reverse(name)
        address += world.query(name)
        allowed = dict(part.split(":") for part in row.split())
        for method in METHODS:
            # Where there is no such method, it is there for nobody: one person is enough.
            for who in ROLES if method in allowed else "A":
                answer = ask(world, who, method, address, form=world.form(name), is_door=is_door)
                said = f"{method.upper()} {name} ({address}) for {ROLES[who] or 'nobody'}: {answer.status_code}"
                if not is_right(answer, who, allowed.get(method), is_door=is_door):
                    yield said


def is_right(answer: HttpResponse, who: str, allowed: str | None, *, is_door: bool) -> bool:
    """Whether an answer is one that this person should get."""
    status = answer.status_code
    asks_to_sign_in = status == 401 if is_door else (status == 302 and answer["Location"].startswith(LOGIN))
    if allowed is None:  # there is no such method
        return status in (404, 405) or asks_to_sign_in
    if who in allowed:
        return status < 500 and status not in (401, 403, 404, 405) and not asks_to_sign_in
    return asks_to_sign_in or status in (400, 401, 405) if who == "N" else status in (404, 400)


def test_everybody_gets_to_their_pages_and_to_no_other(world: World) -> None:
    found = list(faults(world, PAGES, is_door=False))
    assert not found, "\n".join(found)


def test_every_key_opens_what_its_owner_may_do_and_no_more(world: World) -> None:
    found = list(faults(world, DOOR, is_door=True))
    assert not found, "\n".join(found)
