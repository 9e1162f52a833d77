"""The webhooks of a course, what was told last, and a new webhook."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access
from exercises.actions.delivering.refusals import WebhookRefused
from exercises.actions.delivering.webhooks import make_webhook
from exercises.courses.rights import Right
from exercises.queries import events
from exercises.queries.webhooks import webhooks_of
from frontend.event_words import sentence
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.webhook_form import WebhookForm

LATEST = 20


@never_cache
@require_safe
@signed_in
def webhooks(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Where the events of a course go, how that goes, and what the last of them were."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.MANAGE)
    latest = events.latest(enrolment.course, limit=LATEST)
    context = {
        "course": enrolment.course,
        "enrolment": enrolment,
        "rows": webhooks_of(enrolment.course),
        "latest": [(told.event, sentence(told)) for told in latest],
    }
    return render(request, "frontend/webhooks/webhooks.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def new(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Have events delivered to an address; the next page shows the secret, this once."""
    user = reader(request)
    enrolment = access.enrolment_with(user, course_id, Right.MANAGE)
    form = WebhookForm(request.POST if request.method == "POST" else None, label_suffix="")
    shown = {"course": enrolment.course, "enrolment": enrolment, "form": form}
    form_id = _uuid(request.POST.get("form", ""))
    if form.is_valid():
        try:
            made, secret = make_webhook(
                actor=user, course=enrolment.course, url=form.cleaned_data["url"], kinds=form.cleaned_data["kinds"],
                public_id=form_id,
            )  # fmt: skip
            return render(request, "frontend/webhooks/made.html", {**shown, "webhook": made, "secret": secret})
        except WebhookRefused as refused:
            form.add_error(refused.field or None, refused.message)
    context = {**shown, "form_id": form_id or uuid.uuid4()}
    return render(request, "frontend/webhooks/new.html", context, status=422 if form.errors else 200)


def _uuid(said: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(said)
    except ValueError:
        return None
