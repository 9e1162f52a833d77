"""Copying a set, within its course or into another one of one's own."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access
from exercises.actions.sets.copying import copy_set
from exercises.actions.sets.refusals import SetRefused
from exercises.courses.rights import Right
from exercises.queries import set_choices
from frontend.sets.found import found_with
from frontend.signed_in import signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def copy(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Choose where to, and copy."""
    found = found_with(request, set_id, Right.MANAGE)
    person = found.enrolment.user
    error = ""
    if request.method == "POST":
        into = access.enrolment_with(person, request.POST.get("course", ""), Right.MANAGE).course
        title = request.POST.get("title", "")
        try:
            copied = copy_set(actor=person, problem_set=found.problem_set, into=into, title=title)
        except SetRefused as refused:
            error = refused.message
        else:
            left = ", ".join(copied.left_behind)
            more = f" Left out, since their authors do not share them: {left}." if left else ""
            messages.success(request, f"This is the copy, a draft: set its times.{more}")
            return redirect("frontend:set-edit", set_id=copied.problem_set.public_id)
    context = found.context(courses=set_choices.managed_by(person), error=error)
    return render(request, "frontend/sets/copy.html", context, status=422 if error else 200)
