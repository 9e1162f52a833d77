"""Decks of teachers: making them, writing cards, looking at them and taking them out."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.actions import (
    create_deck,
    edit_deck,
    import_cards,
    keep_card,
    retire_card,
    retire_deck,
)
from exercises.actions.cards.decks import free_key
from exercises.card_sides import card_preview
from exercises.catalogue.cards import shaped
from exercises.models import Deck, User
from exercises.queries import deck_cards
from exercises.refusals import CardRefused
from tests.exercises.cards.world import put

pytestmark = pytest.mark.django_db

SELF: dict[str, Any] = {"kind": "self", "front": "Why masks?", "back": "To learn both ways."}


@pytest.fixture
def own(alice: User) -> Deck:
    """Alice's own deck, not shared."""
    return create_deck(author=alice, title="Alice's deck", summary="For Tuesdays.")


def test_only_teachers_add_decks(bob: User) -> None:
    with pytest.raises(CardRefused, match="Only teachers"):
        create_deck(author=bob, title="Mine")


def test_decks_of_one_title_have_addresses_of_their_own(alice: User) -> None:
    slugs = [create_deck(author=alice, title=title).slug for title in ("Mask", "Mask", "new", "漢字", "漢字")]
    assert slugs == ["mask", "mask-2", "new-2", "deck", "deck-2"]


@pytest.mark.parametrize("title", ["", "  ", "x" * 201])
def test_a_deck_needs_a_title_that_fits(alice: User, title: str) -> None:
    with pytest.raises(CardRefused) as caught:
        create_deck(author=alice, title=title)
    assert "title" in caught.value.faults


def test_a_deck_is_edited_and_keeps_its_address(alice: User, own: Deck) -> None:
    edit_deck(author=alice, deck=own, title="Another", is_shared=True)
    own.refresh_from_db()
    assert (own.slug, own.title, own.summary, own.is_shared) == ("alices-deck", "Another", "For Tuesdays.", True)


def test_nobody_changes_what_is_not_theirs(alice: User, own: Deck, deck: Deck) -> None:
    other = User.objects.create_user("dora", password="dora teaches too", is_instructor=True)
    card = keep_card(author=alice, deck=own, content=SELF)
    for author, at in ((other, own), (alice, deck)):
        with pytest.raises(CardRefused, match="Only its owner"):
            edit_deck(author=author, deck=at, title="x")
        with pytest.raises(CardRefused, match="Only its owner"):
            keep_card(author=author, deck=at, content=SELF)
        with pytest.raises(CardRefused, match="Only its owner"):
            retire_deck(author=author, deck=at)
        for is_preview in (True, False):
            with pytest.raises(CardRefused, match="Only its owner"):
                import_cards(author=author, deck=at, text="front,back\nQ,A\n", format="csv", is_preview=is_preview)
    with pytest.raises(CardRefused, match="Only its owner"):
        retire_card(author=other, card=card)
    assert list(own.cards.values_list("key", "retired")) == [(card.key, False)]


def test_a_card_is_kept_changed_and_taken_out(alice: User, own: Deck) -> None:
    card = keep_card(author=alice, deck=own, content=SELF)
    assert (card.key, card.kind, card.content) == ("why-masks", "self", {"id": "why-masks", **SELF})
    turn = put(alice, card)
    changed = keep_card(author=alice, deck=own, content=SELF | {"back": "Both ways."}, key="why-masks")
    assert (changed.pk, changed.content["back"], turn.content["back"]) == (card.pk, "Both ways.", SELF["back"])
    second = keep_card(author=alice, deck=own, content=SELF)
    assert (second.key, second.position) == ("why-masks-2", 2)
    retire_card(author=alice, card=card)
    assert [(row.key, row.retired) for row in deck_cards(own)] == [("why-masks-2", False), ("why-masks", True)]
    again = keep_card(author=alice, deck=own, content=SELF | {"id": "why-masks"})
    assert (again.pk, again.position) == (card.pk, 3)


