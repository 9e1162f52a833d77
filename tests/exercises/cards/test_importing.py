"""Bringing cards into a deck from a file: shown first, named by line, kept at once or not at all."""

import csv
import io
import json
import time
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.actions import create_deck, import_cards, keep_card, retire_card, retire_deck
from exercises.actions.cards import importing
from exercises.catalogue.cards import MOST_CARDS, CardFile
from exercises.models import Card, Deck, User
from exercises.queries import export_cards
from exercises.refusals import CardRefused

pytestmark = pytest.mark.django_db

CSV = "key,kind,front,back,tags\na,self,Why?,Because.,x\nb,self,How?,So.,\n"


@pytest.fixture
def own(alice: User) -> Deck:
    """Alice's own deck, not shared."""
    return create_deck(author=alice, title="Alice's deck", summary="For Tuesdays.")


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
    with pytest.raises(CardRefused, match="2 MB are the most"):
        import_cards(author=alice, deck=own, text="front,back\n" + "é" * 1_100_000, format="csv", is_preview=True)
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
    began = time.thread_time()
    report = import_cards(author=alice, deck=own, text=text, format="csv", is_preview=True)
    assert len(report.faults) == 101
    assert time.thread_time() - began < 10


def test_the_address_of_the_form_for_a_new_card_is_no_key(alice: User, own: Deck) -> None:
    report = import_cards(author=alice, deck=own, text="key,front,back\nnew,Q?,A\n", format="csv", is_preview=False)
    assert [fault.line for fault in report.faults] == [2]
    assert "give this card another id" in report.faults[0].words
    assert not own.cards.exists()


# How much an import may do


def numbers(cards: int) -> str:
    """A file of so many cards that are marked."""
    return "key,kind,front,answer\n" + "".join(f"k{n},number,Q{n}?,ln({n + 2})\n" for n in range(cards))


def test_an_import_takes_so_much_time_and_no_more(alice: User, own: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    monkeypatch.setattr(importing, "fit", lambda card: tried.append(card.id))
    monkeypatch.setattr(time, "thread_time", lambda: len(tried) / 100)
    with pytest.raises(CardRefused, match="try out 801 of these 1000 cards: import them in parts"):
        import_cards(author=alice, deck=own, text=numbers(1000), format="csv", is_preview=False)
    assert len(tried) == 801
    assert not own.cards.exists()


def test_a_full_deck_of_cards_that_are_marked_goes_out_and_comes_in_again_whole(alice: User, own: Deck) -> None:
    began = time.thread_time()
    done = import_cards(author=alice, deck=own, text=numbers(MOST_CARDS), format="csv", is_preview=False)
    assert len(done.added) == own.cards.count() == MOST_CARDS
    other = create_deck(author=alice, title="Elsewhere")
    back = import_cards(
        author=alice, deck=other, text=export_cards(own, "anki"), format="anki", is_preview=False
    )  # fmt: skip
    assert len(back.added) == MOST_CARDS
    assert list(other.cards.values_list("source")) == list(own.cards.values_list("source"))
    assert time.thread_time() - began < 3 * importing.MOST_SECONDS


def test_a_file_of_cards_that_take_long_ends_with_its_time(
    alice: User, own: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MOST_SECONDS", 1.0)
    forms = json.dumps([f"form {n}" for n in range(64)])
    mistakes = json.dumps({f"m{m}": {"accept": [f"w{m} {n}" for n in range(40)], "says": "x"} for m in range(20)})
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["key", "kind", "front", "accept", "mistakes"])
    writer.writerows([f"k{n}", "text", f"Q{n}?", forms, mistakes] for n in range(100))
    began = time.thread_time()
    with pytest.raises(CardRefused, match="import them in parts"):
        import_cards(author=alice, deck=own, text=out.getvalue(), format="csv", is_preview=True)
    assert time.thread_time() - began < 4


def test_cards_that_are_held_already_are_not_tried_again(
    alice: User, own: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_cards(author=alice, deck=own, text=numbers(20), format="csv", is_preview=False)
    tried: list[str] = []
    monkeypatch.setattr(importing, "fit", lambda card: tried.append(card.id))
    report = import_cards(author=alice, deck=own, text=numbers(21), format="csv", is_preview=False)
    assert (len(report.unchanged), report.added, tried) == (20, ["k20"], ["k20"])


@pytest.mark.parametrize(("rows", "changed"), [(2, 1), (600, 500)])
def test_an_import_writes_in_bulk_and_a_preview_locks_nothing(alice: User, own: Deck, rows: int, changed: int) -> None:
    def text(back: str, first: int) -> str:
        return "key,front,back\n" + "".join(f"k{n},Q{n}?,{back}\n" for n in range(first, first + rows))

    import_cards(author=alice, deck=own, text=text("old", 0), format="csv", is_preview=False)
    with CaptureQueriesContext(
        connection,
    ) as preview:
        seen = import_cards(author=alice, deck=own, text=text("new", rows - changed), format="csv", is_preview=True)
    assert (len(seen.added), len(seen.changed)) == (rows - changed, changed)
    assert own.cards.count() == rows
    # The owner, the cards, the last place.
    assert [query["sql"].split()[0] for query in preview] == ["SELECT"] * 3
    assert not any("FOR " in query["sql"] for query in preview)
    with CaptureQueriesContext(connection) as applied:
        done = import_cards(author=alice, deck=own, text=text("new", rows - changed), format="csv", is_preview=False)
    assert (done.added, done.changed) == (seen.added, seen.changed)
    assert own.cards.count() == 2 * rows - changed
    assert len(applied) <= 14  # far from one a card


def test_everything_is_tried_before_the_deck_is_locked(alice: User, own: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    depth = len(connection.savepoint_ids)
    depths: list[int] = []
    monkeypatch.setattr(importing, "fit", lambda _: depths.append(len(connection.savepoint_ids)))
    import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=False)
    assert depths == [depth, depth]
    assert own.cards.count() == 2


def meanwhile(monkeypatch: pytest.MonkeyPatch, deed: Any) -> None:
    """Let something happen between the reading of a file and its writing."""
    done: list[CardFile] = []

    def fit(card: CardFile) -> None:
        if not done:
            done.append(card)
            deed()

    monkeypatch.setattr(importing, "fit", fit)


def test_a_deck_that_is_taken_away_meanwhile_takes_no_cards(
    alice: User, own: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, lambda: retire_deck(author=alice, deck=own))
    with pytest.raises(CardRefused, match="Only its owner"):
        import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=False)
    with pytest.raises(CardRefused, match="Only its owner"):
        import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=True)
    assert not own.cards.exists()


def test_a_card_that_is_changed_meanwhile_is_not_written_over(
    alice: User, own: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine: Mapping[str, Any] = {"id": "a", "kind": "self", "front": "Mine?", "back": "Mine."}
    meanwhile(monkeypatch, lambda: keep_card(author=alice, deck=own, content=mine))
    with pytest.raises(CardRefused, match="changed meanwhile"):
        import_cards(author=alice, deck=own, text=CSV, format="csv", is_preview=False)
    assert [card.content["front"] for card in Card.objects.all()] == ["Mine?"]


def test_a_card_of_ours_that_anki_could_not_show_is_no_error(alice: User, own: Deck) -> None:
    keep_card(author=alice, deck=own, content={"id": "a", "kind": "self", "front": "See [sound:a.mp3]", "back": "b"})
    text = "#separator:tab\n#guid column:1\nbert-gym:x:a\tOther\tb\n"
    report = import_cards(author=alice, deck=own, text=text, format="anki", is_preview=True)
    assert (report.changed, report.faults) == (["a"], [])
