"""What people and programs are told while the database is full or away: in words, and with what they typed."""

import sqlite3
from typing import Any

import pytest
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import IntegrityError, OperationalError
from django.test import Client, RequestFactory

from exercises.models import Variant
from server.fallen import bad_request, server_error
from server.outage import no_storage
from tests.frontend.world import address, send


def error(code: int) -> OperationalError:
    """As Django tells one of SQLite's."""
    cause = sqlite3.OperationalError("in words")
    cause.sqlite_errorcode = code
    raised = OperationalError("in words")
    raised.__cause__ = cause
    return raised


@pytest.fixture
def _full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: Any) -> None:
        raise error(sqlite3.SQLITE_FULL)

    monkeypatch.setattr("exercises.actions.send_answer", full)


@pytest.mark.usefixtures("servers", "_full")
def test_a_form_that_cannot_be_stored_comes_back_with_what_was_typed(as_bob: Client, variant: Variant) -> None:
    answer = send(as_bob, variant, script=False, p='0.25"')
    page = answer.content.decode()
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert 'name="answer-p" value="0.25&quot;"' in page
    assert f'action="{address("answers", variant)}"' in page
    assert "no room left" in page


@pytest.mark.usefixtures("servers", "_full")
def test_a_script_leaves_what_was_typed_where_it_stands(as_bob: Client, variant: Variant) -> None:
    answer = send(as_bob, variant, p="0.25")
    assert (answer.status_code, answer["HX-Retarget"]) == (409, "#notice")
    assert "no room left" in answer.content.decode()


@pytest.mark.parametrize(
    ("code", "said"), [(sqlite3.SQLITE_FULL, b'"code": "no-room"'), (sqlite3.SQLITE_BUSY, b'"code": "unavailable"')]
)
def test_a_program_is_told_by_a_document(code: int, said: bytes) -> None:
    answer = no_storage(RequestFactory().post("/api/v1/problems"), error(code))
    assert answer is not None
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert said in answer.content


def test_a_password_is_never_written_into_a_page() -> None:
    asked = RequestFactory().post("/accounts/login/", {"login": "bob", "password": "bob-learns"})
    answer = no_storage(asked, error(sqlite3.SQLITE_BUSY))
    assert answer is not None
    assert b"bob-learns" not in answer.content
    assert b"does not answer" in answer.content


def test_what_fails_outside_any_view_is_told_as_well() -> None:
    asked = RequestFactory().post("/", {"text": "what I wrote"})
    try:
        raise error(sqlite3.SQLITE_FULL)
    except OperationalError as full:
        assert b"what I wrote" in server_error(asked).content
        ended = SessionInterrupted("The session was ended.")
        ended.__context__ = full
    assert b"what I wrote" in bad_request(asked, ended).content
    assert bad_request(asked, SessionInterrupted("The session was ended.")).status_code == 400


@pytest.mark.parametrize("fault", [error(sqlite3.SQLITE_ERROR), IntegrityError("twice"), None])
def test_a_fault_of_ours_stays_one(fault: Exception | None) -> None:
    assert no_storage(RequestFactory().get("/"), fault) is None
