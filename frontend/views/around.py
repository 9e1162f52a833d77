"""What a learner does around the answers of a variant: a forecast, a hint, the solution, a report of a fault."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from exercises import access, actions
from exercises.models import Variant
from exercises.refusals import Refused
from frontend.signed_in import is_fragment, reader, signed_in
from frontend.typed_form import keep_typed, typed_answers
from frontend.variant_page import locale_of, page_context
from grader.problem import load


@never_cache
@require_POST
@signed_in
def forecast(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Keep what the learner expects. It is never graded."""
    found = access.variant_for(reader(request), public_id)
    try:
        actions.keep_forecast(variant=found, text=request.POST.get("text", ""))
    except Refused as refused:
        return _shown(request, found, notice=refused.message)
    return _shown(request, found)


@never_cache
@require_POST
@signed_in
def hint(request: HttpRequest, public_id: uuid.UUID, step: str) -> HttpResponse:
    """Show the next hint of a step; what stands in the boxes stays there."""
    found = access.variant_for(reader(request), public_id)
    try:
        use = actions.take_hint(variant=found, step=step, locale=locale_of(request))
    except Refused as refused:
        return _shown(request, found, notice=refused.message, step=step)
    return _shown(request, found, step=step, announcement=f"Hint {use.number}: {use.text}")


@never_cache
@require_http_methods(["GET", "POST"])
@signed_in
def reveal(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Ask once, plainly, then show the worked solution and close the variant for credit."""
    found = access.variant_for(reader(request), public_id)
    address = reverse("frontend:variant", kwargs={"public_id": found.public_id})
    if found.is_closed:
        return redirect(f"{address}#solution")
    if request.method == "POST":
        keep_typed(request.session, str(found.public_id), request.POST)
        if request.POST.get("sure") == "yes":
            actions.reveal_solution(variant=found)
            return redirect(f"{address}#solution")
        if is_fragment(request):
            return HttpResponse(headers={"HX-Redirect": request.path})
    return render(request, "frontend/reveal.html", {"variant": found})


@never_cache
@require_http_methods(["GET", "POST"])
@signed_in
def report(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Say that something is wrong with a problem."""
    found = access.variant_for(reader(request), public_id)
    if request.method != "POST":
        return render(request, "frontend/report.html", {"variant": found})
    text = request.POST.get("text", "")
    try:
        actions.report_fault(learner=reader(request), variant=found, text=text)
    except Refused as refused:
        context = {"variant": found, "text": text, "refused": refused.message}
        return render(request, "frontend/report.html", context, status=422)
    messages.success(request, "Thank you. The report is stored with your variant, your answer and its verdict.")
    return redirect("frontend:variant", public_id=found.public_id)


def _shown(
    request: HttpRequest, found: Variant, *, notice: str = "", step: str = "", announcement: str = ""
) -> HttpResponse:
    """The workbench again for a script, else the page, with what was typed still in its boxes."""
    if is_fragment(request):
        typed = typed_answers(request.POST, load(found.version.source))
        context = page_context(request, found, notice=notice, typed=typed)
        return render(request, "frontend/_workbench_news.html", {**context, "announcement": announcement or notice})
    keep_typed(request.session, str(found.public_id), request.POST)
    if notice:
        messages.error(request, notice)
    address = reverse("frontend:variant", kwargs={"public_id": found.public_id})
    return redirect(f"{address}#step-{step}" if step else address)
