"""Alice shares a deck of one card of each kind."""

import pytest

from exercises.models import Deck, User
from tests.frontend.cards.world import ALL, deck_of


@pytest.fixture
def deck(alice: User) -> Deck:
    return deck_of(alice, *ALL)
