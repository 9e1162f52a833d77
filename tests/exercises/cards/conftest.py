"""A small world of cards: Bob and Charlie learn, Alice teaches."""

import pytest

from exercises.actions import sync_decks
from exercises.models import Card, Deck
from tests.exercises.cards.world import DECK, plain_deck


@pytest.fixture
def deck(db: None) -> Deck:
    """The small deck, synced from a catalogue that holds nothing else."""
    report = sync_decks(["small"], lambda slug: DECK)
    assert not report.faults
    return Deck.objects.get(slug="small")


@pytest.fixture
def cards(deck: Deck) -> dict[str, Card]:
    """Its cards by key."""
    return {card.key: card for card in deck.cards.all()}


@pytest.fixture
def one_card(db: None) -> Card:
    """The only card there is, one that rates itself."""
    report = sync_decks(["plain"], lambda slug: plain_deck(1))
    assert not report.faults
    return Card.objects.get()
