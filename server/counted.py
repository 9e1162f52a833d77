"""Requests as they are counted, and what tells the lines of one request from those of another."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

REQUESTS = Counter("gym_requests", "Requests that were answered.", ("door", "method", "status"))
REQUEST_SECONDS = Histogram(
    "gym_request_seconds",
    "Seconds until a request was answered.",
    ("door",),
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
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
