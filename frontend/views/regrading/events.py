"""The regrades of a course: their list, the form for another one, and the page of one with whom it moves."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access
from exercises.actions.regrading.deciding import RegradeRefused, make_regrade
from exercises.courses.rights import Right
from exercises.models import Enrolment
from exercises.refusals import TextRefused
from frontend.limited import limited
from frontend.regrade_form import RegradeForm, choices_for
from frontend.regrade_page import is_working, list_context, page_context, progress_context
from frontend.signed_in import reader, signed_in
from frontend.typed_number import asked_page


@never_cache
@require_safe
@signed_in
def regrades(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """The regrades of a course, the latest first."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.GRADE)
    return render(request, "frontend/regrading/list.html", list_context(enrolment, asked_page(request)))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def make(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Choose a problem, then by which version it is marked again; that begins the dry run, which changes nothing."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.GRADE)
    choices = choices_for(enrolment.course, request.GET.get("problem", ""))
    if choices.problem is None:
        return _form_page(request, enrolment, choices=choices)
    if request.method != "POST":
        first = {"version": request.GET.get("version", ""), "problem_set": request.GET.get("set", "")}
        form = RegradeForm(choices=choices, initial={name: said for name, said in first.items() if said})
        return _form_page(request, enrolment, choices=choices, form=form)
    form = RegradeForm(request.POST, choices=choices)
    if form.is_valid():
        try:
            event = make_regrade(
                course=enrolment.course, actor=reader(request), problem=choices.problem, **form.cleaned_data
            )
        except TextRefused as refused:
            form.add_error("reason", refused.message)
        except RegradeRefused as refused:
            form.add_error(refused.field or None, refused.message)
        else:
            return redirect("frontend:regrade", event_id=event.public_id)
    return _form_page(request, enrolment, choices=choices, form=form, status=422)


@never_cache
@require_safe
@signed_in
def regrade(request: HttpRequest, event_id: uuid.UUID) -> HttpResponse:
    """One regrade: how far it is, whom it moves by how much and why, and what can be done with it."""
    event = access.regrade_with(reader(request), event_id, Right.GRADE)
    enrolment = access.enrolment_in(reader(request), event.course, Right.GRADE)
    context = page_context(event, enrolment, show=request.GET.get("show", ""), page=asked_page(request))
    return render(request, "frontend/regrading/event.html", context)


@never_cache
@require_safe
@signed_in
def progress(request: HttpRequest, event_id: uuid.UUID) -> HttpResponse:
    """How far the work is, for the page that waits; once it is done, the page loads itself again."""
    event = access.regrade_with(reader(request), event_id, Right.GRADE)
    response = render(request, "frontend/regrading/_progress.html", progress_context(event))
    if not is_working(event):
        response["HX-Refresh"] = "true"
    return response


def _form_page(request: HttpRequest, enrolment: Enrolment, *, status: int = 200, **context: object) -> HttpResponse:
    context |= {"course": enrolment.course, "enrolment": enrolment}
    return render(request, "frontend/regrading/new.html", context, status=status)
