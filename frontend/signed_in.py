"""Who may go on: signed in, and the same person the page was made for. What was typed is never lost on the way."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.http import urlencode

from exercises.models import User
from frontend.kept_form import KEPT_PAGES, keep_form
from frontend.typed_form import keep_typed

View = Callable[..., HttpResponse]
#: The page whose boxes a form came from, by what its address calls the id.
PAGES = {"public_id": "frontend:variant", "turn_id": "frontend:card-turn"}


def signed_in(view: View) -> View:
    """Let signed-in people through; send everybody else to the sign-in page, and back to where they were.

    A form that was filled in before the session ran out is kept in the new one. A form that was made for somebody else
    (another person signed in meanwhile, in another tab) is refused: 403, and nothing is recorded for anybody.
    """

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return _ask_to_sign_in(request, kwargs)
        if request.method == "POST" and request.POST.get("learner", str(request.user.pk)) != str(request.user.pk):
            return _somebody_else(request)
        return view(request, *args, **kwargs)

    return checked


def reader(request: HttpRequest) -> User:
    """The person signed in, behind ``signed_in``."""
    if not isinstance(request.user, User):
        raise TypeError("This view must stand behind signed_in.")
    return request.user


def is_fragment(request: HttpRequest) -> bool:
    """Whether a script on the page asked, and not the browser itself."""
    return request.headers.get("HX-Request") == "true"


def _ask_to_sign_in(request: HttpRequest, kwargs: dict[str, Any]) -> HttpResponse:
    back = request.get_full_path()
    name = next((name for name in PAGES if name in kwargs), None)
    if name and request.method == "POST":
        back = reverse(PAGES[name], kwargs={name: kwargs[name]})
        keep_typed(request.session, str(kwargs[name]), request.POST)
    elif request.method == "POST" and request.resolver_match and request.resolver_match.view_name in KEPT_PAGES:
        back = request.path
        keep_form(request.session, back, request.POST)
    elif request.method == "POST":
        back = reverse("frontend:home")
    if not is_fragment(request):
        return redirect_to_login(back)
    address = f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': back})}"
    response = render(request, "frontend/_signed_out.html", {"address": address}, status=401)
    return as_notice(response)


def _somebody_else(request: HttpRequest) -> HttpResponse:
    if not is_fragment(request):
        return render(request, "frontend/somebody_else.html", status=403)
    return as_notice(render(request, "frontend/_somebody_else.html", status=403))


def as_notice(response: HttpResponse) -> HttpResponse:
    """The response as a notice on the page that a script asked from, whatever it had asked for."""
    response["HX-Retarget"] = "#notice"
    response["HX-Reswap"] = "innerHTML"
    return response
