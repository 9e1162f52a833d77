"""Mail: where it goes, and what a person reads when it cannot go."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from exercises.models import User
from server.checks import missing_mail
from server.mail import smtp_settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://relay", ("relay", 25, "", "", False, False)),
        (
            "smtp+tls://gym%40school:p%40ss%2Fword@mail.school.example",
            ("mail.school.example", 587, "gym@school", "p@ss/word", True, False),
        ),
        ("smtps://a:b@mail.example:4650", ("mail.example", 4650, "a", "b", False, True)),
    ],
)
def test_one_address_says_all_about_a_mail_server(url: str, expected: tuple[Any, ...]) -> None:
    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")
    assert tuple(smtp_settings(url)[f"EMAIL_{name}"] for name in names) == expected


@pytest.mark.parametrize("url", ["mail.example", "http://mail.example", "smtp://"])
def test_what_is_no_address_of_a_mail_server_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(ValueError, match=r"smtp\+tls://user:password@host:587"):
        smtp_settings(url)


def backend_with(**environment: str) -> str:
    """The mail backend that a process with this environment uses."""
    kept = {name: os.environ[name] for name in ("PATH", "DATABASE_URL", "REDIS_URL") if name in os.environ}
    code = "from server import settings; print(settings.EMAIL_BACKEND, settings.EMAIL_URL and settings.EMAIL_HOST)"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=kept | environment, capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()


def test_no_link_that_opens_an_account_goes_into_the_log_of_a_server_that_strangers_use() -> None:
    assert backend_with() == "django.core.mail.backends.console.EmailBackend"
    assert backend_with(ALLOWED_HOSTS="gym.example") == "server.mail.NoBackend"
    assert backend_with(ALLOWED_HOSTS="gym.example", EMAIL_URL="smtp://relay") == "server.mail.SMTPBackend relay"


def test_a_server_without_mail_is_told_of_it(settings: Settings) -> None:
    assert missing_mail() == []
    settings.EMAIL_BACKEND = "server.mail.NoBackend"
    assert ["EMAIL_URL" in str(warning.hint) for warning in missing_mail()] == [True]


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob", "bob@example.org", "bob learns here")


@pytest.mark.usefixtures("servers")
@pytest.mark.parametrize("backend", ["server.mail.NoBackend", "server.mail.SMTPBackend"])
@pytest.mark.parametrize("address", ["bob@example.org", "nobody@example.org"])
def test_a_mail_that_cannot_be_sent_is_told_and_no_crash(
    bob: User, client: Client, settings: Settings, backend: str, address: str
) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST = backend, "127.0.0.1"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = taken.getsockname()[1]
        answer = client.post("/accounts/password/reset/", {"email": address})
    # The same for an address that nobody has: whether it is known is nobody's business.
    assert answer.status_code == 503
    assert "No mail could be sent" in answer.content.decode()


@pytest.mark.usefixtures("servers")
def test_a_new_password_comes_by_mail_from_the_sender_that_is_set(
    bob: User, client: Client, settings: Settings
) -> None:
    settings.DEFAULT_FROM_EMAIL = "gym@school.example"
    assert client.post("/accounts/password/reset/", {"email": "bob@example.org"}).status_code == 302
    [sent] = mail.outbox
    assert (sent.from_email, sent.to) == ("gym@school.example", ["bob@example.org"])
    assert "/accounts/password/reset/key/" in sent.body
