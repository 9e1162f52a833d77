"""Sessions inside a frame of a platform: a cookie of their own, and that platform alone may show them."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.contrib.sessions.middleware import SessionMiddleware
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from exercises.lti.launch import Launch
from exercises.lti.reading import origin_of
from exercises.models import Registration
from server.lti.cookies import frame_cookie, partition

#: Where a session keeps what its launch brought.
KEPT = "lti"
#: Of that: that the session is an ordinary one, which frames of the platform have as well.
SHARED = "shared"
#: Any page of any site: for words that belong to nobody and forms there are none of.
ANYBODY = ("*",)
#: What browsers call a page inside another one.
FRAMES = {"iframe", "frame", "embed", "object"}


class FrameSessionMiddleware(SessionMiddleware):
    """Django's sessions, but for requests that bring the cookie of a frame: those have the session of the frame.

    A page at the top of a window never has, whatever cookies come along: where platform and service belong to one site,
    both do.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Find the session."""
        key = request.COOKIES.get(frame_cookie())
        if not key or request.headers.get("Sec-Fetch-Dest") == "document":
            super().process_request(request)
            _remember_other(request, key)
            return
        _be_framed(request)
        _remember_other(request, request.COOKIES.get(settings.SESSION_COOKIE_NAME))
        request.session = self.SessionStore(key)
        # The name under which Django looks whether there is a cookie to delete.
        request.COOKIES[settings.SESSION_COOKIE_NAME] = key

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Save the session, and let every cookie be one that a frame keeps."""
        answer = super().process_response(request, response)
        if not is_framed(request):
            return answer
        if settings.SESSION_COOKIE_NAME in answer.cookies:
            given = answer.cookies.pop(settings.SESSION_COOKIE_NAME)
            answer.set_cookie(frame_cookie(), given.value, max_age=given["max-age"] or None, httponly=True)
            answer.cookies[frame_cookie()]["expires"] = given["expires"]
            if not given.value:
                answer.cookies[frame_cookie()]["max-age"] = 0
        for morsel in answer.cookies.values():
            partition(morsel)
        return answer


class FrameMiddleware:
    """Lets the pages of such a session be shown by the platform that launched it, and by nobody else.

    Where a frame has lost its session, it says so: the page to sign in is shown in no frame, and an empty frame says
    nothing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if _is_lost(request, response):
            over = render(request, "lti/over.html", status=401)
            shown_by(over, ANYBODY)
            return over
        if origins := _shown_to(request):
            shown_by(response, origins)
        return response


def is_framed(request: HttpRequest) -> bool:
    """Whether the request belongs to a session inside a frame."""
    return bool(getattr(request, "is_framed", False))


def comes_from_frame(request: HttpRequest, launch: Launch) -> bool:
    """Whether a launch is shown in a frame: the browser says so itself; the platform, where a browser does not."""
    kind = request.headers.get("Sec-Fetch-Dest", "")
    if kind:
        return kind in FRAMES
    return launch.document_target in {"iframe", "frame"}


def is_of_one_site(request: HttpRequest) -> bool:
    """Whether a launch comes from a platform that belongs to one site with us: frames of it keep ordinary cookies, and
    a second jar beside them would hide now the one person and now the other."""
    return request.headers.get("Sec-Fetch-Site") == "same-site"


@receiver(user_logged_out)
def end_other_session(sender: object, request: HttpRequest | None, **_: object) -> None:
    """End the session in the other jar as well: whoever signs out is nobody any more in this browser."""
    if other := getattr(request, "other_session", None):
        import_module(settings.SESSION_ENGINE).SessionStore(other).delete()


def enter_frame(request: HttpRequest) -> None:
    """From now on the request belongs to a session inside a frame: the one it brought, else a new one. An ordinary
    session of this browser stays what it is."""
    if not is_framed(request):
        _be_framed(request)
        request.session = type(request.session)(None)


def may_show(registration: Registration, *addresses: str) -> list[str]:
    """The origins of a platform's pages, of which some are told by the addresses of a launch."""
    known = (registration.login_url, registration.issuer, *registration.frame_origins)
    return [origin for origin in dict.fromkeys(map(origin_of, (*addresses, *known))) if origin]


def shown_by(response: HttpResponseBase, origins: Iterable[str]) -> None:
    """Let pages of these origins show a response in a frame."""
    marked: Any = response
    marked._csp_replace = {**getattr(response, "_csp_replace", {}), "frame-ancestors": list(origins)}  # noqa: SLF001
    marked.xframe_options_exempt = True


def _is_lost(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether a page in a frame belongs to nobody and is none of the door. What leads elsewhere shows nothing yet."""
    if request.headers.get("Sec-Fetch-Dest") not in FRAMES or 300 <= response.status_code < 400:
        return False
    return not getattr(response, "xframe_options_exempt", False) and not request.user.is_authenticated


def _shown_to(request: HttpRequest) -> list[str]:
    """The origins that may show the answer in a frame; most requests have not even a look at their session for it."""
    if not is_framed(request) and request.headers.get("Sec-Fetch-Dest") not in FRAMES:
        return []
    kept = request.session.get(KEPT, {})
    return kept.get("origins", []) if is_framed(request) or kept.get(SHARED) else []


def _remember_other(request: HttpRequest, key: str | None) -> None:
    marked: Any = request
    marked.other_session = key


def _be_framed(request: HttpRequest) -> None:
    marked: Any = request
    marked.is_framed = True
