"""What the door says on pages of its own: what is wrong and what to do, or the next step of a launch."""

import logging
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from exercises.lti.reading import is_web_address
from exercises.lti.refusals import LaunchRefused
from server.lti.frames import ANYBODY, shown_by

log = logging.getLogger(__name__)


def home_of(request: HttpRequest) -> str:
    """Our own origin, as the request has it; the host is one that is allowed."""
    return f"{request.scheme}://{request.get_host()}"


def page(
    request: HttpRequest, name: str, context: dict[str, Any], *, origins: Iterable[str], status: int = 200
) -> HttpResponse:
    """A page of the door, which these origins may show in a frame."""
    response = render(request, f"lti/{name}.html", context, status=status)
    shown_by(response, origins)
    response["Cache-Control"] = "no-store"
    return response


def refused_page(
    request: HttpRequest, refused: LaunchRefused, *, origins: Iterable[str] = ANYBODY, status: int = 400
) -> HttpResponse:
    """What is wrong, what to do about it, and the way back to the platform where it named one.

    Nothing on it belongs to anybody and nothing can be pressed, so any site may show it: a platform that is not known
    here is to be told so inside its own frame.
    """
    log.warning("A launch was refused (%s): %s", refused.reason, refused.message)
    back = getattr(refused, "return_url", "")
    context = {
        "refused": refused,
        "back": _with_message(back, refused.message) if is_web_address(back) else "",
    }
    return page(request, "refused", context, origins=origins, status=status)


def _with_message(address: str, message: str) -> str:
    """The way back, with the words that the platform may show (LTI 1.3, 5.3.7)."""
    parts = urlsplit(address)
    said = [*parse_qsl(parts.query, keep_blank_values=True), ("lti_errormsg", message)]
    return urlunsplit(parts._replace(query=urlencode(said)))
