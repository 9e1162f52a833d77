"""Handing in: asked once, plainly, with what is blank."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access
from exercises.actions.sitting import hand_in as handing
from exercises.actions.sitting.refusals import AttemptOver
from frontend.signed_in import reader, signed_in
from frontend.sitting import keeps_typed
from frontend.sitting_page import overview_context


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@keeps_typed
@signed_in
def hand_in(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Ask, then hand in and go to the receipt; who has handed in goes there at once."""
    found = access.attempt_of(reader(request), attempt_id)
    if found.handed_in_at is None and request.method == "POST":
        try:
            handing.hand_in(attempt=found)
        except AttemptOver as refused:
            messages.error(request, refused.message)
            return redirect("frontend:attempt", attempt_id=attempt_id)
    if found.handed_in_at is not None:
        return redirect("frontend:attempt-receipt", attempt_id=attempt_id)
    return render(request, "frontend/sitting/hand_in.html", overview_context(request, found))
