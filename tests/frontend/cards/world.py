"""Cards of the small world: one of each way of answering, in a deck that Alice shares."""

from typing import Any

from django.test import Client
from django.urls import reverse

from exercises import actions
from exercises.models import CardTurn, Deck, User

NUMBER: dict[str, Any] = {
    "id": "uniform",
    "skill": "uniform-loss",
    "kind": "number",
    "front": "Three candidates, equal logits. What is the loss?",
    "answer": "ln(3)",
    "digits": 3,
    "hint": "Every candidate has the same claim.",
    "back": "A third each, and the sum of thirds is whole: knowing nothing.",
    "mistakes": {"log2": {"is": "log2(3)", "says": "That is the loss in bits."}},
}
CHOICE: dict[str, Any] = {
    "id": "spared",
    "skill": "token-counting",
    "kind": "choice",
    "front": "Which tokens are never chosen?",
    "options": {"special": "The special ones", "rare": "The rare ones", "stop": "The frequent ones"},
    "answer": "special",
    "back": "They hold the sentence together.",
    "mistakes": {"stop": {"is": "stop", "says": "Frequent words are chosen like others."}},
}
CLOZE: dict[str, Any] = {
    "id": "softmax-gap",
    "skill": "softmax",
    "kind": "cloze",
    "front": "Softmax divides by the [[gap]] of the exponentials.",
    "accept": ["sum", "total"],
    "back": "So that the shares add up to one.",
}
SELF: dict[str, Any] = {
    "id": "why-random",
    "kind": "self",
    "front": "Why are some tokens replaced by random ones?",
    "back": "So that no token can be trusted blindly.",
}
DRAWN: dict[str, Any] = {
    "id": "drawn-count",
    "skill": "token-counting",
    "kind": "drawn",
    "back": "Fifteen of a hundred.",
    "problem": {
        "parameters": {"n": {"range": [2, 40]}},
        "statement": "A text has {{ 100 * n }} tokens.",
        "steps": {"chosen": {"ask": "How many are chosen?", "kind": "count", "is": "15 * n"}},
    },
}
ALL = (NUMBER, CHOICE, CLOZE, SELF, DRAWN)


def deck_of(author: User, *cards: dict[str, Any], title: str = "Week 3", shared: bool = True) -> Deck:
    """A deck of that teacher with these cards."""
    deck = actions.create_deck(author=author, title=title, summary="What is counted.", is_shared=shared)
    for card in cards:
        actions.keep_card(author=author, deck=deck, content=card)
    return deck


def opened(learner: User) -> CardTurn:
    """The learner's next turn."""
    turn = actions.open_turn(learner=learner)
    assert turn is not None
    return turn


def page(turn: CardTurn) -> str:
    """Its address."""
    return reverse("frontend:card-turn", args=[turn.public_id])


def press(client: Client, turn: CardTurn, do: str, *, script: bool = False, **fields: Any) -> Any:
    """Press a button on the page of a turn; ``answer`` fills its box."""
    form = {"do": do, "learner": turn.learner_id}
    if "answer" in fields:
        step = "chosen" if turn.card.key == "drawn-count" else "answer"
        form[f"answer-{step}"] = fields.pop("answer")
    return client.post(page(turn), form | fields, headers={"HX-Request": "true"} if script else {})
