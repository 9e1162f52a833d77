"""Sessions that a launch began: good only as long as launches from there are taken."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from exercises.access.lms import is_let_in
from server.lti.frames import KEPT


class LaunchedSessionMiddleware:
    """Ends a session once its platform is switched off, its deployment refused or the connection removed: whoever was
    let in by forged launches would else stay for the rest of the day. One query for who was launched, if it is asked
    who that is; none for anybody else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        marked: Any = request
        marked.user = SimpleLazyObject(partial(_let_in, request))
        return self.get_response(request)


def _let_in(request: HttpRequest) -> Any:
    """Whose session it is, if it is one still."""
    user = get_user(request)
    kept = request.session.get(KEPT) if user.is_authenticated else None
    if not kept or is_let_in(kept.get("registration"), kept.get("deployment", "")):
        return user
    # No signing out, which would end the session in the other jar as well: that one may be by a password.
    request.session.flush()
    return AnonymousUser()
