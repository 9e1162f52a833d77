"""Alice shares a deck of one card of each kind with her course, in which Bob learns, and here Charlie as well."""

import pytest

from exercises.models import Course, Deck, Enrolment, User
from tests.frontend.cards.world import ALL, deck_of


@pytest.fixture(autouse=True)
def _classmates(course: Course, charlie: User) -> None:
    Enrolment.objects.create(course=course, user=charlie)


@pytest.fixture
def deck(alice: User) -> Deck:
    return deck_of(alice, *ALL)
