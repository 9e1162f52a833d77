"""Requests and refused sign-ins as they are counted."""

import logging
import time
from collections.abc import Callable
from typing import Any

from allauth.mfa.signals import authentication_failed
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

log = logging.getLogger(__name__)

REQUESTS = Counter("gym_requests", "Requests that were answered.", ("door", "method", "status"))
REQUEST_SECONDS = Histogram(
    "gym_request_seconds",
    "Seconds until a request was answered.",
    ("door",),
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
REFUSED = Counter("gym_sign_in_refused", "Passwords and codes of a second step that were wrong.", ("step",))
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_DOORS = {"api": "api", "oauth": "api", "lti": "lti", "accounts": "accounts", "health": "health", "metrics": "health"}


class CountMiddleware:
    """Counts each request by door, method and status: never by address: of these
    there are as many as anybody asks for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        door = _DOORS.get(request.path_info.lstrip("/").partition("/")[0], "pages")
        method = request.method if request.method in _METHODS else "other"
        REQUESTS.labels(door, method, str(response.status_code)).inc()
        REQUEST_SECONDS.labels(door).observe(time.perf_counter() - began)
        return response


def connect() -> None:
    """Have the signals of the account libraries lead here, by whichever door somebody comes."""
    for step in ("password", "code"):
        REFUSED.labels(step)  # told from the first on: a rate looks at what a figure was before
    user_login_failed.connect(_count_password)
    authentication_failed.connect(_count_code)


def _count_password(**_: Any) -> None:
    REFUSED.labels("password").inc()


def _count_code(user: Any = None, **_: Any) -> None:
    """Whoever gets so far had the password: its owner, who mistyped, or somebody else."""
    REFUSED.labels("code").inc()
    log.warning("A code of a second step was wrong (user %s).", getattr(user, "pk", None))
