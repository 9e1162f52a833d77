"""Before the back is turned up, no response tells what is on it."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from exercises.models import CardTurn, Deck, User
from tests.frontend.cards.world import CHOICE, CLOZE, DRAWN, NUMBER, SELF, deck_of, opened, page, press

pytestmark = pytest.mark.usefixtures("servers")
#: What must not stand anywhere in a response about a card, by the card.
SECRETS: dict[str, tuple[str, ...]] = {
    "uniform": ("1.10", "1.0986", "ln(3)", "\\ln 3", "1.58", "log2", "in bits", "A third each"),
    "spared": ('"special" checked', "hold the sentence together", "Frequent words are chosen"),
    "softmax-gap": (">sum", "total<", '"sum"', '"total"', "shares add up"),
    "why-random": ("trusted blindly",),
    "drawn-count": ("15 * n", "15 \\cdot", "Fifteen of", "seed"),
}
WRONG = {"uniform": "7", "spared": "rare", "softmax-gap": "mean", "drawn-count": "1"}


def before_showing(client: Client, turn: CardTurn) -> Iterator[tuple[str, str]]:
    """Every response about a turn that its learner can get before the back is up."""
    yield "page", client.get(page(turn)).content.decode()
    yield "decks", client.get("/cards/").content.decode()
    yield "finished", client.get("/cards/finished/").content.decode()
    yield "deck", client.get(f"/cards/decks/{turn.card.deck.slug}/").content.decode()
    script = {"HX-Request": "true"}
    field = "answer-chosen" if turn.card.key == "drawn-count" else "answer-answer"
    yield "reading", client.post(f"{page(turn)}reading/", {field: "0.5"}, headers=script).content.decode()
    if turn.card.key in WRONG:
        yield "unreadable", press(client, turn, "answer", script=True, answer="").content.decode()
        yield "hint", press(client, turn, "hint", script=True).content.decode()
        yield "wrong", press(client, turn, "answer", script=True, answer=WRONG[turn.card.key]).content.decode()
        yield "page after", client.get(page(turn)).content.decode()


@pytest.mark.parametrize("card", [NUMBER, CHOICE, CLOZE, SELF, DRAWN], ids=lambda card: card["id"])
def test_nothing_tells_the_back_before_it_is_up(alice: User, bob: User, as_bob: Client, card: dict[str, Any]) -> None:
    deck: Deck = deck_of(alice, card)
    turn = opened(bob)
    assert turn.card.deck == deck
    secrets = set(SECRETS[card["id"]])
    if card["id"] == "drawn-count":
        secrets.add(f">{15 * int(turn.parameters['n'])}<")
    for where, html in before_showing(as_bob, turn):
        assert not [secret for secret in secrets if secret in html], where
    turn.refresh_from_db()
    assert not turn.is_shown, "the responses above were meant to be those before"
    press(as_bob, turn, "show")
    shown = as_bob.get(page(turn)).content.decode()
    assert card["back"] in shown


def test_keys_of_mistakes_stay_out_of_what_is_right(alice: User, bob: User, as_bob: Client) -> None:
    deck_of(alice, NUMBER)
    turn = opened(bob)
    press(as_bob, turn, "answer", answer="1.10")
    html = as_bob.get(page(turn)).content.decode()
    assert "A third each" in html
    assert "in bits" not in html
