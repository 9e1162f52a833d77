"""What every answer tells a browser to refuse."""

import re

import pytest
from django.test import Client

from exercises.models import User

pytestmark = pytest.mark.django_db


def directives(client: Client, path: str) -> dict[str, str]:
    policy = client.get(path)["Content-Security-Policy"]
    return {name: value for name, _, value in (part.strip().partition(" ") for part in policy.split(";"))}


def test_nothing_inline_and_nothing_foreign_runs(client: Client) -> None:
    policy = directives(client, "/accounts/login/")
    assert policy["default-src"] == "'none'"
    assert policy["style-src"] == "'self'"
    assert re.fullmatch(r"'self'( 'nonce-[\w+/=-]+')?", policy["script-src"])
    assert "unsafe" not in " ".join(policy.values())
    assert {policy["frame-ancestors"], policy["base-uri"], policy["object-src"]} == {"'none'"}


def test_the_other_headers_are_there(client: Client) -> None:
    answer = client.get("/health/live")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in answer["Permissions-Policy"]


@pytest.mark.parametrize("path", ["/accounts/email/", "/accounts/second-step/", "/api/v1/courses", "/no-such-page"])
def test_nobody_keeps_what_was_answered_to_somebody(client: Client, alice: User, path: str) -> None:
    client.force_login(alice)
    assert "no-store" in client.get(path)["Cache-Control"]


def test_what_is_for_everybody_may_be_kept(client: Client) -> None:
    assert not client.get("/no-such-page").has_header("Cache-Control")
