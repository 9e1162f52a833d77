"""One webhook: how it is with it, what was delivered, and what can be done about both."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from exercises import access
from exercises.actions.delivering import webhooks as actions
from exercises.actions.delivering.refusals import WebhookRefused
from exercises.courses.events import KINDS
from exercises.courses.rights import Right
from exercises.models import Enrolment, User, Webhook
from exercises.queries.webhooks import delivery_of, log_of, webhook_in
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.typed_number import asked_page
from frontend.webhook_form import WebhookForm


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def webhook(request: HttpRequest, course_id: uuid.UUID, webhook_id: uuid.UUID) -> HttpResponse:
    """How it is with a webhook and its deliveries; its forms pause it, give it another secret, and remove it."""
    user = reader(request)
    enrolment = access.enrolment_with(user, course_id, Right.MANAGE)
    found = webhook_in(enrolment.course, webhook_id)
    if found is None and request.POST.get("do") == "remove":  # pressed twice
        messages.info(request, "There is no such webhook any more.")
        return redirect("frontend:webhooks", course_id)
    found = _there(found)
    if request.method == "POST":
        return _done(request, user, enrolment, found)
    kinds = [(kind, KINDS.get(kind, "")) for kind in found.kinds]
    context = {
        "course": enrolment.course, "enrolment": enrolment, "webhook": found, "kinds": kinds,
        "rotation": actions.rotation_of(found), "page": log_of(found, page=asked_page(request)),
        "both_until": actions.overlaps_until(found),
    }  # fmt: skip
    return render(request, "frontend/webhooks/webhook.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def edit(request: HttpRequest, course_id: uuid.UUID, webhook_id: uuid.UUID) -> HttpResponse:
    """Another address, or other kinds."""
    user = reader(request)
    enrolment = access.enrolment_with(user, course_id, Right.MANAGE)
    found = _there(webhook_in(enrolment.course, webhook_id))
    sent = request.POST if request.method == "POST" else None
    form = WebhookForm(sent, initial=WebhookForm.initial_of(found), label_suffix="")
    if form.is_valid():
        try:
            actions.change_webhook(
                actor=user, webhook=found, url=form.cleaned_data["url"], kinds=form.cleaned_data["kinds"],
                is_paused=found.state == Webhook.State.PAUSED,
            )  # fmt: skip
            messages.success(request, "The webhook is kept.")
            return redirect("frontend:webhook", course_id, webhook_id)
        except WebhookRefused as refused:
            form.add_error(refused.field or None, refused.message)
    context = {"course": enrolment.course, "enrolment": enrolment, "webhook": found, "form": form}
    return render(request, "frontend/webhooks/edit.html", context, status=422 if form.errors else 200)


@never_cache
@require_POST
@signed_in
@limited
def replay(request: HttpRequest, course_id: uuid.UUID, webhook_id: uuid.UUID, delivery_id: uuid.UUID) -> HttpResponse:
    """Deliver an event once more."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.MANAGE)
    delivery = delivery_of(_there(webhook_in(enrolment.course, webhook_id)), delivery_id)
    if delivery is None:
        raise Http404("There was no such delivery.")
    try:
        actions.replay(delivery=delivery)
        messages.success(request, "It is delivered once more, under the same id, within seconds.")
    except WebhookRefused as refused:
        messages.error(request, refused.message)
    return redirect("frontend:webhook", course_id, webhook_id)


def _done(request: HttpRequest, user: User, enrolment: Enrolment, found: Webhook) -> HttpResponse:
    try:
        match request.POST.get("do"):
            case "rotate":
                secret = actions.rotate_secret(actor=user, webhook=found, seen=request.POST.get("seen", ""))
                context = {"course": enrolment.course, "enrolment": enrolment, "webhook": found, "secret": secret}
                return render(request, "frontend/webhooks/made.html", {**context, "is_another": True})
            case "pause" | "resume" as do:
                is_paused = do == "pause"
                actions.change_webhook(actor=user, webhook=found, url=found.url, kinds=found.kinds, is_paused=is_paused)
                messages.success(request, PAUSED if is_paused else RESUMED)
            case "remove":
                actions.remove_webhook(actor=user, webhook=found)
                messages.success(request, f"Nothing is delivered to {found.url} any more.")
                return redirect("frontend:webhooks", enrolment.course.public_id)
            case _:
                raise Http404("There is nothing of that name to do.")
    except WebhookRefused as refused:
        messages.error(request, refused.message)
    return redirect("frontend:webhook", enrolment.course.public_id, found.public_id)


PAUSED = "It is paused: what happens meanwhile waits, and is delivered when it goes on."
RESUMED = "It goes on."


def _there(found: Webhook | None) -> Webhook:
    if found is None:
        raise Http404("This course has no such webhook.")
    return found
