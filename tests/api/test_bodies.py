"""What is sent: in pieces, and with what is JSON and no text."""

from io import BytesIO
from typing import Any

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from exercises.models import Course, Group, User
from tests.api.conftest import Client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]
COURSES = "/api/v1/courses"


def in_pieces(client: APIClient, body: bytes, **environ: Any) -> Any:
    """What is answered to a body that came chunked, as gunicorn hands it on."""
    said = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": BytesIO(body), "wsgi.input_terminated": True, **environ}
    return client.generic("POST", COURSES, content_type="application/json", **said)


def test_a_body_that_comes_in_pieces_is_read(alice: User, client_of: Client) -> None:
    answer = in_pieces(client_of(alice), b'{"title": "In pieces"}')
    assert (answer.status_code, answer.json()["title"]) == (201, "In pieces")
    assert Course.objects.filter(title="In pieces").exists()


def test_a_body_in_pieces_is_held_to_the_same_size(alice: User, client_of: Client, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    answer = in_pieces(client_of(alice), b'{"title": "' + b"x" * 200 + b'"}')
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_a_body_without_an_end_is_not_taken_for_an_empty_one(alice: User, client_of: Client) -> None:
    answer = in_pieces(client_of(alice), b'{"title": "In pieces"}', **{"wsgi.input_terminated": False})
    assert (answer.status_code, "Content-Length" in answer.json()["detail"]) == (400, True)
    assert not Course.objects.filter(title="In pieces").exists()


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("jobs", rb'{"kind": "\ud800", "text": "username\nbob\n"}'),
        ("problem-sets", rb'{"title": "A set", "mode": "\udfff"}'),
        ("webhooks", rb'{"url": "https://hooks.example/", "types": ["\ud800"]}'),
        ("groups", rb'{"name": "Monday", "\ud800": 1}'),
    ],
)
def test_half_a_character_is_refused_wherever_it_stands(
    course: Course, alice: User, client_of: Client, address: str, body: bytes
) -> None:
    answer = client_of(alice).post(f"{COURSES}/{course.public_id}/{address}", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse-error")
    assert "half a character" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("address", "body", "name"),
    [
        ("jobs", b'{"kind": "roster-import", "text": "a", "kind": "grade-import"}', "'kind'"),
        ("groups", b'{"name": "Monday", "name": "Monday"}', "'name'"),
        ("problem-sets", b'{"title": "A set", "policy": {"mode": "quiz", "mode": "exam"}}', "'mode'"),
        ("groups", rb'{"name": "Monday", "\ud800": 1, "\ud800": 1}', r"'\ud800'"),
    ],
)
def test_what_says_one_thing_twice_is_refused_wherever_it_stands(
    course: Course, alice: User, client_of: Client, address: str, body: bytes, name: str
) -> None:
    """Readers differ in which of both they take: what was meant would be anybody's guess."""
    answer = client_of(alice).post(f"{COURSES}/{course.public_id}/{address}", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse-error")
    assert f"{name} twice" in answer.json()["detail"]
    assert not Group.objects.exists()
