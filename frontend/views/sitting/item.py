"""The page of one item of an attempt."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from exercises import access, queries
from exercises.loading import problem_of
from exercises.models import ProblemSet
from exercises.queries.attempt import variants_of
from frontend.signed_in import reader, signed_in
from frontend.sitting import keeps_typed
from frontend.sitting_page import item_context
from frontend.typed_form import typed_answers
from frontend.typed_number import typed_number
from frontend.variant_page import locale_of


@never_cache
@require_safe
@signed_in
def item(request: HttpRequest, attempt_id: uuid.UUID, position: int) -> HttpResponse:
    """The item with its boxes; in a set for practice, the page of its variant. ``try`` looks back at an earlier one."""
    found = access.attempt_item_of(reader(request), attempt_id, position)
    if found.attempt.problem_set.mode == ProblemSet.Mode.PRACTICE:
        return redirect("frontend:variant", public_id=variants_of(found)[-1].public_id)
    context = item_context(request, found, which=typed_number(request.GET.get("try", ""), digits=2) or 0)
    return render(request, "frontend/sitting/item.html", context)


@never_cache
@require_POST
@keeps_typed
@signed_in
def reading(request: HttpRequest, attempt_id: uuid.UUID, position: int, step: str) -> HttpResponse:
    """How something is read while it is being typed. Nothing is stored."""
    variant = variants_of(access.attempt_item_of(reader(request), attempt_id, position))[-1]
    typed = typed_answers(request.POST, problem_of(variant)).get(step, "")
    try:
        read = queries.reading_of(variant, step, typed, locale_of(request))
    except KeyError:
        raise Http404("This problem asks no such step.") from None
    return render(request, "frontend/_reading.html", {"reading": read})
