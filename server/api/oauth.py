"""Tokens for systems, by the one grant of OAuth2 in which no person takes part (RFC 6749, section 4.4)."""

import base64
import binascii
import hashlib
import logging
import secrets
from typing import Any
from urllib.parse import unquote_plus

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import View
from oauth2_provider.scopes import BaseScopes
from oauth2_provider.views.mixins import OAuthLibMixin
from redis import RedisError

from exercises.limits import count
from exercises.models import Client
from exercises.scopes import SCOPES
from server.api.keys import CLIENT_PREFIX
from server.callers import address_of

log = logging.getLogger(__name__)

#: Tries within that many seconds: of one client, and from one address. A token holds for an hour.
WINDOW, PER_CLIENT, PER_ADDRESS = 300, 60, 600


class ClientScopes(BaseScopes):
    """What a system may ask for, and gets where it asks for nothing in particular: what it was made for."""

    def get_all_scopes(self) -> dict[str, str]:
        return dict(SCOPES)

    def get_available_scopes(
        self, application: Client | None = None, request: Any = None, *args: Any, **kwargs: Any
    ) -> list[str]:
        return list(application.scopes) if application else []

    def get_default_scopes(
        self, application: Client | None = None, request: Any = None, *args: Any, **kwargs: Any
    ) -> list[str]:
        return self.get_available_scopes(application)


def new_token(request: object, refresh_token: bool = False) -> str:
    """The text of a new token; the library asks."""
    return CLIENT_PREFIX + secrets.token_urlsafe(32)


@method_decorator((csrf_exempt, sensitive_post_parameters("client_secret")), name="dispatch")
class Endpoint(OAuthLibMixin, View):
    """A request of a system that shows its secret. What is wrong is said as RFC 6749 wants it."""

    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """The answer of the library, but for nonsense and for whoever tries too often."""
        try:
            name = _client_id(request)
        except RequestDataTooBig:
            return _refused(413, "invalid_request", "This is more than any request needs, so it was not read.")
        except (SuspiciousOperation, MultiPartParserError):
            name = None
        if name is None or not all(str(value).isprintable() for value in request.POST.values()):
            return _refused(400, "invalid_request", "This cannot be read.")
        over = _is_over(request, name)
        if over is None:
            return _refused(503, "temporarily_unavailable", "Secrets cannot be checked right now. Try in a minute.")
        if over:
            return _refused(
                429, "temporarily_unavailable", "Too many tries. Wait five minutes: a token is for an hour."
            )
        _, headers, body, status = self.ask(request)
        answer = HttpResponse(body or "", status=status)
        for name, value in headers.items():
            answer[name] = value
        answer["Cache-Control"] = "no-store"
        return answer

    def ask(self, request: HttpRequest) -> tuple[Any, dict[str, str], str | None, int]:
        """What the library says."""
        raise NotImplementedError


class Token(Endpoint):
    """A client's id and secret get a token."""

    def ask(self, request: HttpRequest) -> tuple[Any, dict[str, str], str | None, int]:
        return self.create_token_response(request)


class Revoke(Endpoint):
    """A client takes back one of its tokens (RFC 7009)."""

    def ask(self, request: HttpRequest) -> tuple[Any, dict[str, str], str | None, int]:
        return self.create_revocation_response(request)


def _client_id(request: HttpRequest) -> str | None:
    """Who says to be asking, in the header or in the body; None for nonsense, which a database could not look for."""
    kind, _, said = request.headers.get("Authorization", "").partition(" ")
    name = request.POST.get("client_id", "")
    if kind.lower() == "basic":
        try:
            name = unquote_plus(base64.b64decode(said, validate=True).decode()).partition(":")[0]
        except (binascii.Error, ValueError):
            return None
    return name if name.isprintable() else None


def _is_over(request: HttpRequest, name: str) -> bool | None:
    """Whether this is one try too many; None while nothing can be counted."""
    digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()
    try:
        counted = [
            count(f"client:{digest}", WINDOW) > PER_CLIENT,
            count(f"client-address:{address_of(request)}", WINDOW) > PER_ADDRESS,
        ]
    except (RedisError, OSError) as error:
        log.error("No system can get a token, since tries cannot be counted: %s", error)
        return None
    return any(counted)


def _refused(status: int, error: str, detail: str) -> JsonResponse:
    headers = {"Cache-Control": "no-store"}
    if status in (429, 503):
        headers["Retry-After"] = str(WINDOW if status == 429 else 60)
    return JsonResponse({"error": error, "error_description": detail}, status=status, headers=headers)
