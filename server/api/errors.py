"""Errors as problem documents (RFC 9457): one shape for all of them, with a sentence and a stable code."""

import logging
from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, JsonResponse
from redis import RedisError
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import exception_handler

from exercises.actions.exchange.refused import ExchangeRefused
from exercises.refusals import Refused

log = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
#: A refusal that is not listed is a plain 400.
STATUS_OF = {
    "variant-closed": 409,
    "no-more-hints": 409,
    "tried-too-often": 409,
    "left-course": 409,
    "set-not-open": 409,
    "attempt-over": 409,
    "time-not-up": 409,
    "page-out-of-date": 409,
    "no-try-left": 409,
    "not-in-this-set": 409,
    "turn-closed": 409,
    "regrade-refused": 409,
    "report-settled": 412,
    "changed-meanwhile": 412,
    "set-changed": 412,
    "stale-draft": 412,
    "not-published": 409,
    "set-not-ready": 409,
    "key-in-use": 409,
    "code-wanted": 401,
    "wrong-code": 401,
    "key-used-otherwise": 422,
    "nothing-to-draw": 503,
    "problem-broken": 503,
}
_KEPT_HEADERS = ("WWW-Authenticate", "Retry-After")


class WrongPassword(exceptions.APIException):
    """No 403, which the framework would make of it where nobody is authenticated."""

    status_code = 401
    default_code = "wrong-password"
    default_detail = "User name and password do not match."


class NotNow(exceptions.APIException):
    """Something that this needs is down."""

    status_code = 503
    default_code = "unavailable"
    #: Seconds, for ``Retry-After``: the framework's own name.
    wait = 60


class InsufficientScope(exceptions.PermissionDenied):
    """The key is good for other things."""

    default_code = "insufficient-scope"

    def __init__(self, scope: str) -> None:
        super().__init__(f"This key is not good for that: it takes one with the scope {scope}.")
        # What the framework writes into WWW-Authenticate (RFC 6750).
        self.auth_header = f'Bearer realm="api", error="insufficient_scope", scope="{scope}"'


class CourseLimited(exceptions.PermissionDenied):
    """The key is for one course, and this address belongs to none."""

    default_code = "course-limited"
    default_detail = "This key is for one course only, and this address belongs to no course: use another key."


class BadCursor(exceptions.ParseError):
    """A place in a list that was not taken from ``next`` or ``previous`` of that list."""

    default_code = "bad-cursor"
    default_detail = "There is no such place in this list. Begin without `cursor`, and follow `next` as it is given."


class MatchWanted(exceptions.APIException):
    """What would be overwritten was not named."""

    status_code = 428
    default_code = "if-match-wanted"
    default_detail = (
        "Send `If-Match` with the `ETag` that you read, so that nobody's change is overwritten; `*` overwrites any."
    )


class SetAside(exceptions.APIException):
    """Something newer stands where it would have been saved."""

    status_code = 412
    default_code = "set-aside"
    default_detail = (
        "Something newer was saved since you read it, so what you sent was set aside, and nothing is lost. Read the "
        "item again: it is among its `asides`, to be taken up or left."
    )


class NumberWanted(exceptions.APIException):
    """One more attempt would begin, and nobody said that this is meant."""

    status_code = 409
    default_code = "number-wanted"

    def __init__(self, number: int) -> None:
        super().__init__(
            f"Attempt {number - 1} is handed in, and one more is allowed. Send `number`: {number} to begin it."
        )


class Stale(exceptions.APIException):
    """Somebody else has changed it meanwhile."""

    status_code = 412
    default_code = "changed-meanwhile"
    default_detail = "This was changed since you read it. Read it again, and send your change with its new `ETag`."


def told(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an error that is the client's to know about; None for one of ours, which becomes a 500."""
    request: Request | None = context.get("request")
    known = _seen(error)
    if isinstance(known, Refused):
        errors = _by_field(known)
        # What is wrong with a field is wrong with what was sent; else it may be the state of the thing.
        status = 400 if errors and known.code == "regrade-refused" else STATUS_OF.get(known.code, 400)
        return document(request, status, known.code, known.message, errors=errors)
    response = exception_handler(known, context)
    if response is None:
        return None
    errors = response.data if isinstance(known, exceptions.ValidationError) else None
    headers = dict(response.headers)
    return document(request, response.status_code, _code(known), _detail(known), errors=errors, headers=headers)


def _seen(error: Exception) -> Exception:
    """What an error of a library means here."""
    if isinstance(error, RequestDataTooBig):
        return TooLarge()
    if isinstance(error, RedisError):
        log.error("A request needs Redis, which is away: %s", error)
        return NotNow("This cannot be done right now. Try again in a minute.")
    return error


class TooLarge(exceptions.APIException):
    """More than is read."""

    status_code = 413
    default_code = "too-large"
    default_detail = "This is more than any request needs, so it was not read."


def document(
    request: Request | HttpRequest | None,
    status: int,
    code: str,
    detail: str,
    *,
    errors: Any = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """A problem document."""
    kept = {name: value for name, value in (headers or {}).items() if name in _KEPT_HEADERS}
    body = body_of(request, status, code, detail, errors=errors)
    return Response(body, status=status, headers=kept, content_type=CONTENT_TYPE)


def body_of(
    request: Request | HttpRequest | None, status: int, code: str, detail: str, *, errors: Any = None
) -> dict[str, Any]:
    """What stands in a problem document."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "code": code, "detail": detail}
    body["request_id"] = getattr(request, "request_id", "")
    if errors is not None:
        body["errors"] = errors
    return body


def plain(request: HttpRequest, status: int, code: str, detail: str) -> JsonResponse:
    """A problem document where no view of the door has been reached, or one has failed."""
    return JsonResponse(body_of(request, status, code, detail), status=status, content_type=CONTENT_TYPE)


def _by_field(refused: Refused) -> dict[str, list[str]] | None:
    """What a refusal says of each field, in the form in which shapes say it; None where it says nothing of any."""
    faults: dict[str, str] = dict(getattr(refused, "faults", {}))
    if field := getattr(refused, "field", ""):
        faults.setdefault(field, refused.message)
    said = {field or "non_field_errors": [words] for field, words in faults.items()}
    if in_source := [str(fault) for fault in getattr(refused, "source_faults", ())]:
        said["source"] = in_source
    if isinstance(refused, ExchangeRefused) and refused.report:
        said["file"] = [f"{entry.title}: {entry.fault}" for entry in refused.report.faults]
    return said or None


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
