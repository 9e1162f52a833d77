"""What the doors of an attempt share: the place a form came from, and typed text that outlives a session."""

import uuid
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import urlencode

from exercises.actions.typed import Answers
from exercises.loading import problem_of
from exercises.models import AttemptItem, Variant
from exercises.refusals import Refused, TooMuchAtOnce
from frontend.signed_in import View, as_notice, is_fragment
from frontend.typed_form import keep_typed, take_typed, typed_answers
from frontend.typed_number import typed_number
from frontend.variant_page import locale_of

#: Which version the text on the shelf was typed over, by place: an old one must not pass for a new one.
VERSIONS = "sitting-based-on"
MOST_VERSIONS = 5
#: In the address to which somebody comes back who was signed out when they handed in.
WAS_SIGNED_OUT = "signed-out"
SIGNED_OUT = (
    "You have been signed out. What you typed is kept in this browser: sign in again and you will find it here."
)


@dataclass(frozen=True)
class Posted:
    """The form of a place: what was typed, over which version, on which rendered page of which variant."""

    variant: str
    answers: Answers
    based_on: int
    locale: str
    page: str


@dataclass(frozen=True)
class OnShelf:
    """What was typed before its author was signed out, and the version it was typed over; empty if nothing was."""

    answers: Answers
    based_on: int


def posted(request: HttpRequest, item: AttemptItem, variant: Variant) -> Posted:
    """What a form says. Boxes that the problem does not have stay in, for the action to refuse."""
    return Posted(
        variant=request.POST.get("variant", "")[:64],
        answers=typed_answers(request.POST, problem_of(variant)),
        based_on=_number(request.POST.get("based_on", "")),
        locale=locale_of(request),
        page=request.POST.get("form", "")[:64],
    )


def item_address(attempt_id: uuid.UUID, position: int) -> str:
    """The page of a place."""
    return reverse("frontend:attempt-item", kwargs={"attempt_id": attempt_id, "position": position})


def keeps_typed(view: View) -> View:
    """Stands before ``signed_in``: a form of an attempt that comes after its session ended leads back there, and what
    it says of a place is kept until its author is signed in again. A script is answered 401, and keeps its page."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated or request.method != "POST":
            return _unless_refused(view, request, *args, **kwargs)
        if "position" in kwargs:
            back = item_address(kwargs["attempt_id"], kwargs["position"])
            _to_shelf(request, _key(kwargs["attempt_id"], kwargs["position"]))
        else:
            back = f"{reverse('frontend:attempt-hand-in', args=[kwargs['attempt_id']])}?{WAS_SIGNED_OUT}=yes"
        address = f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': back})}"
        if wants_json(request):
            return JsonResponse({"kind": "signed-out", "says": SIGNED_OUT, "address": address}, status=401)
        if is_fragment(request):
            return as_notice(render(request, "frontend/_signed_out.html", {"address": address}, status=401))
        return redirect_to_login(back)

    return checked


def _unless_refused(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """The view's answer; where it refuses without one, as for too much at once, back to the place with what was typed
    in its boxes."""
    try:
        return view(request, *args, **kwargs)
    except Refused as refused:
        if request.method != "POST" or "position" not in kwargs or is_fragment(request) != wants_json(request):
            raise
        if wants_json(request):
            status = 429 if isinstance(refused, TooMuchAtOnce) else 503
            return JsonResponse({"kind": refused.code, "says": refused.message}, status=status)
        _to_shelf(request, _key(kwargs["attempt_id"], kwargs["position"]))
        messages.error(request, refused.message)
        return redirect(item_address(kwargs["attempt_id"], kwargs["position"]))


def wants_json(request: HttpRequest) -> bool:
    """Whether the script of the page asked."""
    return request.headers.get("Accept") == "application/json"


def from_shelf(request: HttpRequest, item: AttemptItem, variant: Variant) -> OnShelf | None:
    """What waits on the shelf for this place, taken off it; None if nothing does."""
    key = _key(item.attempt.public_id, item.position)
    typed = take_typed(request.session, key, problem_of(variant))
    versions = request.session.get(VERSIONS) or {}
    based_on = versions.get(key, {})
    if not typed or based_on.get("variant") != str(variant.public_id):
        return None
    return OnShelf(typed, int(based_on.get("version", 0)))


def _to_shelf(request: HttpRequest, key: str) -> None:
    keep_typed(request.session, key, request.POST)
    versions: dict[str, Any] = {
        name: value for name, value in (request.session.get(VERSIONS) or {}).items() if name != key
    }
    versions[key] = {
        "variant": request.POST.get("variant", "")[:64],
        "version": _number(request.POST.get("based_on", "")),
    }
    request.session[VERSIONS] = dict(list(versions.items())[-MOST_VERSIONS:])


def _key(attempt_id: uuid.UUID, position: int) -> str:
    return f"{attempt_id}:{position}"


def _number(text: str) -> int:
    """A version; what is none is older than every one."""
    found = typed_number(text, digits=9)
    return -1 if found is None else found