@given(st.text(max_size=80) | st.text(st.sampled_from("new-_ $[]gap1É漢"), max_size=80), st.sets(st.just("new-2")))
def test_any_front_gives_a_free_key(front: str, taken: set[str]) -> None:
    for _ in range(3):
        key = free_key(front, taken)
        assert key not in taken
        assert key != "new"  # the address of the form for another one
        assert shaped({**SELF, "id": key}).id == key
        taken.add(key)


def test_a_name_in_a_front_makes_a_key(alice: User, own: Deck) -> None:
    keys = [keep_card(author=alice, deck=own, content=SELF | {"front": "What is h_i for?"}).key for _ in range(2)]
    assert keys == ["what-is-h-i-for", "what-is-h-i-for-2"]


def test_a_new_card_never_overwrites_another(alice: User, own: Deck) -> None:
    keep_card(author=alice, deck=own, content=SELF | {"id": "a"})
    with pytest.raises(CardRefused, match="a card a already"):
        keep_card(author=alice, deck=own, content=SELF | {"id": "a", "back": "other"})
    with pytest.raises(CardRefused, match="no card b"):
        keep_card(author=alice, deck=own, content=SELF, key="b")


@pytest.mark.parametrize(
    ("content", "key", "words"),
    [
        ({"kind": "number", "front": "Q?", "answer": "log(2)"}, "answer", "write ln"),
        ({"kind": "choice", "front": "Q?", "options": {"a": "1", "b": "2"}, "answer": "c"}, "", "no option c"),
        ({"kind": "text", "front": "softmax?", "accept": ["softmax"]}, "", "holds the answer"),
        ({"kind": "self", "front": "Q?"}, "", "needs back"),
        ({"kind": "number", "front": "Is it 0.42?", "answer": "0.42"}, "", "holds the answer"),
        ({"kind": "text", "front": "Q?", "accept": ["One", "one"]}, "", "are one form"),
        (
            {"kind": "text", "front": "Q?", "accept": ["a"], "mistakes": {"x": {"accept": ["A"], "says": "No."}}},
            "",
            "does not earn x",
        ),
        ({"kind": "self", "front": "Q?", "back": "A", "figure": {"bars": "[1, 2]", "labels": ["x"]}}, "", "label"),
        (
            {
                "kind": "drawn",
                "problem": {
                    "statement": "Q",
                    "steps": {"s": {"ask": "Q", "kind": "choice", "options": ["a", "b"], "is": "7"}},
                },
            },
            "",
            "none that could be given",
        ),
        ({"kind": "self", "front": "Q?", "back": "A", "parameters": {"p": {"is": float("inf")}}}, "parameters", "fin"),
    ],
)
def test_a_card_is_held_to_the_same_by_hand_and_from_a_file(
    alice: User, own: Deck, content: dict[str, Any], key: str, words: str
) -> None:
    with pytest.raises(CardRefused) as caught:
        keep_card(author=alice, deck=own, content=content)
    assert words in caught.value.faults[key]
    row = json.dumps({"id": "x", **content})
    report = import_cards(author=alice, deck=own, text=f"#separator:pipe\nF|B|{row}\n", format="anki", is_preview=False)
    assert [(fault.line, words in fault.words) for fault in report.faults] == [(2, True)]
    assert not own.cards.exists()


def test_a_preview_shows_the_front_and_marks_what_is_tried() -> None:
    content = {"kind": "number", "front": "$-\\ln 0.5$?", "answer": "-ln(0.5)", "back": "A bit is this."}
    front = card_preview(content)
    assert (front.front, front.is_shown, front.back, front.mark) == ("$-\\ln 0.5$?", False, "", None)
    tried = card_preview(content, typed="0.693")
    assert tried.mark is not None
    assert (tried.mark.outcome, tried.back, tried.is_shown) == ("right", "A bit is this.", True)
    unread = card_preview(content, typed="1..2")
    assert (unread.is_shown, bool(unread.unread)) == (False, True)
    assert card_preview(SELF).back == SELF["back"]
    with pytest.raises(CardRefused):
        card_preview(content | {"answer": "log(2)"})
