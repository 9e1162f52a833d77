"""Making a set and editing what is written on it: the mode decides the fields, and two editors see each other."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access
from exercises.actions.sets import editing
from exercises.actions.sets.locking import has_begun
from exercises.actions.sets.refusals import SetChanged, SetRefused
from exercises.course_rules import zone_of
from exercises.courses.rights import Right
from exercises.courses.set_details import FEEDBACK_OF, SetDetails
from exercises.models import Enrolment
from exercises.queries.people import groups_of
from exercises.set_rows import details_of, said_details
from frontend.sets.found import Found, found_to_change, refuse_away
from frontend.sets.set_form import MODE_WORDS, SetForm, mode_of
from frontend.signed_in import reader, signed_in
from frontend.typed_number import typed_number


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Make a set; its items come next."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.MANAGE)
    refuse_away(enrolment.course)
    mode = mode_of(request.POST.get("mode") or request.GET.get("mode"))
    kept = SetDetails(title="", mode=mode, feedback=FEEDBACK_OF[mode][0])
    form = _form(request, kept, zone_of(enrolment.course), enrolment, chosen=())
    if request.POST.get("do") == "keep" and form.is_valid():
        try:
            made = editing.create_set(
                actor=enrolment.user, course=enrolment.course, details=form.details(), groups=form.groups()
            )
        except SetRefused as refused:
            form.take(refused.faults or {"": refused.message})
        else:
            messages.success(request, "The set is created. Add problems to it; learners see it once you publish it.")
            return redirect("frontend:set-items", set_id=made.public_id)
    context = {
        "course": enrolment.course, "enrolment": enrolment, "problem_set": None, "zone": zone_of(enrolment.course),
    }  # fmt: skip
    return _shown(request, form, context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Change what is written on a set. Whoever is slower sees both, and keeps what they typed."""
    found = found_to_change(request, set_id)
    row = found.problem_set
    details = details_of(row)
    mode = mode_of(request.POST.get("mode"), details.mode)
    kept = details if mode == details.mode else SetDetails(**{**vars(details), "mode": mode})
    chosen = [group.pk for group in row.groups.all()]
    form = _form(request, kept, found.zone, found.enrolment, chosen=chosen)
    context = found.context(is_begun=has_begun(row), revision=row.revision)
    if request.POST.get("do") == "keep" and form.is_valid():
        try:
            editing.edit_set(
                actor=found.enrolment.user, problem_set=row, revision=_revision(request), details=form.details(),
                groups=form.groups(),
            )  # fmt: skip
            messages.success(request, "The set is kept.")
            return redirect("frontend:set", set_id=row.public_id)
        except SetChanged as changed:
            # Now this form is up to date: sent again, it is kept.
            form.tell_now(_mine(form, found), said_details(details, found.zone))
            return _shown(request, form, {**context, "changed": changed.message}, status=409)
        except SetRefused as refused:
            form.take(refused.faults or {"": refused.message})
    return _shown(request, form, context)


def _form(
    request: HttpRequest, kept: SetDetails, zone: str, enrolment: Enrolment, *, chosen: list[int] | tuple[()]
) -> SetForm:
    groups = groups_of(enrolment.course)
    if request.method == "POST" and request.POST.get("do") == "mode":
        # What both modes have stays; nothing is found fault with yet.
        said: dict[str, Any] = {**request.POST.dict(), "groups": request.POST.getlist("groups")}
        return SetForm(None, kept=kept, zone=zone, groups=groups, chosen=chosen, initial=said)
    posted = request.POST if request.method == "POST" else None
    return SetForm(posted, kept=kept, zone=zone, groups=groups, chosen=chosen)


def _mine(form: SetForm, found: Found) -> dict[str, str]:
    return said_details(form.details(), found.zone)


def _revision(request: HttpRequest) -> int:
    """The revision that the form was made from; one that no set has where it says none."""
    said = typed_number(request.POST.get("revision", ""), digits=9)
    return -1 if said is None else said


def _shown(request: HttpRequest, form: SetForm, context: dict[str, Any], status: int = 200) -> HttpResponse:
    wrong = form.is_bound and bool(form.errors)
    more = {"form": form, "mode": form.mode, "modes": MODE_WORDS.items(), "mode_words": MODE_WORDS[form.mode]}
    return render(request, "frontend/sets/edit.html", {**context, **more}, status=422 if wrong else status)
