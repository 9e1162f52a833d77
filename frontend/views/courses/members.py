"""The people of a course, and one of them."""

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access
from exercises.actions import courses as actions
from exercises.courses.rights import Right
from exercises.models import Enrolment, Group, Role, User
from exercises.queries import audit, people
from frontend.course_form import DropForm, FactorForm, GroupsForm, RoleForm
from frontend.signed_in import reader, signed_in
from frontend.typed_number import asked_page


@never_cache
@require_safe
@signed_in
def people_page(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Who is in a course."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.READ_WORK)
    said = request.GET
    groups = people.groups_of(enrolment.course)
    sought = people.Sought(
        text=said.get("q", "")[: people.MOST_SEARCHED].strip(),
        role=said.get("role", "") if said.get("role") in Role.values else "",
        group=next((group.pk for group in groups if str(group.pk) == said.get("group")), None),
        dropped=said.get("who") == "dropped",
    )
    kept = {"q": sought.text, "role": sought.role, "group": sought.group or "", "who": said.get("who", "")[:10]}
    context = {
        "course": enrolment.course,
        "enrolment": enrolment,
        "page": people.people_of(enrolment.course, sought, page=asked_page(request)),
        "sought": sought,
        "query": urlencode({name: value for name, value in kept.items() if value}),
        "counts": people.counts_of(enrolment.course),
        "groups": groups,
        "roles": Role.values,
    }
    return render(request, "frontend/courses/people.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def member(request: HttpRequest, course_id: uuid.UUID, pk: int) -> HttpResponse:
    """One person in a course: what they are there, how much time they have, in which groups they are."""
    user = reader(request)
    enrolment = access.enrolment_with(user, course_id, Right.READ_WORK)
    found = access.member_of(enrolment.course, pk)
    given = request.POST if request.method == "POST" else None
    do = request.POST.get("do", "") if given is not None else ""
    if given is not None:
        # To change anything takes more than to look.
        access.enrolment_with(user, course_id, Right.MANAGE)
    mine = list(found.groups.order_by("name"))
    shown = _forms(found, mine, people.groups_of(enrolment.course), do, given)
    form = shown.get(do)
    if form is not None and form.is_valid():
        try:
            messages.success(request, MEMBER_DEEDS[do](user, found, form.cleaned_data))
            return redirect("frontend:member", enrolment.course.public_id, found.pk)
        except actions.CourseRefused as refused:
            form.add_error(refused.field if refused.field in form.fields else None, refused.message)
    context = {
        "course": enrolment.course,
        "enrolment": enrolment,
        "member": found,
        "mine": mine,
        "may_manage": access.has_right(enrolment, Right.MANAGE),
        "forms": shown,
        "entries": audit.deeds_to(enrolment.course, found.user),
    }
    status = 422 if form is not None and form.errors else 200
    return render(request, "frontend/courses/member.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def leave(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Leave a course, after being asked: whoever is in it, whichever way they came in."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.VIEW)
    found, refused = enrolment.course, ""
    if request.method == "POST":
        try:
            actions.leave_course(enrolment=enrolment)
            messages.success(request, f"You have left {found}. Your work there stays, and is yours if you come back.")
            return redirect("frontend:courses")
        except actions.CourseRefused as error:
            refused = error.message
    context = {"course": found, "enrolment": enrolment, "refused": refused}
    return render(request, "frontend/courses/leave.html", context, status=422 if refused else 200)


def _forms(
    found: Enrolment, mine: list[Group], groups: list[Group], do: str, given: QueryDict | None
) -> dict[str, forms.Form]:
    """The forms of the page, by what they do; the one that was sent holds what was typed."""
    options: dict[str, Any] = {"label_suffix": ""}
    sent = {do: given}
    return {
        "role": RoleForm(sent.get("role"), initial={"role": found.role}, **options),
        "factor": FactorForm(sent.get("factor"), initial=FactorForm.initial_of(found), **options),
        "groups": GroupsForm(
            sent.get("groups"), among=groups, initial={"groups": [group.pk for group in mine]}, **options
        ),
        "drop": DropForm(sent.get("drop"), auto_id="drop-%s", **options),
        "return": forms.Form(sent.get("return")),
    }


def _role(user: User, found: Enrolment, said: dict[str, Any]) -> str:
    actions.change_role(actor=user, enrolment=found, role=said["role"])
    return f"{found.user.username} is {said['role']} from now on."


def _factor(user: User, found: Enrolment, said: dict[str, Any]) -> str:
    actions.set_time_factor(
        actor=user, enrolment=found, time_factor=said["time_factor"], reason=said.get("reason") or ""
    )
    return "The time factor is kept; what is going on ends by it."


def _group(user: User, found: Enrolment, said: dict[str, Any]) -> str:
    actions.set_groups(actor=user, enrolment=found, groups=said["groups"])
    return "The groups are kept."


def _drop(user: User, found: Enrolment, said: dict[str, Any]) -> str:
    actions.drop_member(actor=user, enrolment=found, reason=said.get("reason") or "")
    return f"{found.user.username} is no longer in the course. Their work stays."


def _return(user: User, found: Enrolment, said: dict[str, Any]) -> str:
    actions.bring_back(actor=user, enrolment=found)
    return f"{found.user.username} is in the course again, with all their work."


MEMBER_DEEDS: dict[str, Callable[[User, Enrolment, dict[str, Any]], str]] = {
    "role": _role, "factor": _factor, "groups": _group, "drop": _drop, "return": _return,
}  # fmt: skip
