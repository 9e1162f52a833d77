"""What a balancer asks."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.test import Client
from redis.exceptions import ConnectionError as RedisConnectionError


@pytest.mark.django_db
def test_ready_tells_of_database_and_redis(client: Client) -> None:
    response = client.get("/health/ready")
    assert (response.status_code, response.json()) == (200, {"database": "ok", "redis": "ok"})


@pytest.mark.django_db
def test_without_redis_answers_are_still_taken(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise RedisConnectionError("stopped")

    monkeypatch.setattr(cache, "get", refuse)
    response = client.get("/health/ready")
    assert (response.status_code, response.json()) == (200, {"database": "ok", "redis": "down"})


def test_without_a_database_none_are(client: Client, monkeypatch: pytest.MonkeyPatch, servers: object) -> None:
    def refuse() -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr(connection, "cursor", refuse)
    response = client.get("/health/ready")
    assert (response.status_code, response.json()["database"]) == (503, "down")


def test_alive_asks_nobody_else(client: Client) -> None:
    response = client.get("/health/live")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert "no-store" in response["Cache-Control"]
