"""Calls to the services of a platform: with an access token of the least scope that is enough, and never for long."""

import hashlib
import json
import logging
import secrets
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode

import jwt
from django.core.cache import cache
from redis import RedisError

from exercises import clock, outgoing
from exercises.actions.lms.tool_keys import set_of, signing_key
from exercises.lti.grade_books import AnswerUnread, read_json
from exercises.lti.services import NextRefused, next_page
from exercises.models import Registration
from exercises.outgoing import Answer, Unreachable
from exercises.sealed import SealBroken, seal, unseal

log = logging.getLogger(__name__)

SECONDS = 5.0
MOST_BYTES = 1_000_000
#: Of one page of a roster: there are platforms that send ten thousand people at once.
MOST_PAGE_BYTES = 8_000_000
MOST_PAGES = 500
#: Seconds of an assertion of ours; and that a token is left alone before it ends.
ASSERTION_SECONDS, SPARE_SECONDS = 120, 60
LONGEST_TOKEN_SECONDS = 3600
_GRANT = "client_credentials"
_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_UNAUTHORIZED, _TOO_MANY = 401, 429


class Unavailable(Exception):
    """The platform gives no sensible answer now, and may later: it is down, overloaded, or does not let us in as a
    whole. ``message`` is for who teaches; ``wait`` are seconds that it asked for."""

    def __init__(self, message: str, *, status: int | None = None, wait: int = 0) -> None:
        super().__init__(message)
        self.message, self.status, self.wait = message, status, wait


class Denied(Exception):
    """The platform says no to this very call, and would say it again."""

    def __init__(self, message: str, *, status: int | None = None, answer: str = "") -> None:
        super().__init__(message)
        self.message, self.status, self.answer = message, status, answer


def call_service(
    registration: Registration,
    method: str,
    url: str,
    *,
    scope: str,
    accept: str = "",
    body: object = None,
    kind: str = "",
    most_bytes: int = MOST_BYTES,
) -> Answer:
    """Call a service of a platform; its answer, of whatever status that is neither 401, 429 nor 5xx.

    With an answer of 401 it is called once more, with a new token. Raises Unavailable, and Denied where no token is to
    be had for that scope, or the platform is switched off here.
    """
    if registration.state != Registration.State.ACTIVE:
        raise Denied(f"{registration} is switched off here.")
    headers = {"Accept": accept} if accept else {}
    sent = None
    if body is not None:
        sent, headers["Content-Type"] = json.dumps(body, allow_nan=False).encode(), kind or "application/json"
    answer = _called(registration, method, url, headers, sent, scope, most_bytes)
    if answer.status == _UNAUTHORIZED:
        _forget(registration, scope)
        answer = _called(registration, method, url, headers, sent, scope, most_bytes)
    if answer.status == _UNAUTHORIZED:
        raise Denied(
            "The platform does not take the access token that it gave us (401), nor a new one: check there whether the "
            "tool may use this service.",
            status=answer.status, answer=answer.text,
        )  # fmt: skip
    _refuse_overload(answer, "The platform")
    return answer


def read_pages(
    registration: Registration, url: str, *, scope: str, accept: str, most: int = MOST_PAGES
) -> Iterator[tuple[object, str]]:
    """The pages of a list, one after the other, each with the address of the next, "" behind the last. Raises
    Unavailable, and Denied for what is no page."""
    seen: set[str] = set()
    while url and url not in seen and len(seen) < most:
        seen.add(url)
        page, following = read_page(registration, url, scope=scope, accept=accept)
        yield page, following
        url = following


def read_page(registration: Registration, url: str, *, scope: str, accept: str) -> tuple[object, str]:
    """One page of a list, and the address of the next. Raises as ``read_pages``."""
    answer = call_service(registration, "GET", url, scope=scope, accept=accept, most_bytes=MOST_PAGE_BYTES)
    if answer.status != 200:
        raise refusal(answer)
    try:
        return read_json(answer.text), next_page(answer.headers.get("link", ""), url)
    except (AnswerUnread, NextRefused) as unread:
        raise Denied(unread.message, status=answer.status, answer=answer.text) from None


def refusal(answer: Answer) -> Denied:
    """What is said of an answer that is a no."""
    words = {
        400: "The platform refused it as wrong (400): mostly that is somebody who is no learner of the course there.",
        403: "The platform does not let this tool do that (403): check there which services it may use.",
        404: "The platform says that there is no such thing any more (404).",
        422: "The platform does not grade this person (422).",
    }
    said = words.get(answer.status, f"The platform answered with the status {answer.status}.")
    return Denied(said, status=answer.status, answer=answer.text)


def _called(
    registration: Registration,
    method: str,
    url: str,
    headers: dict[str, str],
    body: bytes | None,
    scope: str,
    most: int,
) -> Answer:
    headers = {**headers, "Authorization": f"Bearer {_token(registration, scope)}"}
    try:
        return outgoing.call(method, url, headers=headers, body=body, seconds=SECONDS, most_bytes=most)
    except Unreachable as failure:
        raise Unavailable(failure.message) from None


