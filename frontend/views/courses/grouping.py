"""The groups of a course."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access
from exercises.actions import courses as actions
from exercises.courses.rights import Right
from exercises.models import Course, Enrolment, Group, User
from exercises.queries import people
from frontend.course_form import GroupForm
from frontend.signed_in import reader, signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def groups(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """The groups of a course; for those who manage it also to make, rename and delete them."""
    user = reader(request)
    right = Right.MANAGE if request.method == "POST" else Right.READ_WORK
    enrolment = access.enrolment_with(user, course_id, right)
    if request.method != "POST":
        return _shown(request, enrolment, GroupForm(label_suffix=""))
    found = enrolment.course
    chosen = next((group for group in people.groups_of(found) if str(group.pk) == request.POST.get("group")), None)
    if request.POST.get("do") == "delete":
        return _deleted(request, user, found, chosen)
    form = GroupForm(request.POST, label_suffix="")
    if form.is_valid():
        try:
            _keep(user, found, chosen, form.cleaned_data["name"])
            return redirect("frontend:groups", found.public_id)
        except actions.CourseRefused as refused:
            form.add_error("name", refused.message)
    return _shown(request, enrolment, form, chosen, status=422)


def _keep(user: User, found: Course, chosen: Group | None, name: str) -> None:
    if chosen is None:
        actions.create_group(actor=user, course=found, name=name)
    else:
        actions.rename_group(actor=user, group=chosen, name=name)


def _deleted(request: HttpRequest, user: User, found: Course, chosen: Group | None) -> HttpResponse:
    try:
        present = getattr(chosen, "present", 0)
        if present and request.POST.get("sure") != str(present):
            messages.error(request, f"Nothing was deleted: {present} in {chosen} now. Say once more that you mean it.")
        elif chosen is not None:
            actions.delete_group(actor=user, group=chosen)
            messages.success(request, f"The group {chosen.name} is deleted; the people in it stay.")
    except actions.CourseRefused as refused:
        messages.error(request, refused.message)
    return redirect("frontend:groups", found.public_id)


def _shown(
    request: HttpRequest, enrolment: Enrolment, form: GroupForm, chosen: Group | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "course": enrolment.course,
        "enrolment": enrolment,
        "rows": people.groups_of(enrolment.course),
        "form": form,
        "chosen": chosen,
        "may_manage": access.has_right(enrolment, Right.MANAGE) and enrolment.course.archived_at is None,
    }
    return render(request, "frontend/courses/groups.html", context, status=status)
