"""Limits that hold over all web processes: requests add to a shared counter, nothing is read and written back."""

import hashlib
import logging
import time
from collections.abc import Iterable

from django.conf import settings
from django.http import HttpRequest
from redis import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from exercises.limits import MINUTE, MOST_WORK, count
from server.api.errors import NotNow

log = logging.getLogger(__name__)


def address_of(request: HttpRequest | Request) -> str:
    """Where a request comes from: told by the proxy only if there is one, since anybody can send that header."""
    if getattr(settings, "SECURE_PROXY_SSL_HEADER", None):
        return str(request.META.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


class SharedThrottle(BaseThrottle):
    """Refuses with 429 once one of the counters of a request is over its limit."""

    window = MINUTE
    clock = staticmethod(time.time)

    def counters(self, request: Request) -> Iterable[tuple[str, int]]:
        """Names and limits of what is counted."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: APIView) -> bool:
        try:
            # All of them are counted, also when the first is over.
            over = [count(name, self.window, now=self.clock()) > limit for name, limit in self.counters(request)]
        except (RedisError, OSError) as error:
            return self.without_counting(error)
        return not any(over)

    def without_counting(self, error: Exception) -> bool:
        """What to do while nothing can be counted: learners go on."""
        log.warning("Requests are not limited: %s", error)
        return True

    def wait(self) -> float:
        return self.window - self.clock() % self.window


class PasswordThrottle(SharedThrottle):
    """Passwords are tried slowly: per name, and per address, behind which a whole class may sit."""

    window = 300
    per_name = 10
    per_address = 300

    def counters(self, request: Request) -> Iterable[tuple[str, int]]:
        name = request.data.get("username", "") if isinstance(request.data, dict) else ""
        digest = hashlib.sha256(str(name).strip().lower().encode("utf-8", "replace")).hexdigest()
        yield f"password-name:{digest}", self.per_name
        yield f"password-address:{address_of(request)}", self.per_address

    def without_counting(self, error: Exception) -> bool:
        log.error("Nobody can get a token, since tries cannot be counted: %s", error)
        raise NotNow("Passwords cannot be checked right now. Try again in a minute.") from error


class WorkThrottle(SharedThrottle):
    """What costs a row or a drawing, per user: far above what a person does. Pages add to the same count."""

    per_user = MOST_WORK

    def counters(self, request: Request) -> Iterable[tuple[str, int]]:
        yield f"work:{request.user.pk}", self.per_user
