"""Every page about cards asks the database a fixed number of times, for one card or thirty."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises import actions
from exercises.models import User
from tests.frontend.cards.world import NUMBER, SELF, deck_of, opened, page

pytestmark = pytest.mark.usefixtures("servers")
#: Session and user: asked for by every page of somebody signed in.
WHO = 2


@pytest.fixture(params=[1, 30])
def many(request: pytest.FixtureRequest, alice: User, bob: User) -> int:
    """So many decks with so many cards, one of each reviewed and one of each set aside."""
    number: int = request.param
    for place in range(number):
        cards = [{**SELF, "id": f"card-{entry}"} for entry in range(3)]
        deck = deck_of(alice, *cards, {**NUMBER, "id": "last"}, title=f"Deck {place}")
        first, second = deck.cards.all()[:2]
        turn = opened(bob)
        actions.show_answer(turn=turn)
        actions.rate_card(turn=turn, rating=1)
        actions.suspend_card(learner=bob, card=second)
        assert first.deck_id == deck.pk
    return number


def test_the_pages_of_a_learner(
    as_bob: Client, bob: User, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    turn = opened(bob)
    with django_assert_num_queries(WHO + DECKS):
        as_bob.get("/cards/")
    with django_assert_num_queries(WHO + DECK):
        as_bob.get(f"/cards/decks/{turn.card.deck.slug}/")
    with django_assert_num_queries(WHO + TURN):
        as_bob.get(page(turn))
    with django_assert_num_queries(WHO + FINISHED):
        as_bob.get("/cards/finished/")
    with django_assert_num_queries(WHO + 1):
        as_bob.get("/cards/set-aside/")


def test_the_pages_of_a_teacher(as_alice: Client, many: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(WHO + DECK + 1):
        as_alice.get("/cards/decks/deck-0/")
    with django_assert_num_queries(WHO + 2):
        as_alice.get("/cards/decks/deck-0/cards/last/")
    with django_assert_num_queries(WHO + 2):
        as_alice.get("/cards/decks/deck-0/export/csv/")


DECKS, DECK, TURN, FINISHED = 8, 9, 7, 5
