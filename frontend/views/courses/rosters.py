"""The roster of a course: in, after a dry run, and out; and the audit trail of what was done."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access
from exercises.actions import courses as actions
from exercises.courses.rights import Right
from exercises.courses.roster import COLUMNS, written_roster
from exercises.courses.roster_plan import Plan
from exercises.models import Course, Enrolment, User
from exercises.queries import audit, people
from exercises.refusals import Refused
from frontend.course_form import RosterForm
from frontend.csv_file import csv_file
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.typed_number import asked_page, typed_number


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def roster(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Bring a roster in: first what it would do, line by line, then just that."""
    user = reader(request)
    enrolment = access.enrolment_with(user, course_id, Right.MANAGE)
    if request.method != "POST":
        return _shown(request, enrolment, RosterForm(label_suffix=""))
    form = RosterForm(request.POST, request.FILES, label_suffix="")
    if not form.is_valid():
        return _shown(request, enrolment, form, status=422)
    said = form.cleaned_data
    text, choices = said["text"], actions.Choices(drops_missing=said["drops_missing"], is_whole=said["is_whole"])
    # A file that is chosen on the second page is another roster than the one that was shown.
    if request.POST.get("do") == "apply" and not said.get("upload"):
        try:
            plan = _applied(user, enrolment.course, form, text, choices)
            messages.success(request, done(plan))
            return redirect("frontend:people", enrolment.course.public_id)
        except Refused as refused:
            form.add_error(None, refused.message)
    return _dry_run(request, enrolment, form, text, choices)


def _applied(user: User, course: Course, form: RosterForm, text: str, choices: actions.Choices) -> Plan:
    return actions.import_roster(
        actor=user, course=course, text=text, choices=choices, seal=form.cleaned_data["seal"],
        typed=typed_number(form.cleaned_data["typed"].strip()),
    )  # fmt: skip


def _dry_run(
    request: HttpRequest, enrolment: Enrolment, form: RosterForm, text: str, choices: actions.Choices
) -> HttpResponse:
    try:
        plan = actions.plan_roster(course=enrolment.course, text=text, choices=choices)
    except Refused as refused:
        if refused.message not in form.non_field_errors():
            form.add_error(None, refused.message)
        return _shown(request, enrolment, form, status=422)
    # What a file held comes back as text: the second step sends it again.
    again = RosterForm(
        initial={
            "text": text, "drops_missing": choices.drops_missing, "is_whole": choices.is_whole,
            "seal": actions.seal_of(plan, text=text, choices=choices),
        },
        label_suffix="",
    )  # fmt: skip
    refusals = [str(error) for error in form.non_field_errors()]
    return _shown(request, enrolment, again, plan, refusals=refusals, status=422 if refusals else 200)


def _shown(
    request: HttpRequest,
    enrolment: Enrolment,
    form: RosterForm,
    plan: Plan | None = None,
    *,
    refusals: list[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "course": enrolment.course, "enrolment": enrolment, "form": form, "plan": plan, "columns": COLUMNS,
        "refusals": refusals or [],
    }  # fmt: skip
    return render(request, "frontend/courses/roster.html", context, status=status)


def done(plan: Plan) -> str:
    """What an import did, in a sentence."""
    added, changed = len(plan.of_kind("added")), len(plan.of_kind("changed"))
    words = f"The roster is in: {added} added, {changed} changed, {len(plan.dropped)} dropped"
    return f"{words}, {len(plan.faults)} left out for a fault." if plan.faults else f"{words}."


@never_cache
@require_safe
@signed_in
def roster_export(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """The roster as a file, which comes in again unchanged: for those who read names."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.READ_WORK)
    name = slugify(f"roster {enrolment.course}")[:80] or "roster"
    return csv_file(written_roster(people.roster_of(enrolment.course)), name)


@never_cache
@require_safe
@signed_in
def audit_page(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """What was done in a course by those who teach it, the latest first."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.READ_WORK)
    deeds = audit.deeds_of(enrolment.course)
    deed = request.GET.get("deed", "")
    deed = deed if deed in deeds else ""
    person = request.GET.get("person", "").strip()[:150]
    context = {
        "course": enrolment.course,
        "enrolment": enrolment,
        "page": audit.audit_of(enrolment.course, page=asked_page(request), deed=deed, person=person),
        "deeds": deeds,
        "deed": deed,
        "person": person,
        "query": urlencode({name: value for name, value in (("deed", deed), ("person", person)) if value}),
    }
    return render(request, "frontend/courses/audit.html", context)
