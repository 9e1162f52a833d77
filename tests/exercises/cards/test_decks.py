"""Decks of teachers: writing cards, taking them out, and bringing them in from files."""

import time
from typing import Any

import pytest

from exercises.actions import (
    create_deck,
    edit_deck,
    import_cards,
    keep_card,
    retire_card,
    retire_deck,
)
from exercises.card_sides import card_preview
from exercises.models import Card, Deck, User
from exercises.queries import deck_cards, export_cards
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
    with pytest.raises(CardRefused, match="Only its owner"):
        retire_card(author=other, card=card)
    assert not Card.objects.filter(deck=own, retired=True).exists()


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
    ],
)
def test_a_card_is_held_to_its_check_before_it_is_kept(
    alice: User, own: Deck, content: dict[str, Any], key: str, words: str
) -> None:
    with pytest.raises(CardRefused) as caught:
        keep_card(author=alice, deck=own, content=content)
    assert words in caught.value.faults[key]
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


# Import


CSV = "key,kind,front,back,tags\na,self,Why?,Because.,x\nb,self,How?,So.,\n"


def test_an_import_is_first_a_preview(alice: User, own: Deck) -> None:
    seen = import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=True)
    assert (seen.added, seen.changed, seen.unchanged, seen.faults) == (["a", "b"], [], [], [])
    assert not own.cards.exists()
    done = import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=False)
    assert done.added == ["a", "b"]
    assert [card.key for card in own.cards.all()] == ["a", "b"]


def test_importing_twice_changes_nothing(alice: User, own: Deck) -> None:
    import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=False)
    before = list(own.cards.values())
    again = import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=False)
    assert (again.added, again.changed, again.unchanged) == ([], [], ["a", "b"])
    assert list(own.cards.values()) == before


def test_a_changed_row_changes_its_card_and_others_stay(alice: User, own: Deck) -> None:
    import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=False)
    text = "key,kind,front,back\nb,self,How?,Thus.\nc,self,When?,Now.\n"
    report = import_cards(author=alice, deck=own, text=text, format="csv", is_preview=False)
    assert (report.added, report.changed, report.unchanged) == (["c"], ["b"], [])
    assert [card.key for card in own.cards.all()] == ["a", "b", "c"]


def test_faults_are_named_by_line_and_nothing_is_kept(alice: User, own: Deck) -> None:
    text = 'key,kind,front,back\na,self,"Two\nlines",ok\nb,self,no back,\na,self,twice,x\nc,odd,q,a\n'
    report = import_cards(author=alice, deck=own, text=text, format="csv", is_preview=False)
    assert [(fault.line, fault.words.partition(":")[0]) for fault in report.faults] == [
        (4, "a self card needs back"), (5, "another row is the card a already"), (6, "kind"),
    ]  # fmt: skip
    assert report.added == ["a"]
    assert not own.cards.exists()


@pytest.mark.parametrize("format_", ["csv", "anki"])
def test_a_deck_goes_into_another_and_comes_out_the_same(alice: User, own: Deck, deck: Deck, format_: Any) -> None:
    Deck.objects.filter(pk=own.pk).update(title=deck.title)
    own.title = deck.title
    text = export_cards(deck, format_)
    report = import_cards(author=alice, deck=own, text=text, format=format_, is_preview=False)
    assert (len(report.added), report.faults) == (10, [])
    assert [card.source for card in own.cards.all()] == [card.source for card in deck.cards.all()]
    assert export_cards(own, format_) == text.replace("bert-gym:small:", "bert-gym:alices-deck:")
    again = import_cards(author=alice, deck=own, text=export_cards(own, format_), format=format_, is_preview=False)
    assert (again.added, again.changed, len(again.unchanged)) == ([], [], 10)


def test_cards_come_back_from_anki_without_their_source(alice: User, own: Deck, deck: Deck) -> None:
    """Anki's note type Basic has no field for the source, so Anki's own export does not bring it back."""
    import_cards(author=alice, deck=own, text=export_cards(deck, "csv"), format="csv", is_preview=False)
    rows = export_cards(own, "anki").split("\n")
    text = "\n".join(row.rpartition("\t")[0] if not row.startswith("#") else row for row in rows)
    report = import_cards(author=alice, deck=own, text=text, format="anki", is_preview=True)
    assert (report.faults, report.added, report.changed, len(report.unchanged)) == ([], [], [], 10)
    edited = text.replace("So that the model", "So that it").replace("Logs turn", "Logarithms turn")
    report = import_cards(author=alice, deck=own, text=edited, format="anki", is_preview=True)
    assert report.changed == ["why"]
    assert "two-thirds is marked here" in report.faults[0].words


def test_foreign_notes_twice_change_nothing_and_keep_what_was_added_here(alice: User, own: Deck) -> None:
    head = "#separator:tab\n#html:true\n#guid column:1\n#tags column:4\n"
    text = head + "xY%~\tWhat is <b>V</b>?\tThe vocabulary\tc1\nk2\t{{c1::Bert}} masks\t\t\n"
    first = import_cards(author=alice, deck=own, text=text, format="anki", is_preview=False)
    assert (len(first.added), first.faults) == (2, [])
    note = own.cards.get(kind="self")
    assert (note.content["front"], note.content["tags"]) == ("What is **V**?", ["c1"])
    keep_card(author=alice, deck=own, content=note.content | {"skill": "softmax"}, key=note.key)
    again = import_cards(author=alice, deck=own, text=text, format="anki", is_preview=False)
    assert (again.added, again.changed, len(again.unchanged)) == ([], [], 2)
    changed = import_cards(
        author=alice, deck=own, text=text.replace("The voc", "The whole voc"), format="anki", is_preview=False
    )
    assert len(changed.changed) == 1
    note.refresh_from_db()
    assert (note.skill, note.content["back"]) == ("softmax", "The whole vocabulary")


def test_an_import_brings_a_retired_card_back(alice: User, own: Deck) -> None:
    import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=False)
    retire_card(author=alice, card=own.cards.get(key="a"))
    assert "Why?" not in export_cards(own, "csv")
    report = import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=False)
    assert (report.added, report.unchanged) == (["a"], ["b"])
    assert not own.cards.filter(retired=True).exists()


def test_imports_are_bounded(alice: User, own: Deck, deck: Deck) -> None:
    with pytest.raises(CardRefused, match="larger than"):
        import_cards(author=alice, deck=own, text="front,back\n" + "é" * 600_000, format="csv", is_preview=True)
    many = "front,back\n" + "".join(f"q{n},a\n" for n in range(2001))
    with pytest.raises(CardRefused, match="at most 2000"):
        import_cards(author=alice, deck=own, text=many, format="csv", is_preview=True)
    with pytest.raises(CardRefused, match="Only its owner"):
        import_cards(author=alice, deck=deck, text=CSV, format="csv", is_preview=True)
    half = "front,back\n" + "".join(f"q{n},a\n" for n in range(1500))
    import_cards(author=alice, deck=own, text=half, format="csv", is_preview=False)
    with pytest.raises(CardRefused, match="at most 2000"):
        import_cards(author=alice, deck=own, text=half.replace("q", "p"), format="csv", is_preview=False)
    assert own.cards.count() == 1500


def test_a_file_of_another_kind_is_given_up_soon(alice: User, own: Deck) -> None:
    text = "key,kind,front,answer\n" + "".join(f"k{n},number,q,log({n})\n" for n in range(1900))
    began = time.perf_counter()
    report = import_cards(author=alice, deck=own, text=text, format="csv", is_preview=True)
    assert len(report.faults) == 101
    assert time.perf_counter() - began < 10
