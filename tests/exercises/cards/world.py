"""The data of the small world of cards: one deck with a card of every kind, and what is done with them."""

import datetime as dt
import json
from typing import Any

from exercises import clock
from exercises.actions import answer_card, open_turn, rate_card, show_answer
from exercises.mastery.retention import Rating
from exercises.models import Card, CardMemory, CardTurn, Deck, Review, User

DECK = r"""
title: Small deck
summary: One card of every kind.
cards:
  - id: size
    skill: vocabulary-notation
    kind: text
    front: What is $|V|$?
    back: It counts words.
    hint: Bars count.
    accept: [vocabulary size, size of the vocabulary]
    mistakes:
      words: {accept: [the words], says: That is $V$ itself.}
  - id: loss
    skill: exp-log
    kind: cloze
    front: The loss is $L = -[[gap]] p$.
    accept: [ln, log_e]
  - id: two-thirds
    skill: neg-log
    kind: number
    front: What is $-\ln\frac{2}{3}$?
    back: Logs turn ratios into differences.
    answer: -ln(2/3)
    digits: 3
    mistakes:
      sign: {is: ln(2/3), says: A loss is never negative.}
  - id: tokens
    skill: token-counting
    kind: count
    front: How many tokens has "the cat sat" between its two signposts?
    answer: "5"
  - id: head
    skill: shapes
    kind: shape
    front: The shape of a head from 768 numbers to 2 logits, rows first?
    answer: [2, 768]
    mistakes: {turned: {is: [768, 2], says: Rows first.}}
  - id: winner
    skill: softmax
    kind: choice
    front: Which stays the same when 1 is added to every logit?
    options: {probabilities: the probabilities, logits: the logits, sum: the sum of the exponentials}
    answer: probabilities
    mistakes: {logits: {is: logits, says: They just changed.}}
  - id: either
    skill: softmax
    kind: choice
    front: Does softmax ever give 0?
    options: {yes: it does, no: it does not}
    answer: no
  - id: learnt
    skill: shapes
    kind: choices
    front: Which are learnt?
    options: {weights: weights, biases: biases, inputs: inputs}
    answer: [weights, biases]
    figure: {bars: "[0.2, 0.8]", labels: [x, y], reveal: answer}
  - id: why
    skill: pretraining-facts
    kind: self
    front: Why are some chosen tokens left unchanged?
    back: So that the model cannot trust what it sees.
    tags: [c5, trap]
  - id: drawn-loss
    skill: neg-log
    kind: drawn
    back: Surprise, in nats.
    problem:
      parameters:
        p: {range: [0.1, 0.9], step: 0.01}
      statement: The model gives the true word $p = {{ p }}$.
      steps:
        loss:
          ask: Its loss
          is: -ln(p)
          hint: Minus the logarithm.
          mistakes: {log2: {is: -log2(p), says: That is in bits.}}
"""
#: A Monday, far from any change of the clocks.
MONDAY = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)
RIGHT = {
    "size": "Vocabulary  size",
    "loss": "LN",
    "two-thirds": "0.405",
    "tokens": "5",
    "head": "2 x 768",
    "winner": "probabilities",
    "either": "no",
    "learnt": ["weights", "biases"],
}


def days(number: float) -> dt.datetime:
    """The moment so many days after that Monday noon."""
    return MONDAY + dt.timedelta(days=number)


def plain_deck(cards: int, *, kind: str = "self", title: str = "Plain") -> str:
    """A deck file of that many cards that rate themselves, or of text cards."""
    rows = []
    for number in range(cards):
        row: dict[str, Any] = {"id": f"c{number}", "skill": "softmax", "kind": kind, "front": f"Question {number}?"}
        rows.append(row | ({"back": "b"} if kind == "self" else {"accept": [f"answer {number}"]}))
    return json.dumps({"title": title, "cards": rows})


def put(learner: User, card: Card) -> CardTurn:
    """An open turn of this very card, whatever the queue would say."""
    return CardTurn.objects.create(learner=learner, card=card, source=card.source, opened_at=clock.now())


def turn_of(learner: User, deck: Deck | None = None, *, ahead: bool = False) -> CardTurn:
    """The next turn; there must be one."""
    turn = open_turn(learner=learner, deck=deck, ahead=ahead)
    assert turn is not None
    return turn


def review(learner: User, rating: Rating, at: dt.datetime, *, ahead: bool = False) -> Review:
    """Turn up the next card at that moment and rate it."""
    with clock.at(at):
        turn = turn_of(learner, ahead=ahead)
        show_answer(turn=turn)
        return rate_card(turn=turn, rating=rating)


def answer(learner: User, card: Card, *typed: str | list[str]) -> CardTurn:
    """A turn of the card with these answers given."""
    turn = put(learner, card)
    for text in typed:
        answer_card(turn=turn, typed=text)
    return turn


def memory_of(learner: User, card: Card) -> CardMemory:
    """What the learner remembers of the card, as stored."""
    return CardMemory.objects.get(learner=learner, card=card)
