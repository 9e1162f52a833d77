"""A learner's report that something is wrong with an item of an attempt."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access, actions
from exercises.course_rules import zone_of
from exercises.queries.attempt import variants_of
from exercises.queries.staff import own_reports
from exercises.refusals import TextRefused
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.sitting import item_address

THANKS = "Thank you. The report is stored with your numbers and your last answer, and those who teach see it."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def report(request: HttpRequest, attempt_id: uuid.UUID, position: int) -> HttpResponse:
    """Say that something is wrong with an item; the attempt goes on."""
    found = access.attempt_item_of(reader(request), attempt_id, position)
    variant = variants_of(found)[-1]
    context: dict[str, object] = {
        "variant": variant,
        "send_to": request.path,
        "back": item_address(attempt_id, position),
        "back_words": "Back to the item",
        "zone": zone_of(found.attempt.problem_set.course),
    }
    if request.method != "POST":
        context["reports"] = own_reports(reader(request), variant)
        return render(request, "frontend/report.html", context)
    text = request.POST.get("text", "")
    try:
        actions.report_fault(learner=reader(request), variant=variant, text=text)
    except TextRefused as refused:
        context |= {"text": text, "refused": refused.message}
        return render(request, "frontend/report.html", context, status=422)
    messages.success(request, THANKS)
    return redirect(item_address(attempt_id, position))