def _token(registration: Registration, scope: str) -> str:
    """A token for one scope, kept until shortly before it ends. Where nothing can be kept, a new one each time."""
    key = _key(registration, scope)
    try:
        if kept := cache.get(key):
            return unseal(kept)
    except (RedisError, OSError, SealBroken) as error:
        log.warning("No access token is kept: %s", error)
    token, seconds = _new_token(registration, scope)
    if seconds > 0:
        try:
            cache.set(key, seal(token), timeout=seconds)
        except (RedisError, OSError) as error:
            log.warning("The access token is not kept: the cache says %s", error)
    return token


def _forget(registration: Registration, scope: str) -> None:
    try:
        cache.delete(_key(registration, scope))
    except (RedisError, OSError) as error:
        log.warning("The access token cannot be forgotten: the cache says %s", error)


def _key(registration: Registration, scope: str) -> str:
    # Of this registration alone, and of what it is known by now: edited, its old tokens are of no use.
    return f"lms-token:{registration.pk}:{_hash_of(registration)}:{scope.rpartition('/')[2]}"


def _hash_of(registration: Registration) -> str:
    """A few digits that change with whatever a token of a registration is asked for by."""
    said = f"{registration.client_id}\n{registration.token_url}\n{registration.token_audience}"
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def _new_token(registration: Registration, scope: str) -> tuple[str, int]:
    """A token, and the seconds that it is kept for. Raises Unavailable, and Denied for a scope that we may not have."""
    if not registration.token_url:
        raise Denied(f"{registration} has no access token URL here: whoever keeps the connection can put it in.")
    form = urlencode(
        {
            "grant_type": _GRANT, "client_assertion_type": _ASSERTION, "client_assertion": _assertion(registration),
            "scope": scope,
        }
    ).encode()  # fmt: skip
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    try:
        answer = outgoing.call(
            "POST", registration.token_url, headers=headers, body=form, seconds=SECONDS, most_bytes=100_000
        )
    except Unreachable as failure:
        raise Unavailable(f"No access token: {failure.message}") from None
    _refuse_overload(answer, "The token address of the platform")
    said = _object(answer)
    token = said.get("access_token")
    if answer.status == 200 and isinstance(token, str) and token and token.isascii() and token.isprintable():
        return token, _seconds(said.get("expires_in"))
    if said.get("error") == "invalid_scope":
        raise Denied(
            f"The platform does not let this tool use “{scope.rpartition('/')[2]}”.", status=answer.status,
            answer=answer.text,
        )  # fmt: skip
    words = said.get("error_description") or said.get("error") or ""
    raise Unavailable(
        f"The platform gave us no access token ({answer.status}{': ' if words else ''}{str(words)[:150]}): check "
        "client id, token URL and our key set there.",
        status=answer.status,
    )


def _assertion(registration: Registration) -> str:
    """Who we are, signed (RFC 7523)."""
    now = int(time.time())
    claims: dict[str, Any] = {
        "iss": registration.client_id, "sub": registration.client_id,
        "aud": registration.token_audience or registration.token_url,
        "iat": now, "exp": now + ASSERTION_SECONDS, "jti": secrets.token_urlsafe(16),
    }  # fmt: skip
    return signed(claims, registration)


def signed(claims: dict[str, Any], registration: Registration) -> str:
    """Claims as a token by the key of ours for a registration. Raises Unavailable where that cannot be opened."""
    try:
        key = signing_key(set_of(registration))
    except SealBroken as broken:
        raise Unavailable(f"Nothing can be signed here: {broken}") from None
    return jwt.encode(claims, key.pem, algorithm="RS256", headers={"kid": key.kid})


def _refuse_overload(answer: Answer, who: str) -> None:
    if answer.status == _TOO_MANY or answer.status >= 500:
        wait = min(_seconds_in(answer.headers.get("retry-after", "")), 6 * 3600)
        said = "asks us to wait" if answer.status == _TOO_MANY else "fails"
        raise Unavailable(f"{who} {said} ({answer.status}).", status=answer.status, wait=wait)


def _seconds_in(after: str) -> int:
    """The seconds of a ``Retry-After``, which may be a date as well (RFC 9110); 0 for anything else."""
    if after.isdecimal() and after.isascii() and len(after) < 9:
        return int(after)
    try:
        until = parsedate_to_datetime(after)
        return max(0, int((until - clock.now()).total_seconds()))
    except (ValueError, TypeError, OverflowError):  # also a date without a zone
        return 0


def _object(answer: Answer) -> dict[str, Any]:
    try:
        said = read_json(answer.text)
    except AnswerUnread:
        return {}
    return said if isinstance(said, dict) else {}


def _seconds(said: object) -> int:
    seconds = said if isinstance(said, int | float) and not isinstance(said, bool) else 0
    return int(max(0, min(seconds, LONGEST_TOKEN_SECONDS) - SPARE_SECONDS)) if seconds == seconds else 0
