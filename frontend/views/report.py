"""A learner's report that something is wrong with a problem."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access, actions
from exercises.queries.staff import own_reports
from exercises.refusals import Refused
from frontend.limited import limited
from frontend.signed_in import reader, signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def report(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Say that something is wrong with a problem."""
    found = access.variant_for(reader(request), public_id)
    context = {
        "variant": found,
        "send_to": request.path,
        "back": reverse("frontend:variant", kwargs={"public_id": found.public_id}),
        "back_words": "Back to the problem",
        "zone": "UTC",
    }
    if request.method != "POST":
        return render(request, "frontend/report.html", {**context, "reports": own_reports(reader(request), found)})
    text = request.POST.get("text", "")
    try:
        actions.report_fault(learner=reader(request), variant=found, text=text)
    except Refused as refused:
        said = {"text": text, "refused": refused.message}
        return render(request, "frontend/report.html", {**context, **said}, status=422)
    messages.success(request, "Thank you. The report is stored with your variant, your answer and its verdict.")
    return redirect("frontend:variant", public_id=found.public_id)
