"""Two tabs, two devices, double clicks: the same moment, in threads with connections of their own."""

from collections import Counter

import pytest

from exercises.actions import (
    answer_card,
    create_deck,
    import_cards,
    keep_card,
    open_turn,
    rate_card,
    rebuild_cards,
    show_answer,
    suspend_card,
    sync_decks,
    undo_review,
)
from exercises.mastery.retention import Rating
from exercises.models import Card, CardMemory, CardTurn, Deck, Review, User
from exercises.refusals import CardRefused, TurnClosed
from tests.exercises.cards.world import DECK, plain_deck
from tests.exercises.test_at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers")]


@pytest.fixture
def plain() -> Deck:
    """A deck of five cards that rate themselves."""
    sync_decks(["plain"], lambda slug: plain_deck(5))
    return Deck.objects.get()


def test_ten_tabs_get_one_turn(bob: User, plain: Deck) -> None:
    turns = at_once(10, lambda number: open_turn(learner=bob, deck=plain if number % 2 else None))
    assert len({turn.pk for turn in turns if turn}) == 1
    assert CardTurn.objects.count() == 1


def test_two_learners_get_turns_of_their_own(bob: User, charlie: User, plain: Deck) -> None:
    turns = at_once(6, lambda number: open_turn(learner=bob if number % 2 else charlie))
    assert len({turn.pk for turn in turns if turn}) == 2


def test_a_rating_clicked_ten_times_is_one_review(bob: User, plain: Deck) -> None:
    turn = open_turn(learner=bob)
    assert turn is not None
    show_answer(turn=turn)
    reviews = at_once(10, lambda _: rate_card(turn=CardTurn.objects.get(pk=turn.pk), rating=Rating.GOOD))
    assert len({review.pk for review in reviews}) == 1
    assert (Review.objects.count(), CardMemory.objects.get().reviews) == (1, 1)


def test_two_devices_that_rate_otherwise_give_one_review(bob: User, plain: Deck) -> None:
    turn = open_turn(learner=bob)
    assert turn is not None
    show_answer(turn=turn)

    def rate(number: int) -> str:
        try:
            rate_card(turn=CardTurn.objects.get(pk=turn.pk), rating=Rating(number % 4 + 1))
        except TurnClosed:
            return "closed"
        return "rated"

    outcomes = Counter(at_once(4, rate))
    assert outcomes == {"rated": 1, "closed": 3}
    assert Review.objects.count() == 1
    assert rebuild_cards(is_check=True) == []


def test_an_answer_sent_twice_is_one_try(bob: User) -> None:
    sync_decks(["small"], lambda slug: DECK)
    card = Card.objects.get(key="two-thirds")
    turn = CardTurn.objects.create(learner=bob, card=card, source=card.source)

    def send(_: int) -> None:
        answer_card(turn=CardTurn.objects.get(pk=turn.pk), typed="0.9")

    at_once(5, send)
    turn.refresh_from_db()
    assert (len(turn.tries), turn.shown_at) == (1, None)


def test_rating_undoing_opening_and_setting_aside_at_once_keep_the_books(bob: User, plain: Deck) -> None:
    def act(number: int) -> None:
        for step in range(4):
            turn = open_turn(learner=bob, ahead=True)
            if turn is None:
                continue
            try:
                show_answer(turn=turn)
                reviewed = rate_card(turn=turn, rating=Rating((number + step) % 4 + 1))
                if number == 1:
                    undo_review(learner=bob, review_id=reviewed.pk)
            except TurnClosed:
                continue
            if number == 2 and step == 3:
                suspend_card(learner=bob, card=turn.card)

    at_once(4, act)
    assert rebuild_cards(is_check=True) == []
    still_open = Counter(CardTurn.objects.filter(closed_at=None).values_list("card", flat=True))
    assert set(still_open.values()) <= {1}
    for review in Review.objects.filter(is_early=False, undone_at=None):
        assert review.after is not None


def test_an_undo_sent_from_four_tabs_takes_back_one_review(bob: User, plain: Deck) -> None:
    reviews = []
    for _ in range(4):
        turn = open_turn(learner=bob)
        assert turn is not None
        show_answer(turn=turn)
        reviews.append(rate_card(turn=turn, rating=Rating.GOOD))

    def undo(_: int) -> str:
        try:
            undo_review(learner=bob, review_id=reviews[-1].pk)
        except TurnClosed as refused:
            return refused.message[:37]
        return "undone"

    assert Counter(at_once(4, undo)) == {"undone": 1, "That rating was taken back already, o": 3}
    assert list(Review.objects.filter(undone_at=None)) == reviews[:-1]
    assert CardTurn.objects.get(closed_at=None).card == reviews[-1].card
    assert rebuild_cards(is_check=True) == []


def test_two_syncs_at_once_make_one_deck() -> None:
    at_once(4, lambda _: sync_decks(["plain"], lambda slug: plain_deck(5)))
    assert (Deck.objects.count(), Card.objects.count()) == (1, 5)


def test_cards_of_one_front_written_at_once_get_ids_and_places_of_their_own(alice: User) -> None:
    deck = create_deck(author=alice, title="Mine")
    content = {"kind": "self", "front": "Why?", "back": "Because."}
    made = at_once(5, lambda _: keep_card(author=alice, deck=deck, content=content).key)
    assert sorted(made) == ["why", "why-2", "why-3", "why-4", "why-5"]
    assert sorted(deck.cards.values_list("position", flat=True)) == [1, 2, 3, 4, 5]


def test_a_file_imported_at_once_is_imported_once(alice: User) -> None:
    deck = create_deck(author=alice, title="Mine")
    text = "key,front,back\n" + "".join(f"k{number},Q{number}?,A\n" for number in range(40))

    def bring(_: int) -> int:
        try:
            return len(import_cards(author=alice, deck=deck, text=text, format="csv", is_preview=False).added)
        except CardRefused:  # the other one came between the reading and the writing
            return 0

    assert sorted(at_once(4, bring)) == [0, 0, 0, 40]
    assert deck.cards.count() == 40
