"""The check of a draft over a thousand seeds: asked for, waited for, and its report in pictures."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises.actions.authoring import AuthoringRefused, ask_check
from frontend.authoring.desk import own_desk, revision_of
from frontend.authoring.page import check_context
from frontend.limited import limited
from frontend.signed_in import is_fragment, signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def check(request: HttpRequest, slug: str) -> HttpResponse:
    """How the check of the draft stands; a form asks for one."""
    found = own_desk(request, slug)
    notice = ""
    if request.method == "POST":
        try:
            ask_check(author=found.author, problem=found.problem, revision=revision_of(request))
        except AuthoringRefused as refused:
            notice = refused.message
    if is_fragment(request):
        return render(request, "frontend/authoring/_check.html", {**check_context(found), "notice": notice})
    if notice:
        messages.error(request, notice)
    return redirect(reverse("frontend:author-problem", args=[found.problem.slug]) + "#check")
