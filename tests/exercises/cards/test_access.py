"""Who sees which deck and whose turns: Charlie sees nothing of Bob's, nobody sees what Alice did not share."""

import uuid

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from exercises import access
from exercises.actions import create_deck, edit_deck, keep_card, open_turn, retire_deck, suspend_card
from exercises.mastery.retention import Rating
from exercises.models import Card, Course, Deck, Enrolment, Role, User
from exercises.queries import card_day, card_days, decks_for, suspended, turn_view
from tests.exercises.cards.world import MONDAY, review, turn_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def own(alice: User) -> Deck:
    """Alice's deck of one card, not shared."""
    made = create_deck(author=alice, title="Mine")
    keep_card(author=alice, deck=made, content={"id": "a", "kind": "self", "front": "Q", "back": "A"})
    return made


def test_a_turn_is_its_learners_alone(bob: User, charlie: User, alice: User, deck: Deck) -> None:
    turn = turn_of(bob)
    assert access.turn_for(bob, turn.public_id) == turn
    assert access.turn_for(bob, str(turn.public_id)) == turn
    for other in (charlie, alice):
        with pytest.raises(Http404):
            access.turn_for(other, turn.public_id)
    for unknown in (uuid.uuid4(), "no-uuid"):
        with pytest.raises(Http404):
            access.turn_for(bob, unknown)


def test_an_unshared_deck_is_its_owners_alone(alice: User, bob: User, own: Deck) -> None:
    dora = User.objects.create_user("dora", password="dora teaches too", is_instructor=True)
    assert access.deck_for(alice, "mine") == own
    for other in (bob, dora):
        with pytest.raises(Http404):
            access.deck_for(other, "mine")
        with pytest.raises(Http404):
            access.own_deck(other, "mine")
        with pytest.raises(Http404):
            access.card_for(other, "mine", "a")
        assert decks_for(other) == []
        assert open_turn(learner=other) is None
    assert [row.deck for row in decks_for(alice)] == [own]
    assert turn_of(alice).card.deck == own


def test_a_shared_deck_is_for_the_courses_of_its_owner(course: Course, elsewhere: Course, own: Deck) -> None:
    alice, bob, charlie = course.created_by, User.objects.get(username="bob"), User.objects.get(username="charlie")
    assert alice is not None
    edit_deck(author=alice, deck=own, is_shared=True)
    assert list(Deck.objects.visible_to(bob)) == [own]
    with pytest.raises(Http404):
        access.deck_for(charlie, "mine")
    learning = Enrolment.objects.create(course=elsewhere, user=alice)
    # She learns there as well, and teaches nobody by it.
    assert not Deck.objects.visible_to(charlie).exists()
    learning.role = Role.ASSISTANT
    learning.save()
    assert list(Deck.objects.visible_to(charlie)) == [own]
    for enrolment in (learning, Enrolment.objects.get(user=bob)):
        enrolment.dropped_at = MONDAY
        enrolment.save()
    assert not Deck.objects.visible_to(charlie).exists()
    assert not Deck.objects.visible_to(bob).exists()
    assert list(Deck.objects.visible_to(alice)) == [own]


@pytest.mark.usefixtures("course")
def test_a_shared_deck_is_learnt_from_by_all_and_changed_by_one(alice: User, bob: User, own: Deck) -> None:
    edit_deck(author=alice, deck=own, is_shared=True)
    assert access.deck_for(bob, "mine") == own
    assert access.card_for(bob, "mine", "a").key == "a"
    turn = turn_of(bob)
    assert turn.card.deck == own
    with pytest.raises(Http404):
        access.own_deck(bob, "mine")
    edit_deck(author=alice, deck=own, is_shared=False)
    assert open_turn(learner=bob) is None
    assert access.turn_for(bob, turn.public_id) == turn


def test_an_own_deck_is_found_with_its_cards(alice: User, own: Deck, deck: Deck) -> None:
    assert access.own_deck(alice, "mine") == own
    assert access.own_card(own, "a").deck == own
    with pytest.raises(Http404):
        access.own_card(own, "size")
    with pytest.raises(Http404):
        access.own_deck(alice, deck.slug)
    retire_deck(author=alice, deck=own)
    for find in (access.own_deck, access.deck_for):
        with pytest.raises(Http404):
            find(alice, "mine")


def test_one_learners_reviews_are_nothing_to_another(bob: User, charlie: User, one_card: Card) -> None:
    review(bob, Rating.GOOD, MONDAY)
    suspend_card(learner=bob, card=one_card)
    assert (card_days(charlie), suspended(charlie)) == ({}, [])
    day = card_day(charlie)
    assert (day.done, day.new, day.left, day.has_seen) == (0, 1, 1, False)
    assert decks_for(charlie)[0].new == 1
    view = turn_view(turn_of(charlie))
    assert (view.ending, view.undoable) == (None, None)


def test_who_is_not_signed_in_sees_built_in_decks_only(own: Deck, deck: Deck) -> None:
    assert list(Deck.objects.visible_to(AnonymousUser())) == [deck]
    assert list(Deck.objects.visible_to(None)) == [deck]
