"""Looking at what a text draws, and trying it: nothing of this is stored."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from frontend.authoring.desk import desk, seed_of, text_of
from frontend.authoring.panes import pane_views, preview_context
from frontend.authoring.trying import trial_of
from frontend.limited import limited
from frontend.signed_in import is_fragment, signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Variants of several seeds side by side: a part of the page for a script, else a page."""
    found = desk(request, slug)
    text = text_of(request, found)
    context = {**found.context, **preview_context(text, seed_of(request)), "text": text, "tab": "editor"}
    name = "_preview" if is_fragment(request) else "preview"
    return render(request, f"frontend/authoring/{name}.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def attempt(request: HttpRequest, slug: str) -> HttpResponse:
    """The boxes of one seed, and what the grader says to what stands in them."""
    found = desk(request, slug)
    text, seed = text_of(request, found), seed_of(request, "seed")
    trial = trial_of(request, text, seed)
    context = {**found.context, "trial": trial, "seed": seed, "text": text, "tab": "editor"}
    if is_fragment(request):
        name = "_marks" if request.POST.get("mark") else "_trial"
        return render(request, f"frontend/authoring/{name}.html", context)
    views = pane_views(text, [seed])
    return render(request, "frontend/authoring/trial.html", {**context, "pane": views[0] if views else None})
