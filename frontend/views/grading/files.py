"""Grades as files: out of a grade book, and in again with a dry run."""

import re
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access
from exercises.actions.grading import ChangedMeanwhile, GradeRefused, Imported, import_grades
from exercises.courses.rights import Right
from exercises.models import Enrolment, ProblemSet
from exercises.queries.grade_export import course_csv, set_csv
from exercises.queries.gradebook import sets_of
from frontend.grade_forms import GradesForm
from frontend.limited import limited
from frontend.signed_in import reader, signed_in


@never_cache
@require_safe
@signed_in
def grades_csv(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """The grade book of a course as a file, line by line."""
    course = access.enrolment_with(reader(request), course_id, Right.READ_WORK).course
    return _file(course_csv(course, sets_of(course), with_bom=_with_bom(request)), course.title)


@never_cache
@require_safe
@signed_in
def set_grades_csv(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """The grade book of a set as a file, line by line."""
    found = access.problem_set_with(reader(request), set_id, Right.READ_WORK)
    return _file(set_csv(found, with_bom=_with_bom(request)), found.title)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def grades_import(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Grades of all sets of a course from a file: what it would change, then the change."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.GRADE)
    back = reverse("frontend:gradebook", args=[course_id])
    return _import(request, enrolment, sets_of(enrolment.course), back, None)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def set_grades_import(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Grades of one set from a file: what it would change, then the change."""
    found, enrolment = access.set_and_enrolment_with(reader(request), set_id, Right.GRADE)
    return _import(request, enrolment, [found], reverse("frontend:set-grades", args=[set_id]), found)


def _import(
    request: HttpRequest, enrolment: Enrolment, sets: Sequence[ProblemSet], back: str, only: ProblemSet | None
) -> HttpResponse:
    posted = request.method == "POST"
    form = GradesForm(request.POST, request.FILES, label_suffix="") if posted else GradesForm(label_suffix="")
    context: dict[str, Any] = {"enrolment": enrolment, "course": enrolment.course, "set": only, "back": back}
    if not posted or not form.is_valid():
        return _page(request, context | {"form": form}, 422 if posted else 200)
    text, reason = form.cleaned_data["text"], form.cleaned_data["reason"]
    # What a file held comes back as text: the second step sends it again.
    again = GradesForm({"text": text, "reason": reason}, label_suffix="")
    again.is_valid()
    context |= {"form": again}

    def run(*, is_preview: bool) -> Imported:
        return import_grades(
            actor=reader(request),
            course=enrolment.course,
            sets=sets,
            text=text,
            reason=reason,
            is_preview=is_preview,
            seen=request.POST.get("seen", "")[:64],
        )

    if request.POST.get("do") != "apply":
        result = run(is_preview=True)
        return _page(request, context | {"result": result}, 422 if result.faults else 200)
    try:
        result = run(is_preview=False)
    except (GradeRefused, ChangedMeanwhile) as refused:
        again.add_error("reason" if isinstance(refused, GradeRefused) else None, refused.message)
        return _page(request, context | {"result": run(is_preview=True)}, 422)
    if result.faults:
        return _page(request, context | {"result": result}, 422)
    messages.success(request, _applied(result))
    return redirect(back)


def _applied(result: Imported) -> str:
    if not result.changed:
        return "Nothing was changed: the grade book says all of this already."
    return f"{result.changed} score{'' if result.changed == 1 else 's'} set by hand from the file."


def _page(request: HttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    return render(request, "frontend/grading/import.html", context, status=status)


def _with_bom(request: HttpRequest) -> bool:
    return request.GET.get("bom") == "1"


def _file(lines: Iterator[str], title: str) -> Any:
    name = re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower()[:60] or "grades"
    return StreamingHttpResponse(
        lines,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="grades-{name}.csv"'},
    )
