"""Writing a card: its kind decides the fields, and it can be looked at and tried before it is kept."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access, actions
from exercises.models import Card, Deck, User
from exercises.refusals import CardRefused
from frontend.card_form import KIND_WORDS, CardForm, CardSourceForm, initial_of, is_lossless, source_of
from frontend.card_preview import Preview, preview_of
from frontend.signed_in import reader, signed_in

#: What the form is for as long as no kind was chosen.
FIRST_KIND = "text"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_card(request: HttpRequest, slug: str) -> HttpResponse:
    """Write a card into one's own deck."""
    author = access.instructor(reader(request))
    return _edited(request, author, access.own_deck(author, slug), None)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit_card(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Change a card of one's own deck, or take it out."""
    author = access.instructor(reader(request))
    deck = access.own_deck(author, slug)
    card = access.own_card(deck, key)
    if request.method == "POST" and request.POST.get("do") == "retire":
        actions.retire_card(author=author, card=card)
        messages.success(request, f"{card.key} is out of the deck. What was learnt with it is kept.")
        return redirect("frontend:deck", slug=slug)
    return _edited(request, author, deck, card)


def _edited(request: HttpRequest, author: User, deck: Deck, card: Card | None) -> HttpResponse:
    """The form, as it comes or with what is wrong with it; kept and left where that was asked for."""
    kind = _kind(request, card)
    as_file = card is not None and not is_lossless(card.content)
    form = _form(request, kind, card, as_file=as_file)
    do = request.POST.get("do", "") if request.method == "POST" else ""
    preview = None
    if do and not as_file and not _is_known(said := request.POST.get("kind", kind)):
        form.add_error(None, f"There is no kind of card called {said[:40]!r}: choose one of the list.")
    if do not in ("", "kind") and form.is_valid():
        content = form.content(card.key if card else "")
        try:
            if do == "keep":
                kept = actions.keep_card(author=author, deck=deck, content=content, key=card.key if card else None)
                messages.success(request, f"{kept.key} is kept.")
                return redirect("frontend:deck", slug=deck.slug)
            preview = preview_of(request, content)
        except CardRefused as refused:
            _add_faults(form, refused)
    return render(
        request,
        "frontend/cards/card_form.html",
        _context(deck, card, kind, form, preview),
        status=422 if form.is_bound and form.errors else 200,
    )


def _context(
    deck: Deck, card: Card | None, kind: str, form: CardForm | CardSourceForm, preview: Preview | None
) -> dict[str, Any]:
    return {
        "deck": deck,
        "card_row": card,
        "kind": kind,
        "kinds": KIND_WORDS.items(),
        "form": form,
        "as_file": isinstance(form, CardSourceForm),
        "preview": preview,
    }


def _kind(request: HttpRequest, card: Card | None) -> str:
    """The kind that is asked for; the card's own, or the first, where that is none."""
    wanted = request.POST.get("kind") or request.GET.get("kind")
    if wanted and _is_known(wanted):
        return wanted
    return card.kind if card else FIRST_KIND


def _is_known(kind: str) -> bool:
    return kind in KIND_WORDS


def _form(request: HttpRequest, kind: str, card: Card | None, *, as_file: bool) -> CardForm | CardSourceForm:
    posted = request.POST if request.method == "POST" else None
    if as_file and card is not None:
        return CardSourceForm(posted, initial={"source": source_of(card.content)}, label_suffix="")
    if posted is not None and posted.get("do") == "kind" and _is_known(posted.get("kind", kind)):
        # What both kinds have stays; nothing is found fault with yet.
        return CardForm(kind=kind, is_new=card is None, initial=posted.dict())
    initial = initial_of(card.content) if card else None
    return CardForm(posted, kind=kind, is_new=card is None, initial=initial)


def _add_faults(form: forms.Form, refused: CardRefused) -> None:
    """What is wrong, at the field that it is about where there is one."""
    for key, words in (refused.faults or {"": refused.message}).items():
        name = key.partition(".")[0]
        if name in form.fields:
            form.add_error(name, words)
        else:
            form.add_error(None, f"{key}: {words}" if key else words)
