"""Reads under a literal number of queries, the same for one card and for three hundred."""

import json
from collections.abc import Callable
from operator import attrgetter

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries

from exercises import access, clock
from exercises.actions import answer_card, open_turn, rate_card, show_answer, sync_decks
from exercises.mastery.retention import Rating
from exercises.models import Card, CardMemory, CardTurn, Deck, Review, StudyPlan, User
from exercises.queries import card_day, card_days, deck_cards, decks_for, export_cards, suspended, turn_view
from tests.exercises.cards.world import MONDAY, days, plain_deck

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[1, 300])
def many(request: pytest.FixtureRequest, bob: User) -> Deck:
    """A deck of so many cards, half of which Bob has reviewed, with some of them due and some set aside."""
    deck = Deck.objects.create(slug="plain", title="Plain")
    contents = json.loads(plain_deck(request.param, kind="text"))["cards"]
    cards = Card.objects.bulk_create(
        Card(deck=deck, key=each["id"], position=place, kind="text", skill="softmax", source=json.dumps(each))
        for place, each in enumerate(contents)
    )
    with clock.at(MONDAY):
        for place, card in enumerate(cards[::2]):
            turn = CardTurn.objects.create(learner=bob, card=card, source=card.source, closed_at=MONDAY)
            Review.objects.create(
                learner=bob, card=card, turn=turn, rating=3, at=MONDAY, study_day=MONDAY.date(), is_early=False,
                scheduler_version="",
            )  # fmt: skip
            CardMemory.objects.create(
                learner=bob, card=card, stability=2.3, difficulty=5, reviewed_on=MONDAY.date(), reviews=1,
                due_on=days(place % 5).date(), last_at=MONDAY, suspended_at=MONDAY if place % 7 == 3 else None,
            )  # fmt: skip
    return deck


def known(number: int) -> range:
    """The places of the cards that Bob has reviewed."""
    return range((number + 1) // 2)


def aside(number: int) -> list[int]:
    """Those of them that are set aside."""
    return [place for place in known(number) if place % 7 == 3]


def due(number: int) -> list[int]:
    """Those of them that are due two days later."""
    return [place for place in known(number) if place % 5 <= 2 and place % 7 != 3]


def new_today(number: int) -> int:
    """How many new ones the plan of a learner without one allows."""
    return min(StudyPlan().new_cards_a_day, number - len(known(number)))


#: What is read, in how many queries, and what it is for so many cards.
READS: list[tuple[Callable[[User, Deck], object], int, Callable[[int], object]]] = [
    (
        lambda bob, _: [(row.cards, row.new, row.due, row.suspended) for row in decks_for(bob)],
        3,
        lambda number: [(number, number - len(known(number)), len(due(number)), len(aside(number)))],
    ),
    (
        lambda bob, _: attrgetter("due", "new", "done")(card_day(bob)),
        5,
        lambda number: (len(due(number)), new_today(number), 0),
    ),
    (lambda bob, _: card_days(bob), 1, lambda number: {MONDAY.date(): len(known(number))}),
    (
        lambda bob, _: sorted(row.card.position // 2 for row in suspended(bob)),
        1,
        aside,
    ),
    (lambda _, deck: [row.key for row in deck_cards(deck)], 1, lambda number: [f"c{place}" for place in range(number)]),
    (
        lambda _, deck: [row.split(",")[0] for row in export_cards(deck, "csv").splitlines()],
        1,
        lambda number: ["key", *(f"c{place}" for place in range(number))],
    ),
    (
        lambda _, deck: [row.split("\t")[0] for row in export_cards(deck, "anki").splitlines() if row[0] != "#"],
        1,
        lambda number: [f"bert-gym:plain:c{place}" for place in range(number)],
    ),
    (lambda bob, _: access.deck_for(bob, "plain").owner, 1, lambda _: None),
]


@pytest.mark.parametrize(("read", "queries", "wanted"), READS)
def test_reads(
    many: Deck, bob: User, read: Callable[[User, Deck], object], queries: int, wanted: Callable[[int], object],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    with clock.at(days(2)), django_assert_num_queries(queries):
        found = read(bob, many)
    assert found == wanted(many.cards.count())


def test_one_turn_from_opening_to_rating(
    many: Deck, bob: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with clock.at(days(2)):
        # Two of each count are the transaction's beginning and end.
        with django_assert_num_queries(10):
            opened = open_turn(learner=bob)
        assert opened is not None
        with django_assert_num_queries(1):
            turn = access.turn_for(bob, opened.public_id)
        with django_assert_num_queries(6):
            turn_view(turn)
        with django_assert_num_queries(5):
            answer_card(turn=turn, typed="something else")
        with django_assert_num_queries(5):
            show_answer(turn=turn)
        with django_assert_num_queries(6):
            turn_view(turn)
        with django_assert_num_queries(9):
            rate_card(turn=turn, rating=Rating.AGAIN)
        with django_assert_num_queries(7):
            turn_view(access.turn_for(bob, turn.public_id))


@pytest.mark.parametrize("cards", [1, 60])
def test_a_sync_that_changes_nothing_is_cheap(cards: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    text = plain_deck(cards)
    sync_decks(["plain"], lambda slug: text)
    with django_assert_num_queries(6):
        sync_decks(["plain"], lambda slug: text)


def test_the_list_of_decks_is_three_queries_for_many_decks(
    bob: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    sync_decks([f"d{n}" for n in range(30)], lambda slug: plain_deck(2, title=slug))
    with django_assert_num_queries(3):
        assert len(decks_for(bob)) == 30
