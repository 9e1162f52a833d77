"""What becomes of a problem beyond its text: seeds withdrawn, sharing, licence, and the end."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from exercises.actions.authoring import (
    AuthoringRefused,
    bring_back,
    discard_draft,
    restore_variant,
    retire_problem,
    set_licence,
    set_shared,
    withdraw_variant,
)
from exercises.queries import authoring as queries
from frontend.authoring.desk import Desk, own_desk, revision_of
from frontend.authoring.starting import LicenceForm, WithdrawForm
from frontend.limited import limited
from frontend.signed_in import signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """The variants that nobody is given any more, and a form for one more."""
    found = own_desk(request, slug)
    initial = {"seed": request.GET.get("seed", "")[:12]}
    form = WithdrawForm(request.POST if request.method == "POST" else None, initial=initial, label_suffix="")
    if form.is_valid():
        said = form.cleaned_data
        try:
            withdraw_variant(author=found.author, problem=found.problem, reason=said["reason"], seed=said["seed"])
            messages.success(request, f"Nobody is given the variant of seed {said['seed']} any more.")
            return redirect("frontend:author-withdraw", slug=slug)
        except AuthoringRefused as refused:
            form.refuse(refused)
    context = {**found.context, "form": form, "rows": queries.withdrawn_of(found.problem), "tab": "withdrawn"}
    return render(request, "frontend/authoring/withdrawn.html", context, status=422 if form.errors else 200)


@never_cache
@require_POST
@signed_in
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a withdrawn variant be given again."""
    found = own_desk(request, slug)
    try:
        restore_variant(author=found.author, problem=found.problem, digest=request.POST.get("digest", "")[:64])
        messages.success(request, "It may be given again.")
    except AuthoringRefused as refused:
        messages.error(request, refused.message)
    return redirect("frontend:author-withdraw", slug=slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def sharing(request: HttpRequest, slug: str) -> HttpResponse:
    """Who may use it, under which licence, and whether it is still in use."""
    found = own_desk(request, slug)
    form = LicenceForm(initial={"licence": found.problem.licence}, label_suffix="")
    if request.method == "POST":
        form = LicenceForm(request.POST if request.POST.get("do") == "licence" else None, label_suffix="")
        try:
            said, page = _done(request, found, form)
            if said:
                messages.success(request, said)
                return redirect(page)
        except AuthoringRefused as refused:
            if form.is_bound:
                form.refuse(refused)
            else:
                messages.error(request, refused.message)
    context = {**found.context, "form": form, "editor": queries.editor_of(found.problem), "tab": "sharing"}
    return render(request, "frontend/authoring/sharing.html", context, status=422 if form.errors else 200)


def _done(request: HttpRequest, found: Desk, form: LicenceForm) -> tuple[str, str]:
    """Do what the button says: the words for it, or none if there is nothing to be done, and the page to go on to."""
    author, problem = found.author, found.problem
    here = reverse("frontend:author-sharing", args=[problem.slug])
    match request.POST.get("do"):
        case "share":
            set_shared(author=author, problem=problem, shared=True)
            return "Other authors may use and fork it now.", here
        case "unshare":
            set_shared(author=author, problem=problem, shared=False)
            return "It is yours alone. Sets and forks that have it keep it.", here
        case "licence" if form.is_valid():
            set_licence(author=author, problem=problem, licence=form.cleaned_data["licence"])
            return "The licence is kept.", here
        case "retire":
            retire_problem(author=author, problem=problem)
            return "It is retired: nothing new is drawn from it. What was drawn stays.", here
        case "back":
            bring_back(author=author, problem=problem)
            return "It is in use again.", here
        case "discard":
            is_gone = discard_draft(author=author, problem=problem, revision=revision_of(request))
            return "The draft is thrown away.", reverse("frontend:authoring") if is_gone else here
    return "", here
