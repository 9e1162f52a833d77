"""Applying a regrade, undoing it, and calling it off: for whoever manages the course."""

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from exercises import access
from exercises.actions.regrading.deciding import RegradeRefused, apply_regrade, drop_regrade, undo_regrade
from exercises.courses.rights import Right
from exercises.models import RegradeEvent
from frontend.limited import limited
from frontend.signed_in import reader, signed_in


@never_cache
@require_POST
@signed_in
@limited
def apply(request: HttpRequest, event_id: uuid.UUID) -> HttpResponse:
    """Let the new verdicts count."""
    return _decided(request, event_id, apply_regrade)


@never_cache
@require_POST
@signed_in
@limited
def undo(request: HttpRequest, event_id: uuid.UUID) -> HttpResponse:
    """Let the verdicts before it count again."""
    return _decided(request, event_id, undo_regrade)


@never_cache
@require_POST
@signed_in
@limited
def drop(request: HttpRequest, event_id: uuid.UUID) -> HttpResponse:
    """Call it off: it was never applied."""
    return _decided(request, event_id, drop_regrade)


def _decided(request: HttpRequest, event_id: uuid.UUID, action: Callable[..., RegradeEvent]) -> HttpResponse:
    event = access.regrade_with(reader(request), event_id, Right.MANAGE)
    try:
        action(event=event, actor=reader(request))
    except RegradeRefused as refused:
        messages.error(request, refused.message)
    return redirect("frontend:regrade", event_id=event.public_id)
