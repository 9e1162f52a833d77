"""Limits are counted for all threads and processes together: as many get through as may, however many come at once."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client as Browser
from rest_framework.test import APIClient

from exercises.actions import issue_token
from exercises.models import User
from exercises.scopes import SCOPES
from server.api.throttles import KeyThrottle, SharedThrottle, WorkThrottle
from tests.api.conftest import Client

pytestmark = pytest.mark.usefixtures("servers", "_stopped_clock")
NOWHERE = "/api/v1/problems/nowhere/variants"
AT_ONCE, ALTOGETHER, LIMIT = 20, 100, 30


@pytest.fixture
def _stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window ends while a test counts."""
    monkeypatch.setattr(SharedThrottle, "clock", staticmethod(lambda: 1_000_000.0))


def together(do: Callable[[int], int]) -> Counter[int]:
    """What a hundred calls answer, twenty at a time."""
    gate = threading.Barrier(AT_ONCE)

    def one(number: int) -> int:
        try:
            if number < AT_ONCE:
                gate.wait(timeout=20)
            return do(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(pool.map(one, range(ALTOGETHER)))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("which", ["of the key", "of the person"])
def test_of_a_hundred_posts_at_a_limit_exactly_the_limit_gets_through(
    which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = User.objects.create_user("bob")
    if which == "of the key":
        monkeypatch.setattr(KeyThrottle, "per_key", {"reads": 5, "writes": LIMIT})
    else:
        monkeypatch.setattr(WorkThrottle, "per_user", LIMIT)
    shared = issue_token(user=bob)[0]
    # Of one person by many tokens, or many requests by one.
    tokens = [shared if which == "of the key" else issue_token(user=bob)[0] for _ in range(AT_ONCE)]

    def post(number: int) -> int:
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {tokens[number % AT_ONCE]}")
        return client.post(NOWHERE).status_code

    assert together(post) == {404: LIMIT, 429: ALTOGETHER - LIMIT}


@pytest.mark.django_db(transaction=True)
def test_of_many_sign_ins_with_wrong_passwords_at_once_ten_are_tried() -> None:
    User.objects.create_user("bob", password="bob learns here")

    def sign_in(number: int) -> int:
        said = {"login": "bob", "password": f"guess {number}"}
        html = Browser().post("/accounts/login/", said).content.decode()
        return 429 if "Too many" in html else 401

    assert together(sign_in)[401] <= 10
    right = Browser().post("/accounts/login/", {"login": "bob", "password": "bob learns here"})
    assert right.status_code == 200
    assert "Too many" in right.content.decode()


def test_reads_and_writes_of_a_key_are_counted_apart_and_told(
    bob: User, client_of: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KeyThrottle, "per_key", {"reads": 2, "writes": 1})
    api = client_of(bob)
    first, second, third = (api.get("/api/v1/skills") for _ in range(3))
    assert first["RateLimit-Policy"] == '"reads";q=2;w=60'
    assert first["RateLimit"] == '"reads";r=1;t=20'
    assert second["RateLimit"] == '"reads";r=0;t=20'
    assert (third.status_code, third.json()["code"]) == (429, "throttled")
    assert int(third["Retry-After"]) == 20
    written = api.post(NOWHERE)
    assert written.status_code == 404
    assert written["RateLimit"] == '"writes";r=0;t=20'
    assert written["RateLimit-Policy"] == '"writes";q=1;w=60, "work";q=120;w=60'
    assert api.post(NOWHERE).status_code == 429
    assert client_of(bob, *SCOPES).get("/api/v1/skills").status_code == 200  # another key of the same person
