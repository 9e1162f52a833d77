"""Keys for programs: seen, made, and taken away again. A secret is on the page that follows its making, and nowhere
afterwards."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access, actions, queries
from exercises.actions import KeyRefused
from frontend.key_form import ClientForm, KeyForm, TokenForm
from frontend.signed_in import reader, signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def keys(request: HttpRequest) -> HttpResponse:
    """One's own keys; its forms take one away."""
    user = reader(request)
    if request.method != "POST":
        context = {"tokens": queries.open_tokens(user), "clients": queries.clients_of(user)}
        return render(request, "frontend/keys/keys.html", context)
    match request.POST.get("do"):
        case "revoke":
            token = access.own_token(user, _uuid(request.POST.get("token", "")))
            actions.revoke_token(user=user, public_id=token.public_id)
            messages.success(request, f"“{token.label or token.head}” is revoked.")
        case "remove":
            client = access.own_client(user, request.POST.get("client", ""))
            actions.remove_client(client)
            messages.success(request, f"“{client.name}” is removed: its secret and its tokens no longer work.")
        case "rotate":
            client = access.own_client(user, request.POST.get("client", ""))
            secret = actions.rotate_client_secret(client)
            return render(request, "frontend/keys/made.html", {"secret": secret, "client": client, "is_new": False})
        case _:
            raise Http404("There is nothing of that kind to do.")
    return redirect("frontend:keys")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_token(request: HttpRequest) -> HttpResponse:
    """A token for a program of one's own."""
    user = reader(request)
    form = TokenForm(request.POST or None, user=user, enrolments=queries.present_in(user))
    if request.method == "POST" and form.is_valid():
        try:
            secret, token = actions.issue_token(user=user, **form.said)
        except KeyRefused as refused:
            form.add_error(None, refused.message)
        else:
            return render(request, "frontend/keys/made.html", {"secret": secret, "token": token})
    return _asked(request, form, "token")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_client(request: HttpRequest) -> HttpResponse:
    """A system that acts as somebody who teaches."""
    user = access.instructor(reader(request))
    form = ClientForm(request.POST or None, user=user, enrolments=queries.present_in(user))
    if request.method == "POST" and form.is_valid():
        try:
            secret, client = actions.make_client(user=user, **form.said)
        except KeyRefused as refused:
            form.add_error(None, refused.message)
        else:
            return render(request, "frontend/keys/made.html", {"secret": secret, "client": client, "is_new": True})
    return _asked(request, form, "system")


def _asked(request: HttpRequest, form: KeyForm, kind: str) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    return render(request, "frontend/keys/new.html", {"form": form, "kind": kind}, status=status)


def _uuid(said: str) -> uuid.UUID:
    try:
        return uuid.UUID(said)
    except ValueError:
        raise Http404("You have no such key.") from None
