"""What is answered while Redis or the database is away, the disk is full, or a mail cannot be sent.

Answers need no Redis to be stored. Signing in does: its rate limits are counted there and must not be passed over.
"""

import logging
import sqlite3
from collections.abc import Callable
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from redis.exceptions import RedisError

from frontend.signed_in import as_notice, is_fragment
from server.api.errors import plain
from server.mail import MailNotSent

log = logging.getLogger(__name__)
RETRY_SECONDS = 30
DOOR = "/api/"
FULL = "There is no room left to store anything, so this was not taken. Whoever runs the service has to make room."
AWAY = "The database does not answer, so this was not taken."
#: What PostgreSQL calls a full disk.
_DISK_FULL = "53100"


class OutageMiddleware:
    """Answers 503 with a way out where a view could not do without Redis, the database or a mail server."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Django asks this when a view has raised; None leaves every other exception to it."""
        if isinstance(exception, MailNotSent):
            log.error("%s could send no mail: %s", request.path, exception)
            return render(request, "503-mail.html", status=503)
        if not isinstance(exception, RedisError):
            return no_storage(request, exception)
        log.error("%s needs Redis, which is away: %s", request.path, exception)
        answer = render(request, "503.html", status=503)
        answer["Retry-After"] = str(RETRY_SECONDS)
        return answer


def no_storage(request: HttpRequest, exception: BaseException | None) -> HttpResponse | None:
    """The answer where the database is full or away, with everything that was typed in it, to be sent again: there is
    no other place where it could be kept. None for any other exception."""
    said = _said(exception)
    # A session that cannot be kept is told as one that was ended: behind it stands why.
    while said is None and exception is not None:
        exception = exception.__context__
        said = _said(exception)
    if said is None:
        return None
    log.error("%s could not be done: %s", request.path, exception)
    answer: HttpResponse
    if request.path.startswith(DOOR):
        answer = plain(request, 503, "no-room" if said == FULL else "unavailable", f"{said} Send it again later.")
    elif is_fragment(request):
        # What is typed still stands in its boxes. Scripts show no 5xx.
        answer = as_notice(render(request, "_503-storage.html", {"said": said}, status=409))
    else:
        answer = render(request, "503-storage.html", {"said": said, "typed": _typed(request)}, status=503)
    answer["Retry-After"] = str(RETRY_SECONDS)
    return answer


def _said(exception: BaseException | None) -> str | None:
    """What is to be said of it; None for what is a fault of ours."""
    if not isinstance(exception, OperationalError | InterfaceError):
        return None
    cause: Any = exception.__cause__
    if isinstance(cause, sqlite3.Error):
        # By its number: the words are in no contract. It has extended ones, of which the last byte is the kind.
        kind = (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF
        if kind in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
            return FULL
        # A missing table is a fault of ours, which SQLite tells in the same class.
        return AWAY if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) else None
    return FULL if getattr(cause, "sqlstate", None) == _DISK_FULL else AWAY


def _typed(request: HttpRequest) -> list[tuple[str, str]] | None:
    """The fields of a form that may be sent again from a page as it is; None if there are none such."""
    fields = [(name, text) for name, texts in request.POST.lists() for text in texts if name != "csrfmiddlewaretoken"]
    is_secret = any("password" in name for name, _ in fields)
    return None if request.method != "POST" or request.FILES or is_secret else fields
