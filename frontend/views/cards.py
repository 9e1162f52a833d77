"""Flashcards for those who learn: the decks, one card at a time, and what was done when none is left."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exercises import access, actions, queries
from exercises.models import CardTurn, User
from exercises.refusals import Refused, TurnClosed
from frontend.card_day import finished_context, today_of
from frontend.card_page import shown_turn, turn_context
from frontend.card_scope import Scope
from frontend.limited import limited
from frontend.signed_in import is_fragment, reader, signed_in
from frontend.typed_form import keep_typed, typed_of
from frontend.typed_number import typed_number
from frontend.variant_page import locale_of


@never_cache
@require_safe
@signed_in
def cards(request: HttpRequest) -> HttpResponse:
    """The decks, and what is to be done today."""
    learner = reader(request)
    rows, day = queries.decks_for(learner), queries.card_day(learner)
    context = {
        "rows": rows,
        "day": day,
        "today": today_of(day),
        "set_aside": sum(row.suspended for row in rows),
    }
    return render(request, "frontend/cards/decks.html", context)


@never_cache
@require_POST
@signed_in
@limited
def review(request: HttpRequest) -> HttpResponse:
    """Put the next card, or say that none is left."""
    return _next(request, reader(request), Scope.of(request))


@never_cache
@require_safe
@signed_in
def finished(request: HttpRequest) -> HttpResponse:
    """What was done today, and what comes next."""
    return render(request, "frontend/cards/turn.html", finished_context(request, queries.card_day(reader(request))))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def turn(request: HttpRequest, turn_id: uuid.UUID) -> HttpResponse:
    """One card: look at it, answer it, turn it up, rate it."""
    found = access.turn_for(reader(request), turn_id)
    scope = Scope.of(request)
    if request.method != "POST":
        return render(request, "frontend/cards/turn.html", turn_context(request, found, scope))
    deed = DEEDS.get(request.POST.get("do", "answer"))
    if deed is None:
        raise Http404("There is no such button.")
    try:
        return deed(request, found, scope)
    except Refused as refused:
        if not is_fragment(request):
            keep_typed(request.session, str(turn_id), request.POST)
        found.refresh_from_db()
        return shown_turn(request, found, scope, notice=refused.message, status=409)


@never_cache
@require_POST
@signed_in
def reading(request: HttpRequest, turn_id: uuid.UUID) -> HttpResponse:
    """How something is read while it is being typed. Nothing is stored."""
    found = access.turn_for(reader(request), turn_id)
    read = queries.turn_reading(found, typed_in(request, found), locale_of(request))
    return render(request, "frontend/_reading.html", {"reading": read})


@never_cache
@require_POST
@signed_in
@limited
def undo(request: HttpRequest) -> HttpResponse:
    """Take back the rating that the form names, which is the last of today, and show its card again.

    Of one that was taken back already, or is not the last any more, it is said so, and the queue goes on.
    """
    scope = Scope.of(request)
    try:
        reopened = actions.undo_review(
            learner=reader(request), review_id=typed_number(request.POST.get("review", "")) or 0
        )
    except TurnClosed as refused:
        return _next(request, reader(request), scope, notice=refused.message)
    return shown_turn(request, reopened, scope, deed="undo", notice="Taken back: rate this card again.")


def typed_in(request: HttpRequest, found: CardTurn) -> str | list[str]:
    """What stands in the box of a card's form: a text, or a list for several choices or entries."""
    field = queries.turn_field(found)
    return typed_of(request.POST, field.step, field.kind) if field else ""


def _answer(request: HttpRequest, found: CardTurn, scope: Scope) -> HttpResponse:
    actions.answer_card(turn=found, typed=typed_in(request, found), locale=locale_of(request))
    return shown_turn(request, found, scope, deed="answer")


def _show(request: HttpRequest, found: CardTurn, scope: Scope) -> HttpResponse:
    actions.show_answer(turn=found)
    return shown_turn(request, found, scope, deed="show")


def _hint(request: HttpRequest, found: CardTurn, scope: Scope) -> HttpResponse:
    actions.take_card_hint(turn=found)
    if not is_fragment(request):
        keep_typed(request.session, str(found.public_id), request.POST)
    return shown_turn(request, found, scope, deed="hint")


def _rate(request: HttpRequest, found: CardTurn, scope: Scope) -> HttpResponse:
    """Two actions, each whole by itself: the rating is kept whatever becomes of putting the next card."""
    done = actions.rate_card(turn=found, rating=typed_number(request.POST.get("rating", "")) or 0)
    notice = (
        "This card was forgotten so often that it is set aside: another way of asking may help more than another try."
        if done.made_leech
        else ""
    )
    return _next(request, reader(request), scope, notice=notice)


def _suspend(request: HttpRequest, found: CardTurn, scope: Scope) -> HttpResponse:
    """Two actions, each whole by itself, as for a rating."""
    actions.suspend_card(learner=reader(request), card=found.card)
    return _next(request, reader(request), scope, notice="Set aside. It does not come until you bring it back.")


DEEDS = {"answer": _answer, "show": _show, "hint": _hint, "rate": _rate, "suspend": _suspend}


def _next(request: HttpRequest, learner: User, scope: Scope, *, notice: str = "") -> HttpResponse:
    """To the next card of this queue, or to what was done."""
    chosen = access.deck_for(learner, scope.deck) if scope.deck else None
    opened = actions.open_turn(learner=learner, deck=chosen, ahead=scope.ahead)
    if opened is not None:
        return shown_turn(request, opened, scope, notice=notice, deed="next")
    if not is_fragment(request):
        if notice:
            messages.info(request, notice)
        return redirect("frontend:card-finished")
    context = finished_context(request, queries.card_day(learner))
    return render(request, "frontend/cards/_news.html", {**context, "notice": notice})
