"""Decks: what is in one, cards set aside, and for those who teach making, editing, importing and exporting."""

from typing import Literal

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exercises import access, actions, queries
from exercises.refusals import Refused
from frontend.deck_form import FORMATS, DeckForm, ImportForm
from frontend.limited import limited
from frontend.signed_in import reader, signed_in

#: Content type and ending of each format.
EXPORTS: dict[str, tuple[Literal["csv", "anki"], str, str]] = {
    "csv": ("csv", "text/csv", "csv"),
    "anki": ("anki", "text/plain", "txt"),
}


@never_cache
@require_safe
@signed_in
def deck(request: HttpRequest, slug: str) -> HttpResponse:
    """One deck: how one stands with it; for its author and other teachers also what is in it."""
    learner = reader(request)
    found = access.deck_for(learner, slug)
    row = next((row for row in queries.decks_for(learner) if row.deck.pk == found.pk), None)
    if row is None:  # no longer shared since the line before
        raise Http404("There is no such deck.")
    context = {
        "deck": found,
        "row": row,
        "day": queries.card_day(learner),
        "is_own": found.owner_id == learner.pk and learner.is_instructor,
        "cards": queries.deck_cards(found) if learner.is_instructor else None,
        "formats": FORMATS,
    }
    return render(request, "frontend/cards/deck.html", context)


@never_cache
@require_safe
@signed_in
def set_aside(request: HttpRequest) -> HttpResponse:
    """The cards that do not come, and why."""
    return render(request, "frontend/cards/set_aside.html", {"rows": queries.suspended(reader(request))})


@never_cache
@require_POST
@signed_in
def bring_back(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Let a card come again."""
    learner = reader(request)
    card = access.card_for(learner, slug, key)
    actions.unsuspend_card(learner=learner, card=card)
    messages.success(request, "It is back, and comes when it is due.")
    return redirect("frontend:cards-set-aside")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_deck(request: HttpRequest) -> HttpResponse:
    """Make a deck."""
    author = access.instructor(reader(request))
    form = DeckForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        try:
            made = actions.create_deck(author=author, **form.cleaned_data)
            return redirect("frontend:deck", slug=made.slug)
        except Refused as refused:
            form.add_error(None, refused.message)
    context = {"form": form, "deck": None}
    return render(request, "frontend/cards/deck_form.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit_deck(request: HttpRequest, slug: str) -> HttpResponse:
    """Change what a deck is called and who may learn from it, or take it away."""
    author = access.instructor(reader(request))
    found = access.own_deck(author, slug)
    if request.method == "POST" and request.POST.get("do") == "retire":
        actions.retire_deck(author=author, deck=found)
        messages.success(request, f"{found.title} is taken away.")
        return redirect("frontend:cards")
    initial = {"title": found.title, "summary": found.summary, "is_shared": found.is_shared}
    form = DeckForm(request.POST if request.method == "POST" else None, initial=initial, label_suffix="")
    if form.is_valid():
        try:
            actions.edit_deck(author=author, deck=found, **form.cleaned_data)
            return redirect("frontend:deck", slug=found.slug)
        except Refused as refused:
            form.add_error(None, refused.message)
    context = {"form": form, "deck": found}
    return render(request, "frontend/cards/deck_form.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def import_deck(request: HttpRequest, slug: str) -> HttpResponse:
    """Bring cards in: first a table of what would change, then the change."""
    author = access.instructor(reader(request))
    found = access.own_deck(author, slug)
    if request.method != "POST":
        return render(request, "frontend/cards/import.html", {"deck": found, "form": ImportForm(label_suffix="")})
    form = ImportForm(request.POST, request.FILES, label_suffix="")
    context = {"deck": found, "form": form}
    if not form.is_valid():
        return render(request, "frontend/cards/import.html", context, status=422)
    text, style = form.cleaned_data["text"], form.cleaned_data["format"]
    is_preview = request.POST.get("do") != "apply"
    try:
        result = actions.import_cards(author=author, deck=found, text=text, format=style, is_preview=is_preview)
    except Refused as refused:
        form.add_error(None, refused.message)
        return render(request, "frontend/cards/import.html", context, status=422)
    if not is_preview and not result.faults:
        messages.success(request, f"{len(result.added)} added, {len(result.changed)} changed.")
        return redirect("frontend:deck", slug=found.slug)
    # What a file held comes back as text: the second step sends it again.
    again = ImportForm(initial={"text": text, "format": style}, label_suffix="")
    return render(
        request,
        "frontend/cards/import.html",
        {**context, "form": again, "result": result},
        status=422 if result.faults else 200,
    )


@never_cache
@require_safe
@signed_in
def export_deck(request: HttpRequest, slug: str, style: str) -> HttpResponse:
    """A deck as a file, with its answers: for those who teach."""
    found = access.deck_for(access.instructor(reader(request)), slug)
    if style not in EXPORTS:
        raise Http404("There is no such format.")
    known, kind, ending = EXPORTS[style]
    return HttpResponse(
        queries.export_cards(found, known),
        content_type=f"{kind}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{found.slug}.{ending}"'},
    )
