"""Limits that hold over all web processes: requests add to a shared counter, nothing is read and written back."""

import logging
import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from redis import RedisError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from exercises.limits import MINUTE, MOST_PASSWORDS, MOST_WORK, PASSWORD_WINDOW, count, password_counter
from server.api.errors import NotNow
from server.api.keys import Key
from server.callers import address_of

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Counted:
    """One counter of a request, after it was counted."""

    policy: str
    limit: int
    used: int
    window: int
    now: float

    @property
    def left(self) -> int:
        """How many more there may be in this window."""
        return max(self.limit - self.used, 0)

    @property
    def resets(self) -> int:
        """Seconds until the next window, at least 1."""
        return max(1, math.ceil(self.window - self.now % self.window))


class SharedThrottle(BaseThrottle):
    """Refuses with 429 once one of the counters of a request is over its limit."""

    window = MINUTE
    policy = "requests"
    clock = staticmethod(time.time)

    def counters(self, request: Request) -> Iterable[tuple[str, int]]:
        """Names and limits of what is counted."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: APIView) -> bool:
        now = self.clock()
        try:
            # All of them are counted, also when the first is over.
            counted = [
                Counted(self.policy, limit, count(name, self.window, now=now), self.window, now)
                for name, limit in self.counters(request)
            ]
        except (RedisError, OSError) as error:
            return self.without_counting(error)
        _remember(request, counted)
        return all(one.used <= one.limit for one in counted)

    def without_counting(self, error: Exception) -> bool:
        """What to do while nothing can be counted: learners go on."""
        log.warning("Requests are not limited: %s", error)
        return True

    def wait(self) -> float:
        return self.window - self.clock() % self.window


class KeyThrottle(SharedThrottle):
    """What one key asks for: reads and writes apart, so that a program that reads a lot can still write."""

    per_key: Mapping[str, int] = {"reads": 1200, "writes": 600}

    def counters(self, request: Request) -> Iterable[tuple[str, int]]:
        self.policy = "reads" if request.method in SAFE_METHODS else "writes"
        if isinstance(request.auth, Key):
            yield f"{self.policy}:{request.auth.name}", self.per_key[self.policy]


class PasswordThrottle(SharedThrottle):
    """Passwords are tried slowly: per name, and per address, behind which a whole class may sit."""

    policy = "passwords"
    window = PASSWORD_WINDOW
    per_name = MOST_PASSWORDS
    per_address = 300

    def counters(self, request: Request) -> Iterable[tuple[str, int]]:
        name = request.data.get("username", "") if isinstance(request.data, dict) else ""
        yield password_counter(str(name)), self.per_name
        yield f"password-address:{address_of(request)}", self.per_address

    def without_counting(self, error: Exception) -> bool:
        log.error("Nobody can get a token, since tries cannot be counted: %s", error)
        raise NotNow("Passwords cannot be checked right now. Try again in a minute.") from error


class WorkThrottle(SharedThrottle):
    """What costs a row or a drawing, per user: far above what a person does. Pages add to the same count."""

    policy = "work"
    per_user = MOST_WORK

    def counters(self, request: Request) -> Iterable[tuple[str, int]]:
        if request.method not in SAFE_METHODS:
            yield f"work:{request.user.pk}", self.per_user


def headers_of(request: Request) -> dict[str, str]:
    """What a program is told of the limits that it is nearest to (draft-ietf-httpapi-ratelimit-headers)."""
    counted: list[Counted] = getattr(request, "counted", [])
    if not counted:
        return {}
    nearest = min(counted, key=lambda one: one.left / one.limit)
    return {
        "RateLimit-Policy": ", ".join(f'"{one.policy}";q={one.limit};w={one.window}' for one in counted),
        "RateLimit": f'"{nearest.policy}";r={nearest.left};t={nearest.resets}',
    }


def _remember(request: Request, counted: list[Counted]) -> None:
    request.counted = [*getattr(request, "counted", []), *counted]  # type: ignore[attr-defined]
