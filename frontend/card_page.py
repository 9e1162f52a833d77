"""One turn of a card as its page shows it. What is on the back is not handed over before the back is turned up."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from exercises import queries
from exercises.card_sides import TurnSide
from exercises.catalogue import skills
from exercises.decks.schedule import RATING_WORDS
from exercises.figures import Drawing, draw, has_content
from exercises.mastery.retention import Rating
from exercises.models import CardTurn
from exercises.queries import Ending, TurnView
from frontend.card_scope import Scope
from frontend.days import due_words
from frontend.marks import MarkView, mark_view
from frontend.signed_in import is_fragment
from frontend.typed_form import take_texts
from frontend.typeset import spoken
from frontend.variant_page import locale_of
from frontend.workbench import StepView, boxes_of, options_of
from grader.picture import Figure
from grader.reading import Reading


@dataclass(frozen=True)
class RatingButton:
    """One of up to four buttons: its number is its key, ``when`` says when the card would come back.

    ``is_suggested`` by marking; ``is_first`` is the one that has the focus.
    """

    value: int
    name: str
    word: str
    when: str
    is_suggested: bool
    is_first: bool


@dataclass(frozen=True)
class CardView:
    """What the templates show of a card. ``back`` and ``expected`` are empty before it is shown; texts are Markdown.

    ``unread`` says why what was typed last was not marked, where the line below the box does not say it.
    """

    front: str
    figure: Drawing | None
    step: StepView | None
    mark: MarkView | None
    unread: str
    hint: str
    has_hint: bool
    is_shown: bool
    back: str
    expected: str
    checks: tuple[tuple[str, bool], ...]


def turn_context(
    request: HttpRequest, turn: CardTurn, scope: Scope, *, notice: str = "", deed: str = ""
) -> dict[str, Any]:
    """What the page of a turn shows. ``deed`` is what was done just now: it is what a screen reader is told."""
    view = queries.turn_view(turn, turn.card.deck if scope.deck == turn.card.deck.slug else None)
    locale = locale_of(request)
    kept = take_texts(request.session, str(turn.public_id), {view.field.step: view.field.kind}) if view.field else {}
    typed = next(iter(kept.values()), view.typed)
    reading = queries.turn_reading(turn, typed, locale)
    card = card_view(view, typed=typed, reading=reading)
    ratings = rating_buttons(view)
    return {
        "turn": turn,
        "scope": scope,
        "card": card,
        "ratings": ratings,
        "left": view.left,
        "undoable": view.undoable,
        "closed": ending_words(view.ending, today=view.today) if view.ending else "",
        "deck_title": turn.card.deck.title,
        "skill_title": _TITLES.get(view.skill, ""),
        "notice": notice,
        "announcement": " ".join(part for part in (notice, _news(card, ratings, view.left, deed)) if part),
        "title": f"{view.left} left today",
        "address": page_of(turn, scope),
        "reading_address": reverse("frontend:card-reading", args=[turn.public_id]),
        "typed_was_kept": bool(kept) and not view.is_shown and typed != view.typed,
        "locale": locale,
        "is_fragment": is_fragment(request),
    }


def card_view(view: TurnSide, *, typed: str | list[str], reading: Reading | None) -> CardView:
    """A card with what stands in its box. No query."""
    kind = view.field.kind if view.field else "text"
    rounding = view.rounding if view.is_shown else ""
    mark = mark_view(view.mark, kind=kind, is_first=True, rounding=rounding) if view.mark else None
    is_told_below = reading is not None and reading.status == "unreadable"
    return CardView(
        front=view.front,
        figure=_drawing(view.figure),
        step=_step(view, typed, mark, reading) if view.field and reading else None,
        mark=mark,
        unread="" if is_told_below or typed != view.typed else view.unread,
        hint=view.hint,
        has_hint=view.has_hint,
        is_shown=view.is_shown,
        back=view.back,
        expected=view.expected,
        checks=view.checks,
    )


def rating_buttons(view: TurnView) -> list[RatingButton]:
    """The buttons below a back, in the order of their keys; none before it is shown.

    Where learners judge alone, Good is the one that Space takes, and nothing is suggested.
    """
    return [
        RatingButton(
            value=int(rating),
            name=rating.name.lower(),
            word=RATING_WORDS[rating],
            when=coming_words(day, today=view.today),
            is_suggested=rating == view.suggested,
            is_first=rating == (view.suggested or Rating.GOOD),
        )
        for rating, day in view.ratings
    ]


def coming_words(day: dt.date | None, *, today: dt.date) -> str:
    """When a card comes back after a rating; None is where the rating moves nothing."""
    if day is None:
        return "as planned before"
    return "again today" if day <= today else due_words(day, today=today)


def ending_words(ending: Ending, *, today: dt.date) -> str:
    """What became of a turn that is over."""
    if ending.rated is None:
        return "It went on elsewhere, or was set aside."
    if ending.is_undone:
        return "Its rating was taken back, and it was put to you again."
    said = f"You rated it {RATING_WORDS[ending.rated]}."
    if ending.due_on is None:
        return f"{said} It is set aside."
    return f"{said} It comes back {coming_words(ending.due_on, today=today)}."


def page_of(turn: CardTurn, scope: Scope) -> str:
    """The address of a turn."""
    return reverse("frontend:card-turn", args=[turn.public_id]) + scope.query


def shown_turn(
    request: HttpRequest, turn: CardTurn, scope: Scope, *, notice: str = "", deed: str = "", status: int = 200
) -> HttpResponse:
    """The turn in place of what stood there for a script; else its page, or the way to it where all went well."""
    if not is_fragment(request) and status == 200:
        if notice:
            messages.info(request, notice)
        return redirect(page_of(turn, scope))
    context = turn_context(request, turn, scope, notice=notice, deed=deed)
    context["notice_is_error"] = status >= 400
    template = "frontend/cards/_news.html" if is_fragment(request) else "frontend/cards/turn.html"
    return render(request, template, context, status=status)


def _step(view: TurnSide, typed: str | list[str], mark: MarkView | None, reading: Reading) -> StepView | None:
    field = view.field
    if field is None:
        return None
    has_options = field.kind in ("choice", "choices")
    return StepView(
        place=1,
        field=field,
        boxes=() if has_options else boxes_of(field, typed, view.mark),
        options=options_of(field, typed) if has_options else (),
        reading=reading,
        mark=mark,
        hints=(),
        has_more_hints=view.has_hint,
        is_older=bool(view.tries) and typed != view.tries[-1].typed,
    )


def _drawing(figure: Figure | None) -> Drawing | None:
    return draw(figure.kind, figure.data) if figure and has_content(figure.kind, figure.data) else None


_TITLES: Mapping[str, str] = {skill.id: skill.title for skill in skills()}


def _news(card: CardView, ratings: list[RatingButton], left: int, deed: str) -> str:
    """What has changed, for those who do not see it."""
    if deed == "hint":
        return f"Hint: {spoken(card.hint)}"
    if card.is_shown:
        words = [f"{card.mark.word}." if card.mark else "", spoken(card.mark.message) if card.mark else ""]
        words += [f"Answer: {spoken(card.expected)}." if card.expected else "", spoken(card.back)]
        words += [f"Suggested: {rating.word}, {rating.when}." for rating in ratings if rating.is_suggested]
        return " ".join(word for word in words if word)
    if deed == "answer" and card.step and card.step.reading.status == "unreadable":
        return f"Could not be read. {card.step.reading.message}"
    if deed == "answer" and card.unread:
        return spoken(card.unread)
    if deed == "answer" and card.mark:
        return f"{card.mark.word}. {spoken(card.mark.message or card.mark.meaning)} Try again, or show the answer."
    return f"{left} left today. {spoken(card.front)}" if deed else ""
