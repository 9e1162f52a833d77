"""Handing in: asked once, plainly, with what is blank."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access
from exercises.actions.sitting import hand_in as handing
from exercises.actions.sitting.refusals import AttemptOver, NotInThisSet, TimeNotUp
from exercises.models import ProblemSet
from frontend.signed_in import reader, signed_in
from frontend.sitting import WAS_SIGNED_OUT, item_address, keeps_typed
from frontend.sitting_page import overview_context
from frontend.typed_number import typed_number


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@signed_in
def hand_in(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Ask, then hand in and go to the receipt; who has handed in goes there at once. A page whose countdown ran out
    says so, and goes on where there is more time by now."""
    found = access.attempt_of(reader(request), attempt_id)
    if found.handed_in_at is None and request.method == "POST":
        try:
            handing.hand_in(attempt=found, because_time_is_up=request.POST.get("because") == "time")
        except TimeNotUp as refused:
            messages.info(request, refused.message)
            return redirect(_back(request, attempt_id))
        except AttemptOver as refused:
            messages.error(request, refused.message)
            return redirect("frontend:attempt", attempt_id=attempt_id)
        except NotInThisSet as refused:
            raise Http404(refused.message) from refused
    if found.handed_in_at is not None:
        return redirect("frontend:attempt-receipt", attempt_id=attempt_id)
    if found.problem_set.mode == ProblemSet.Mode.PRACTICE:
        raise Http404("Practice is not handed in.")
    context = overview_context(request, found)
    context["was_signed_out"] = WAS_SIGNED_OUT in request.GET and context["standing"].is_open
    return render(request, "frontend/sitting/hand_in.html", context)


def _back(request: HttpRequest, attempt_id: uuid.UUID) -> str:
    """The page whose countdown ran out: that of an item, else of the whole attempt."""
    position = typed_number(request.POST.get("item", ""), digits=5)
    if position is not None:
        return item_address(attempt_id, position)
    return resolve_url("frontend:attempt", attempt_id=attempt_id)
