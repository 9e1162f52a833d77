"""The editor of a problem file: the text itself, stored as one types, and what is wrong with it."""

from dataclasses import asdict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from exercises.actions.authoring import AuthoringRefused, StaleDraft, ask_check, save_draft
from exercises.queries import authoring as queries
from frontend.authoring.desk import Desk, desk, own_desk, revision_of, seed_of, sent_text
from frontend.authoring.page import editor_context, reading_context
from frontend.kept_form import BACK_AGAIN, take_form
from frontend.signed_in import signed_in
from frontend.typed_number import typed_number

#: Where each button of the form leads once the text is stored.
AFTER = {"save": "", "preview": "#preview", "check": "#check"}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def problem(request: HttpRequest, slug: str) -> HttpResponse:
    """One's own problem in the editor; one of somebody else to read, try and fork."""
    if request.method == "POST":
        return _sent(request, own_desk(request, slug))
    found = desk(request, slug)
    if not found.is_own:
        context = reading_context(found, first=seed_of(request))
        return render(request, "frontend/authoring/reading.html", context)
    kept = take_form(request, found.author)
    text = kept.get("source") if kept else None
    if kept is None or text is None:
        return render(request, "frontend/authoring/editor.html", editor_context(found, first=seed_of(request)))
    messages.warning(request, BACK_AGAIN)
    revision = typed_number(kept.get("revision", ""), digits=9) or 0
    context = editor_context(found, first=seed_of(request), text=text.replace("\r\n", "\n"), revision=revision)
    return render(request, "frontend/authoring/editor.html", context)


def _sent(request: HttpRequest, found: Desk) -> HttpResponse:
    """Store the text, then go on to what the button was for."""
    text = sent_text(request) or ""
    do = request.POST.get("do", "save")
    try:
        draft = save_draft(author=found.author, problem=found.problem, source=text, revision=revision_of(request))
        if do == "check":
            ask_check(author=found.author, problem=found.problem, revision=draft.revision)
    except StaleDraft as stale:
        return _stale(request, found, stale, text)
    except AuthoringRefused as refused:
        context = editor_context(
            found, first=seed_of(request), text=text, revision=revision_of(request), notice=refused.message
        )
        return render(request, "frontend/authoring/editor.html", context, status=422)
    if do == "publish":
        return redirect("frontend:author-publish", slug=found.problem.slug)
    if do == "save":
        messages.success(request, "Saved as your draft. Learners see no change before it is published.")
    first = f"?from={seed_of(request)}" if request.POST.get("from") else ""
    return redirect(reverse("frontend:author-problem", args=[found.problem.slug]) + first + AFTER.get(do, ""))


def _stale(request: HttpRequest, found: Desk, stale: StaleDraft, text: str) -> HttpResponse:
    """Both texts, and a choice: nothing that was written is lost."""
    context = {
        **found.context,
        "stale": stale,
        "text": text,
        "difference": queries.difference(stale.source, text),
        "tab": "editor",
    }
    return render(request, "frontend/authoring/stale.html", context, status=409)


@never_cache
@require_POST
@signed_in
def save(request: HttpRequest, slug: str) -> HttpResponse:
    """Store the text for a script that does so as one types: JSON with the new revision; 409 in a page that is out of
    date, where nothing is overwritten."""
    found = own_desk(request, slug)
    text = sent_text(request)
    if text is None:
        return JsonResponse({"says": "There is no text in this form: reload the page."}, status=422)
    try:
        draft = save_draft(author=found.author, problem=found.problem, source=text, revision=revision_of(request))
    except StaleDraft as stale:
        return JsonResponse({"says": stale.message, "revision": stale.revision}, status=409)
    except AuthoringRefused as refused:
        return JsonResponse({"says": refused.message}, status=422)
    return JsonResponse({"revision": draft.revision, "says": f"Saved at {timezone.localtime():%H:%M}."})


@never_cache
@require_POST
@signed_in
def faults(request: HttpRequest, slug: str) -> HttpResponse:
    """What is wrong with a text, by line, as JSON, and as the list of the page."""
    desk(request, slug)
    found = [asdict(fault) for fault in queries.faults(sent_text(request) or "")]
    html = render_to_string("frontend/authoring/_faults.html", {"faults": found})
    return JsonResponse({"faults": found, "html": html})


@never_cache
@require_POST
@signed_in
def completions(request: HttpRequest, slug: str) -> HttpResponse:
    """What may stand at a place of a text, as JSON."""
    desk(request, slug)
    line, column = (typed_number(request.POST.get(name, ""), digits=6) for name in ("line", "column"))
    if line is None or column is None:
        return JsonResponse({"completions": []})
    found = queries.completions(sent_text(request) or "", line, column)
    return JsonResponse({"completions": [asdict(each) for each in found]})
