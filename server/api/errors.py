"""Errors as problem documents (RFC 9457): one shape for all of them, with a sentence and a stable code."""

from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from exercises.refusals import Refused

CONTENT_TYPE = "application/problem+json"
#: A refusal that is not listed is a plain 400.
STATUS_OF = {
    "variant-closed": 409,
    "no-more-hints": 409,
    "tried-too-often": 409,
    "left-course": 409,
    "nothing-to-draw": 503,
    "problem-broken": 503,
}


class WrongPassword(exceptions.APIException):
    """No 403, which the framework would make of it where nobody is authenticated."""

    status_code = 401
    default_code = "wrong-password"
    default_detail = "User name and password do not match."


class NotNow(exceptions.APIException):
    """Something that this needs is down."""

    status_code = 503
    default_code = "unavailable"


def told(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an error that is the client's to know about; None for one of ours, which becomes a 500."""
    if isinstance(error, Refused):
        return document(STATUS_OF.get(error.code, 400), error.code, error.message)
    if isinstance(error, RequestDataTooBig):
        return document(413, "too-large", "This is more than any answer needs, so it was not read.")
    response = exception_handler(error, context)
    if response is None:
        return None
    errors = response.data if isinstance(error, exceptions.ValidationError) else None
    return document(response.status_code, _code(error), _detail(error), errors=errors, headers=dict(response.headers))


def document(
    status: int, code: str, detail: str, *, errors: Any = None, headers: dict[str, str] | None = None
) -> Response:
    """A problem document."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "code": code, "detail": detail}
    if errors is not None:
        body["errors"] = errors
    kept = {name: value for name, value in (headers or {}).items() if name in ("WWW-Authenticate", "Retry-After")}
    return Response(body, status=status, headers=kept, content_type=CONTENT_TYPE)


def _code(error: Exception) -> str:
    if isinstance(error, exceptions.ValidationError):
        return "invalid"
    if isinstance(error, exceptions.APIException):
        return error.default_code.replace("_", "-")
    return "not-found" if isinstance(error, Http404) else "forbidden"


def _detail(error: Exception) -> str:
    if isinstance(error, exceptions.ValidationError):
        return "Some of what was sent cannot be used; `errors` says which and why."
    if isinstance(error, exceptions.APIException):
        return str(error.detail)
    return str(error) or "There is nothing here for you."
