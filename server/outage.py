"""What a page says while Redis is away, or when a mail cannot be sent.

Answers need no Redis to be stored. Signing in does: its rate limits are counted there and must not be passed over.
"""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from redis.exceptions import RedisError

from server.mail import MailNotSent

log = logging.getLogger(__name__)
RETRY_SECONDS = 30


class OutageMiddleware:
    """Answers 503 with a way out where a view could not do without Redis or a mail server."""

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
            return None
        log.error("%s needs Redis, which is away: %s", request.path, exception)
        answer = render(request, "503.html", status=503)
        answer["Retry-After"] = str(RETRY_SECONDS)
        return answer
