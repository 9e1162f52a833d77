"""Choosing content for a platform that asked for it, and sending it there."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access
from exercises.access import lms as lms_access
from exercises.actions.lms.content import Response, answer_with_links, answer_with_nothing, settings_kept
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.courses.rights import Right
from exercises.lti.content import takes_links
from exercises.lti.launch import DeepLinkingSettings
from exercises.lti.reading import origin_of
from exercises.models import Context
from exercises.queries.lms import sets_to_choose
from frontend.lms_form import ContentForm
from frontend.signed_in import reader, signed_in

#: Where a session keeps what its launch brought.
KEPT = "lti"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def content(request: HttpRequest, context_id: uuid.UUID) -> HttpResponse:
    """Choose which sets links of the platform are to open; then send them there, signed."""
    user = reader(request)
    context, _ = lms_access.context_taught(user, context_id)
    course = context.course
    if course is None:
        return redirect("frontend:lms-connect", context.public_id)
    enrolment = access.enrolment_in(user, course, Right.MANAGE)
    asked = _asked(request, context)
    if asked is None:
        messages.info(request, "To put links into your platform, choose this tool there once more.")
        return redirect("frontend:course", course.public_id)
    among = sets_to_choose(course)
    form = ContentForm(request.POST if request.method == "POST" else None, among=among, asked=asked, label_suffix="")
    try:
        if request.method == "POST" and request.POST.get("do") == "nothing":
            return _sent(request, context, answer_with_nothing(context=context, asked=asked))
        if form.is_valid():
            said = form.said
            launch_url = request.build_absolute_uri(reverse("lti:launch"))
            response = answer_with_links(
                actor=user, context=context, asked=asked, problem_sets=said, launch_url=launch_url,
                with_columns=form.cleaned_data.get("with_columns", False),
            )  # fmt: skip
            return _sent(request, context, response)
    except ConnectionRefused as refused:
        form.add_error(refused.field if refused.field in form.fields else None, refused.message)
    shown = {
        "context": context, "course": course, "enrolment": enrolment, "form": form, "asked": asked,
        "has_sets": among.exists(), "takes_links": takes_links(asked),
    }  # fmt: skip
    return render(request, "frontend/lms/content.html", shown, status=422 if form.errors else 200)


def _asked(request: HttpRequest, context: Context) -> DeepLinkingSettings | None:
    """What the platform asked this session for in this very context; None where it was another one, or nothing: of two
    windows that choose for two courses, the first would put its links into the course of the second."""
    kept: Any = request.session.get(KEPT) or {}
    deployment = context.deployment
    wanted = (deployment.registration_id, deployment.deployment_id, context.context_id)
    if (kept.get("registration"), kept.get("deployment"), kept.get("context")) != wanted:
        return None
    return settings_kept(kept.get("deep_linking"))


def _sent(request: HttpRequest, context: Context, response: Response) -> HttpResponse:
    """The page whose form takes the answer to the platform: by itself with scripts, else by its button."""
    page = render(request, "frontend/lms/content_sent.html", {"context": context, "response": response})
    if origin := origin_of(response.address):
        # This page alone may post to another host, and to that one only.
        marked: Any = page
        marked._csp_update = {"form-action": [origin]}  # noqa: SLF001
    return page
