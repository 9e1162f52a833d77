"""Cookies inside pages of other sites: `Partitioned`, one jar for each site that shows us in a frame.

Browsers that block third-party cookies keep these. They are `Secure`, which browsers take on plain HTTP from localhost
alone; the prefix `__Host-`, by which no neighbour below our domain can plant one, takes HTTPS everywhere.
"""

from http.cookies import Morsel
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

#: Seconds that the cookie of a flow is kept: as long as the flow.
FLOW_SECONDS = 600

# Python knows this attribute from 3.14 on.
_known = cast("Any", Morsel)
_known._reserved.setdefault("partitioned", "Partitioned")  # noqa: SLF001 - there is no public way
_known._flags.add("partitioned")  # noqa: SLF001


def frame_cookie() -> str:
    """The name of the cookie of a session inside a frame: another one than that of ordinary sessions, which would be
    sent beside it where platform and service belong to one site."""
    return f"{_prefix()}gym-frame"


def partition(morsel: "Morsel[str]") -> None:
    """Let a cookie be kept and sent inside a frame of another site."""
    morsel["samesite"] = "None"
    morsel["secure"] = True
    morsel["path"] = "/"
    morsel["domain"] = ""
    morsel["partitioned"] = True


def remember_flow(response: HttpResponseBase, state_digest: str, secret: str) -> None:
    """Let this browser keep what shows later that the flow was begun in it."""
    name = _flow_cookie(state_digest)
    response.set_cookie(name, secret, max_age=FLOW_SECONDS, httponly=True)
    partition(response.cookies[name])


def flow_secret(request: HttpRequest, state_digest: str) -> str:
    """What this browser kept of a flow; "" if it kept nothing."""
    return request.COOKIES.get(_flow_cookie(state_digest), "")


def forget_flow(response: HttpResponseBase, state_digest: str) -> None:
    """The flow is over."""
    name = _flow_cookie(state_digest)
    response.delete_cookie(name)
    partition(response.cookies[name])


def _flow_cookie(state_digest: str) -> str:
    # One for each flow: several frames of one page may be launched at once.
    return f"{_prefix()}gym-flow-{state_digest[:16]}"


def _prefix() -> str:
    return "__Host-" if settings.HTTPS else ""
