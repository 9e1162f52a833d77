"""Changing a problem in a form: title, ranges, words, digits and mistakes, with two variants beside it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises.actions.authoring import AuthoringRefused, fork_problem, save_draft
from exercises.queries import authoring as queries
from frontend.authoring.desk import Desk, current_text, desk, revision_of
from frontend.authoring.guided_form import GuidedForm
from frontend.authoring.panes import pane_views
from frontend.kept_form import BACK_AGAIN, take_form
from frontend.signed_in import is_fragment, signed_in
from frontend.typed_number import typed_number
from grader.errors import ProblemError

#: What stands beside the form.
SEEDS = (1, 2)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def guided(request: HttpRequest, slug: str) -> HttpResponse:
    """The form of one's own problem, or of one to be forked by it."""
    found = desk(request, slug)
    editor = queries.editor_of(found.problem)
    source = editor.source if found.is_own else current_text(found.problem)
    kept = take_form(request, found.author)
    typed = {name: request.POST[name] for name in request.POST} if request.method == "POST" else kept
    if kept is not None:
        messages.warning(request, BACK_AGAIN)
    try:
        form = GuidedForm(source, typed)
    except ProblemError:
        messages.error(request, "This draft has a fault that a form cannot show: mend it here.")
        return redirect("frontend:author-problem", slug=slug)
    text = form.text() if typed is not None else source
    refusal = ""
    if text is not None and request.POST.get("do") == "keep":
        try:
            return _kept(request, found, form, text)
        except AuthoringRefused as refused:
            refusal = refused.message
    context = {
        **found.context,
        "form": form,
        "editor": editor,
        "revision": editor.revision if kept is None else typed_number(kept.get("revision", ""), digits=9) or 0,
        "is_unsaved": typed is not None,
        "refusal": refusal,
        "panes": pane_views(text or source, SEEDS),
        "is_older": text is None,
        "tab": "guided",
    }
    if is_fragment(request):
        return render(request, "frontend/authoring/_guided_preview.html", context)
    is_wrong = form.is_wrong or bool(refusal)
    return render(request, "frontend/authoring/guided.html", context, status=422 if is_wrong else 200)


def _kept(request: HttpRequest, found: Desk, form: GuidedForm, text: str) -> HttpResponse:
    """The text as a draft: of one's own problem, or of a fork made now."""
    problem, revision = found.problem, revision_of(request)
    if not found.is_own:
        title = next(row.value for row in form.main if row.name == "title")
        problem = fork_problem(author=found.author, problem=found.problem, title=title)
        revision = queries.editor_of(problem).revision
    save_draft(author=found.author, problem=problem, source=text, revision=revision)
    messages.success(request, "Kept as your draft. Look at it, check it, then publish it.")
    return redirect("frontend:author-problem", slug=problem.slug)
