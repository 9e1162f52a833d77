"""The day with the cards and turns of them: the back of none before it is turned up."""

from collections.abc import Sequence
from typing import Any

from exercises import queries
from exercises.models import CardTurn, Review
from server.api.shapes import cards as shapes
from server.api.telling.practice import field_told


def turn_told(turn: CardTurn) -> dict[str, Any]:
    """A turn as its learner may see it. Six queries."""
    view = queries.turn_view(turn)
    names = (
        "kind",
        "front",
        "hint",
        "has_hint",
        "tries_left",
        "unread",
        "is_shown",
        "back",
        "expected",
        "is_early",
        "left",
    )
    return dict(
        shapes.Turn(
            {
                **{name: getattr(view, name) for name in names},
                "id": turn.public_id,
                "deck": turn.card.deck.slug,
                "card": turn.card.key,
                "field": field_told(view.field) if view.field else None,
                "mark": view.mark.to_json() if view.mark else None,
                "suggested": view.suggested,
                "ratings": [{"rating": int(rating), "due_on": due_on} for rating, due_on in view.ratings],
                "is_over": view.ending is not None,
                "rated": view.ending.rated if view.ending else None,
            }
        ).data
    )


def reviews_told(rows: Sequence[Review]) -> list[dict[str, Any]]:
    """Reviews with their cards, decks and turns. No query."""
    return list(shapes.Reviewed(rows, many=True).data)
