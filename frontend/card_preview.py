"""A card as its learner will see it, before it is kept, with a box to try answers in."""

from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest

from exercises.card_sides import TurnSide, card_preview
from frontend.card_page import CardView, card_view
from frontend.typed_form import typed_of
from frontend.variant_page import locale_of


@dataclass(frozen=True)
class Preview:
    """The front with its box and the verdict on what was tried, then what stands on the back. Texts are Markdown.

    ``expected`` is told once something was tried.
    """

    card: CardView
    hint: str
    back: str
    expected: str


def preview_of(request: HttpRequest, content: dict[str, Any]) -> Preview:
    """The card of the form; what was typed into its box is marked. Raises CardRefused. No query."""
    front = card_preview(content)
    tried = _tried(request, content, front)
    # The box stays, whatever was typed: one may go on trying.
    card = replace(front, mark=tried.mark, tries=tried.tries, unread=tried.unread, typed=tried.typed, is_shown=False)
    return Preview(
        card=card_view(card, typed=tried.typed, reading=tried.reading),
        hint=str(content.get("hint", "")),
        back=str(content.get("back", "")),
        expected=tried.expected,
    )


def _tried(request: HttpRequest, content: dict[str, Any], front: TurnSide) -> TurnSide:
    if front.field is None:
        return front
    typed = typed_of(request.POST, front.field.step, front.field.kind)
    if not any(typed):
        return front
    return card_preview(content, typed=typed, locale=locale_of(request))
