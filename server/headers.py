"""Headers that Django has no setting for."""

import re
import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from server import logs

PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()" for feature in ("camera", "geolocation", "microphone", "payment", "usb", "browsing-topics")
)
PRIVATE = "private, no-store"


class PermissionsPolicyMiddleware:
    """Tells the browser that no page here wants a camera, a position or any other device."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response


class PrivateMiddleware:
    """Has nobody keep what was answered to somebody: after they signed out, "back" would show it to the next one at
    that machine. Views that say themselves what may be kept are left to it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.COOKIES or "Authorization" in request.headers:
            # A program may ask again with the tag of what it has.
            response.setdefault("Cache-Control", "private, no-cache" if response.has_header("ETag") else PRIVATE)
        return response


class RequestIdMiddleware:
    """Gives each request an id, or keeps the one that it came with, and answers with it: whoever reports a fault names
    it, and whoever runs the service finds it."""

    given = re.compile(r"[A-Za-z0-9._-]{1,64}")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        said = request.headers.get("X-Request-Id", "")
        request_id = said if self.given.fullmatch(said) else uuid.uuid4().hex
        request.request_id = request_id  # type: ignore[attr-defined]
        told = logs.request_id.set(request_id)
        try:
            response = self.get_response(request)
        finally:
            logs.request_id.reset(told)
        response["X-Request-Id"] = request_id
        return response
