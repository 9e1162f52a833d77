"""The courses that somebody is in, and the way into another one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access, queries
from exercises.actions import courses as actions
from exercises.courses.rights import Right
from exercises.queries.courses import my_courses
from exercises.refusals import Refused, TooMuchAtOnce
from frontend.course_form import CourseForm, JoinForm
from frontend.signed_in import reader, signed_in


@never_cache
@require_safe
@signed_in
def courses(request: HttpRequest) -> HttpResponse:
    """The courses one is in, with what is due there soon."""
    rows = my_courses(reader(request))
    reads_work = any(access.has_right(row.enrolment, Right.READ_WORK) for row in rows)
    return render(request, "frontend/courses/courses.html", {"rows": rows, "reads_work": reads_work})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_course(request: HttpRequest) -> HttpResponse:
    """Make a course."""
    author = access.instructor(reader(request))
    initial = {"time_zone": queries.own_plan_of(author).time_zone}
    form = CourseForm(request.POST if request.method == "POST" else None, initial=initial, label_suffix="")
    if form.is_valid():
        try:
            made = actions.create_course(author=author, fields=form.said)
            return redirect("frontend:course", made.public_id)
        except actions.CourseRefused as refused:
            form.add_error(refused.field or None, refused.message)
    return render(request, "frontend/courses/new.html", {"form": form}, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def join(request: HttpRequest) -> HttpResponse:
    """Come into a course by its code, which may already stand in the address."""
    user, status = reader(request), 200
    initial = {"code": request.GET.get("code", "")[:40]}
    form = JoinForm(request.POST if request.method == "POST" else None, initial=initial, label_suffix="")
    if form.is_valid():
        try:
            enrolment = actions.join_course(user=user, code=form.cleaned_data["code"])
            messages.success(request, f"You are in {enrolment.course}.")
            return redirect("frontend:course", enrolment.course.public_id)
        except Refused as refused:
            form.add_error("code", refused.message)
            status = 429 if isinstance(refused, TooMuchAtOnce) else 422
    elif form.errors:
        status = 422
    return render(request, "frontend/courses/join.html", {"form": form}, status=status)
