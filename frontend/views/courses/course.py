"""One course: its sets, what it is called, its door, and its copy for another term."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access
from exercises.actions import courses as actions
from exercises.courses.codes import shown_code
from exercises.courses.rights import Right
from exercises.models import Course, User
from exercises.queries import people, sets
from frontend.course_form import CourseForm
from frontend.signed_in import reader, signed_in


@never_cache
@require_safe
@signed_in
def course(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """The sets of a course; for those who teach it also its numbers and its join code."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.VIEW)
    found = enrolment.course
    context: dict[str, Any] = {"course": found, "enrolment": enrolment}
    if not access.has_right(enrolment, Right.READ_WORK):
        return render(request, "frontend/courses/course.html", {**context, "rows": sets.sets_for(enrolment)})
    context |= {
        "rows": sets.sets_taught(found),
        "counts": people.counts_of(found),
        "may_manage": access.has_right(enrolment, Right.MANAGE),
        "code": shown_code(found.join_code) if found.join_code else "",
        "join_address": _join_address(request, found),
    }
    return render(request, "frontend/courses/taught.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Change a course, its join code, or put it away."""
    user = reader(request)
    enrolment = access.enrolment_with(user, course_id, Right.MANAGE)
    found = enrolment.course
    if request.method == "POST" and request.POST.get("do") in DEEDS:
        return _deed(request, user, found)
    form = CourseForm(
        request.POST if request.method == "POST" else None, initial=CourseForm.initial_of(found), label_suffix=""
    )
    if form.is_valid():
        try:
            actions.edit_course(actor=user, course=found, fields=form.said)
            messages.success(request, "The course is kept.")
            return redirect("frontend:course", found.public_id)
        except actions.CourseRefused as refused:
            form.add_error(refused.field or None, refused.message)
    context = {"course": found, "enrolment": enrolment, "form": form}
    return render(request, "frontend/courses/edit.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def copy(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Copy a course to another term: for those who make courses."""
    user = access.instructor(reader(request))
    enrolment = access.enrolment_with(user, course_id, Right.MANAGE)
    found = enrolment.course
    initial = {"title": found.title, "time_zone": found.time_zone}
    form = CourseForm(request.POST if request.method == "POST" else None, initial=initial, label_suffix="")
    if form.is_valid():
        try:
            made = actions.copy_course(actor=user, course=found, fields=form.said)
            messages.success(request, _copied(made))
            return redirect("frontend:course", made.course.public_id)
        except actions.CourseRefused as refused:
            form.add_error(refused.field or None, refused.message)
    context = {"course": found, "enrolment": enrolment, "form": form}
    return render(request, "frontend/courses/copy.html", context, status=422 if form.errors else 200)


def _deed(request: HttpRequest, user: User, found: Course) -> HttpResponse:
    try:
        messages.success(request, DEEDS[request.POST["do"]](user, found))
    except actions.CourseRefused as refused:
        messages.error(request, refused.message)
    return redirect("frontend:course", found.public_id)


def _new_code(user: User, found: Course) -> str:
    code = actions.renew_code(actor=user, course=found)
    return f"The new join code is {shown_code(code)}. The old one opens nothing any more."


def _close(user: User, found: Course) -> str:
    actions.close_door(actor=user, course=found)
    return "Nobody comes in by a code any more."


def _put_away(user: User, found: Course) -> str:
    actions.archive_course(actor=user, course=found)
    return "The course is put away: nothing can be handed in any more, everything stays to be read."


def _take_up(user: User, found: Course) -> str:
    actions.archive_course(actor=user, course=found, is_archived=False)
    return "The course goes on."


DEEDS = {"new-code": _new_code, "close": _close, "archive": _put_away, "take-up": _take_up}


def _copied(made: actions.Copy) -> str:
    words = f"{made.sets} set{'' if made.sets == 1 else 's'} came along as drafts."
    if made.left_out:
        words += f" {made.left_out} of their items did not: the authors of their problems do not share them with you."
    return words


def _join_address(request: HttpRequest, found: Course) -> str:
    if found.join_code is None:
        return ""
    where = f"{reverse('frontend:course-join')}?{urlencode({'code': shown_code(found.join_code)})}"
    return request.build_absolute_uri(where)
