"""Saving what stands in the boxes: by the script as one types, and by the plain buttons that go on to another item."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, resolve_url
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from exercises import access
from exercises.actions.sitting.refusals import AttemptOver, PageOutOfDate
from exercises.actions.sitting.save import leave_aside, save_answers, take_up
from exercises.queries.attempt import variants_of
from exercises.refusals import AnswersRefused
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.sitting import item_address, keeps_typed, posted, wants_json
from frontend.sitting_refused import told_in_json, told_on_page
from frontend.typed_number import typed_number

ASIDE = (
    "Something newer was saved from another page, so what you sent was set aside. It is below: take it up or leave it."
)


@never_cache
@require_POST
@keeps_typed
@signed_in
@limited
def save(request: HttpRequest, attempt_id: uuid.UUID, position: int) -> HttpResponse:
    """Save, and go where the button says."""
    found = access.attempt_item_of(reader(request), attempt_id, position)
    form = posted(request, found, variants_of(found)[-1])
    try:
        saved = save_answers(
            attempt_item=found,
            variant_id=form.variant,
            answers=form.answers,
            based_on=form.based_on,
            locale=form.locale,
            page=form.page,
        )
    except (AttemptOver, PageOutOfDate, AnswersRefused) as refused:
        if wants_json(request):
            return told_in_json(refused)
        return told_on_page(request, found, form, refused)
    if wants_json(request):
        return JsonResponse(
            {"kind": saved.kind, "version": saved.version, "aside": saved.aside, "answers": saved.answers}
        )
    if saved.kind == "aside":
        messages.warning(request, ASIDE)
        return redirect(item_address(attempt_id, position))
    return redirect(_where(request, attempt_id, position))


@never_cache
@require_POST
@keeps_typed
@signed_in
@limited
def aside(request: HttpRequest, attempt_id: uuid.UUID, position: int) -> HttpResponse:
    """Take up what was set aside, or leave it."""
    found = access.attempt_item_of(reader(request), attempt_id, position)
    number = typed_number(request.POST.get("aside", "")) or 0
    try:
        if request.POST.get("do") == "leave":
            leave_aside(attempt_item=found, aside=number)
        else:
            take_up(attempt_item=found, aside=number)
            messages.success(request, "It stands in the boxes now, and is saved.")
    except AttemptOver as refused:
        messages.error(request, refused.message)
    return redirect(item_address(attempt_id, position))


def _where(request: HttpRequest, attempt_id: uuid.UUID, position: int) -> str:
    """The page that the pressed button leads to."""
    go = request.POST.get("go", "")
    if (number := typed_number(go, digits=5)) is not None:
        return item_address(attempt_id, number)
    if go == "overview":
        return resolve_url("frontend:attempt", attempt_id=attempt_id)
    if go == "hand-in":
        return resolve_url("frontend:attempt-hand-in", attempt_id=attempt_id)
    return item_address(attempt_id, position)
