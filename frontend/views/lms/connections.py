"""Connections to learning platforms: for who runs the service, and for people who teach."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises.access import lms as access
from exercises.actions.lms import places, registrations, tool_keys
from exercises.actions.lms.guards import may_switch
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.lti.platforms import FOUND, pasted, told
from exercises.lti.set_up import Addresses
from exercises.models import Registration, User
from exercises.queries import lms as queries
from frontend.lms_form import InviteForm, RegistrationForm
from frontend.signed_in import reader, signed_in
from frontend.typed_number import typed_number


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def connections(request: HttpRequest) -> HttpResponse:
    """The platforms that are connected; and links with which one registers itself, made here."""
    keeper = access.connections_keeper(reader(request))
    form = InviteForm(request.POST if request.method == "POST" else None, is_staff=keeper.is_staff, label_suffix="")
    context: dict[str, Any] = {"rows": queries.connections(access.registrations_kept_by(keeper)), "form": form}
    if form.is_valid():
        try:
            token, _ = registrations.invite_platform(actor=keeper, **form.cleaned_data)
            # Told on this page and never again: only its hash is kept.
            context["invite"] = request.build_absolute_uri(reverse("lti:register", args=[token]))
        except ConnectionRefused as refused:
            form.add_error(refused.field or None, refused.message)
    return render(request, "frontend/lms/connections.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new(request: HttpRequest) -> HttpResponse:
    """Register a platform by hand: what is pasted there, and what is copied from there."""
    keeper = access.connections_keeper(reader(request))
    kind = request.POST.get("kind", request.GET.get("kind", ""))
    kind = kind if kind in Registration.Kind.values else Registration.Kind.MOODLE.value
    owner = registrations.next_id(keeper)
    form = RegistrationForm(
        request.POST if request.method == "POST" else None, is_staff=keeper.is_staff, is_new=True,
        initial={**told(kind), "kind": kind, "public_id": owner}, label_suffix="",
    )  # fmt: skip
    if form.is_valid():
        try:
            made = registrations.register_platform(
                actor=keeper, fields=form.said, deployment_id=form.cleaned_data["deployment_id"],
                public_id=form.cleaned_data["public_id"],
            )  # fmt: skip
            messages.success(request, f"{made} is registered.")
            return redirect("frontend:lms-connection", made.public_id)
        except ConnectionRefused as refused:
            form.add_error(refused.field if refused.field in form.fields else None, refused.message)
    context = {"form": form, "kinds": Registration.Kind.choices, **_set_up(request, kind, form["public_id"].value())}
    return render(request, "frontend/lms/new.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def connection(request: HttpRequest, registration_id: uuid.UUID) -> HttpResponse:
    """One platform: whether launches are taken, its deployments, its courses, and what is pasted there."""
    keeper = reader(request)
    found = access.registration_kept_by(keeper, registration_id)
    if request.method == "POST":
        try:
            messages.success(request, _done(request, keeper, found))
        except ConnectionRefused as refused:
            messages.error(request, refused.message)
        return redirect("frontend:lms-connection", found.public_id)
    rows = queries.connection_rows(found)
    context = {
        "registration": found,
        "rows": rows,
        "may_switch": may_switch(keeper, found),
        "own_keys": queries.tool_keys(found.public_id),
        **_set_up(request, found.kind, found.public_id),
    }
    return render(request, "frontend/lms/connection.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit(request: HttpRequest, registration_id: uuid.UUID) -> HttpResponse:
    """Change what is known of a platform."""
    keeper = reader(request)
    found = access.registration_kept_by(keeper, registration_id)
    form = RegistrationForm(
        request.POST if request.method == "POST" else None, is_staff=keeper.is_staff, is_new=False,
        initial=RegistrationForm.initial_of(found), label_suffix="",
    )  # fmt: skip
    if form.is_valid():
        try:
            registrations.edit_platform(actor=keeper, registration=found, fields=form.said)
            messages.success(request, "The connection is kept.")
            return redirect("frontend:lms-connection", found.public_id)
        except ConnectionRefused as refused:
            form.add_error(refused.field if refused.field in form.fields else None, refused.message)
    context = {"form": form, "registration": found}
    return render(request, "frontend/lms/edit.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def keys(request: HttpRequest) -> HttpResponse:
    """The keys of ours that several platforms read, and the next one: for who runs the service."""
    if not reader(request).is_staff:
        raise Http404("There is no such page.")
    if request.method == "POST":
        made = tool_keys.rotate_tool_key()
        messages.success(
            request, f"The key {made.kid} is published, and signs from {made.signs_from:%Y-%m-%d %H:%M} UTC on."
        )
        return redirect("frontend:lms-keys")
    context = {"rows": queries.tool_keys(), "sharing": queries.sharing(), "address": Addresses(_home(request)).keys}
    return render(request, "frontend/lms/keys.html", context)


def _done(request: HttpRequest, keeper: User, found: Registration) -> str:
    """Do what a button of the page says; the words for it."""
    do = request.POST.get("do", "")
    if do in ("on", "off"):
        registrations.switch_platform(actor=keeper, registration=found, is_on=do == "on")
        return "Launches are taken again." if do == "on" else "Launches of this platform are not taken any more."
    if do in ("approve", "refuse"):
        deployment = access.deployment_in(found, typed_number(request.POST.get("deployment", "")) or 0)
        registrations.decide_deployment(actor=keeper, deployment=deployment, is_approved=do == "approve")
        return "Its launches are taken from now on." if do == "approve" else "Its launches are refused from now on."
    if do in ("own-keys", "shared-keys"):
        registrations.choose_keys(actor=keeper, registration=found, are_own=do == "own-keys")
        return f"It is signed for by {'its own' if do == 'own-keys' else 'the shared'} keys from now on."
    if do == "next-key":
        made = tool_keys.rotate_tool_key(found.public_id)
        return f"The key {made.kid} is published, and signs from {made.signs_from:%Y-%m-%d %H:%M} UTC on."
    if do == "disconnect":
        try:
            context_id = uuid.UUID(request.POST.get("context", ""))
        except ValueError:
            raise Http404("There is no such page.") from None
        places.disconnect_context(actor=keeper, context=access.context_in(found, context_id))
        return "The course of the platform leads nowhere now; who teaches it can connect it anew."
    raise Http404("There is nothing of that name to do.")


def _set_up(request: HttpRequest, kind: str, owner: object) -> dict[str, Any]:
    """What is pasted where, with the addresses of one registration that is there or is being made."""
    ours = Addresses(_home(request), str(owner))
    return {"kind": kind, "pasted": pasted(kind, ours), "found": FOUND[kind], "ours": ours}


def _home(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
