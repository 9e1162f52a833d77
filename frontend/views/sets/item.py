"""One item of a set: weight, variants, steps, version, pool, and what is changed of its problem."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises.actions.sets import items
from exercises.actions.sets.refusals import SetChanged, SetRefused
from exercises.models import ProblemSet
from exercises.queries import set_contents, set_learners
from exercises.set_rows import state_of
from frontend.sets.found import found_to_change
from frontend.sets.item_form import ItemForm
from frontend.sets.item_now import differences
from frontend.signed_in import signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def page(request: HttpRequest, set_id: uuid.UUID, pk: int) -> HttpResponse:
    """Change one item. Whoever is slower sees both, and keeps what they typed."""
    found = found_to_change(request, set_id)
    item = set_contents.item_at(found.problem_set, pk)
    if item is None:
        raise Http404("There is no such item.")
    versions, pools = set_contents.versions_of(item.problem), set_contents.pools_of(found.problem_set)
    there = ItemForm.of(item, versions, pools)
    form = there
    context: dict[str, Any] = {}
    if request.method == "POST":
        form = ItemForm(item, versions, pools, dict(request.POST.lists()))
        details = form.details() if request.POST.get("do") == "keep" else None
        if details is not None:
            try:
                seen = request.POST.get("seen", "")
                items.change_item(actor=found.enrolment.user, item=item, seen=seen, details=details)
                messages.success(request, f"{item.problem.title} is kept for whoever begins from now on.")
                return redirect("frontend:set-items", set_id=found.problem_set.public_id)
            except SetChanged as changed:
                # Now this form is up to date: sent again, it is kept.
                context = {"changed": changed.message, "differences": differences(there, form)}
            except SetRefused as refused:
                form.errors |= refused.faults or {"": refused.message}
    status = 409 if context else 422 if form.errors else 200
    context |= {
        "form": form,
        "item": item,
        "row": set_contents.item_row(item),
        "seen": state_of(item),
        "is_practice": found.problem_set.mode == ProblemSet.Mode.PRACTICE,
        "begun": set_learners.begun_by(found.problem_set),
    }
    return render(request, "frontend/sets/item.html", found.context(**context), status=status)
