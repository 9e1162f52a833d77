"""Which problems there are: one's own, those to look at and fork, and how one begins with a new one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access
from exercises.actions.authoring import AuthoringRefused, fork_problem, new_problem
from exercises.queries import authoring as queries
from frontend.authoring.desk import author
from frontend.authoring.starting import StartForm
from frontend.limited import limited
from frontend.signed_in import signed_in
from frontend.typed_number import asked_page

#: What a search may be long.
LONGEST_SEARCH = 100


@never_cache
@require_safe
@signed_in
def authoring(request: HttpRequest) -> HttpResponse:
    """One's own problems, or those of others to look at and fork; found by title and skill, page by page."""
    found = author(request)
    shown = request.GET.get("show", "own")
    shown = shown if shown in ("own", "retired", "others") else "own"
    text = request.GET.get("text", "").strip()[:LONGEST_SEARCH]
    page = asked_page(request)
    if shown == "others":
        listed = queries.shared_problems(found, page=page, text=text)
    else:
        listed = queries.own_problems(found, page=page, retired=shown == "retired", text=text)
    context = {"listed": listed, "show": shown, "text": text}
    return render(request, "frontend/authoring/problems.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def new(request: HttpRequest) -> HttpResponse:
    """Begin a problem of one's own: a small file that works already."""
    found = author(request)
    form = StartForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        try:
            made = new_problem(author=found, title=form.cleaned_data["title"], licence=form.cleaned_data["licence"])
            return redirect("frontend:author-problem", slug=made.slug)
        except AuthoringRefused as refused:
            form.refuse(refused)
    return render(request, "frontend/authoring/new.html", {"form": form}, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def fork(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin one's own problem with what another one says now."""
    found = author(request)
    original = access.usable_problem(found, slug)
    initial = {"title": original.title, "licence": original.licence}
    form = StartForm(request.POST if request.method == "POST" else None, initial=initial, label_suffix="")
    if original.licence:
        del form.fields["licence"]
    if form.is_valid():
        said = form.cleaned_data
        try:
            made = fork_problem(
                author=found, problem=original, title=said["title"], licence=said.get("licence", original.licence)
            )
            messages.success(request, f"This is your own copy of {original.title}: change what you like.")
            return redirect("frontend:author-problem", slug=made.slug)
        except AuthoringRefused as refused:
            form.refuse(refused)
    context = {"form": form, "original": original}
    return render(request, "frontend/authoring/fork.html", context, status=422 if form.errors else 200)
