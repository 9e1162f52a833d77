"""Mail: which server it goes to, and what a person is told when it cannot go."""

import smtplib
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

#: How the connection is made secure, by the scheme of EMAIL_URL, and the port that is usual for it.
SCHEMES = {
    "smtp": ({"EMAIL_USE_TLS": False, "EMAIL_USE_SSL": False}, 25),
    "smtp+tls": ({"EMAIL_USE_TLS": True, "EMAIL_USE_SSL": False}, 587),
    "smtps": ({"EMAIL_USE_TLS": False, "EMAIL_USE_SSL": True}, 465),
}


class MailNotSent(Exception):
    """A mail that somebody waits for could not be sent."""


def smtp_settings(url: str) -> dict[str, Any]:
    """Django's settings for ``smtp://``, ``smtp+tls://`` or ``smtps://user:password@host:port``. Raises ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise ValueError("EMAIL_URL is no address of a mail server: write smtp+tls://user:password@host:587.")
    security, port = SCHEMES[parts.scheme]
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        **security,
    }


class SMTPBackend(EmailBackend):
    """Django's, with one exception for everything that can keep a mail from going out."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """How many were sent. Raises MailNotSent."""
        try:
            return super().send_messages(email_messages)
        except (smtplib.SMTPException, OSError) as error:
            raise MailNotSent(f"{type(error).__name__}: {error}") from error


class NoBackend(EmailBackend):
    """Where others can reach the pages and no mail server is set: links that open accounts go into no log."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Always raises MailNotSent, if there is anything to send."""
        if email_messages:
            raise MailNotSent("No mail server is set: give EMAIL_URL.")
        return 0
