"""The receipt of a hand-in, and the page on which those who teach see whether one is genuine."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from exercises import access
from exercises.actions.sitting.receipt import plain_code, verify_receipt
from exercises.courses.rights import Right
from frontend.signed_in import reader, signed_in
from frontend.sitting_page import overview_context

MOST_CODE = 60


@never_cache
@require_safe
@signed_in
def receipt(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """What was handed in, when, and the code that proves it."""
    found = access.attempt_of(reader(request), attempt_id)
    if found.handed_in_at is None:
        return redirect("frontend:attempt", attempt_id=attempt_id)
    return render(request, "frontend/sitting/receipt.html", overview_context(request, found))


@never_cache
@require_safe
@signed_in
def verify(request: HttpRequest) -> HttpResponse:
    """Whether what is stored is what was handed in, by the code of a receipt."""
    staff = access.reads_work(reader(request))
    code = request.GET.get("code", "")[:MOST_CODE].strip()
    context: dict[str, object] = {"code": code, "verified": None}
    if code:
        try:
            found = access.attempt_by_receipt(staff, plain_code(code), Right.READ_WORK)
        except Http404:
            pass
        else:
            context["verified"] = verify_receipt(attempt=found)
    return render(request, "frontend/sitting/verify.html", context)
