"""From a draft to what learners meet: the gate, what a change would do, and every version there was."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises.actions.authoring import AuthoringRefused, NotPublished, StaleDraft, publish_draft
from exercises.models import Problem
from exercises.queries import authoring as queries
from frontend.authoring.desk import desk, own_desk, revision_of
from frontend.authoring.page import compared, publish_context
from frontend.authoring.starting import PublishForm
from frontend.limited import limited
from frontend.signed_in import signed_in
from frontend.typed_number import asked_page, typed_number


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """What would be new and whom it would touch; then the version itself, if it passes."""
    found = own_desk(request, slug)
    form = PublishForm(request.POST if request.method == "POST" else None, label_suffix="")
    refusal: AuthoringRefused | None = None
    if form.is_valid():
        try:
            done = publish_draft(
                author=found.author,
                problem=found.problem,
                summary=form.cleaned_data["summary"],
                revision=revision_of(request),
            )
            said = f"Version {done.version.number} is published." if done.is_new else "This was published already."
            messages.success(request, said)
            return redirect("frontend:author-versions", slug=slug)
        except (NotPublished, StaleDraft) as refused:
            refusal = refused
        except AuthoringRefused as refused:
            form.refuse(refused)
    context = {**publish_context(found), "form": form, "refusal": refusal}
    return render(
        request, "frontend/authoring/publish.html", context, status=422 if form.errors or refusal is not None else 200
    )


@never_cache
@require_safe
@signed_in
def versions(request: HttpRequest, slug: str) -> HttpResponse:
    """Every version, with what was new in it."""
    found = desk(request, slug)
    context = {
        **found.context,
        "listed": queries.versions_of(found.problem, page=asked_page(request)),
        "tab": "versions",
    }
    return render(request, "frontend/authoring/versions.html", context)


@never_cache
@require_safe
@signed_in
def diff(request: HttpRequest, slug: str) -> HttpResponse:
    """What is different between two versions, or between one and the draft: by meaning, and line by line."""
    found = desk(request, slug)
    old, new = (request.GET.get(name, "") for name in ("old", "new"))
    texts = [_text(found.problem, said, is_own=found.is_own) for said in (old, new)]
    context = {**found.context, **compared(*texts), "old": old, "new": new, "tab": "versions"}
    return render(request, "frontend/authoring/diff.html", context)


def _text(problem: Problem, said: str, *, is_own: bool) -> str:
    """The text of a version by its number, or of one's own draft."""
    if said == "draft" and is_own:
        return queries.editor_of(problem).source
    number = typed_number(said, digits=8)
    if number is None:
        raise Http404("There is no such version.")
    return queries.version_of(problem, number, is_own=is_own).source
