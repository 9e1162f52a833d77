"""Signing in while Redis is away."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from redis.exceptions import ConnectionError as RedisConnectionError


@pytest.mark.django_db
def test_signing_in_asks_for_patience_instead_of_breaking(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise RedisConnectionError("stopped")

    for name in ("add", "get", "set"):
        monkeypatch.setattr(cache, name, refuse)
    assert client.get("/accounts/login/").status_code == 200
    answer = client.post("/accounts/login/", {"login": "bob", "password": "guessed"})
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert "Try again in half a minute" in answer.content.decode()
