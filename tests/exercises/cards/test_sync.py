"""Built-in decks in step with their files, and the commands that see to it."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from exercises.actions import create_deck, sync_decks
from exercises.catalogue.cards import decks
from exercises.mastery.retention import Rating
from exercises.models import Card, CardMemory, Deck, User
from exercises.queries import decks_for
from tests.exercises.cards.world import DECK, MONDAY, plain_deck, review

pytestmark = pytest.mark.django_db


def test_a_sync_adds_changes_leaves_and_retires() -> None:
    texts = {"small": DECK, "plain": plain_deck(2)}
    first = sync_decks(["small", "plain"], texts.__getitem__)
    assert (first.added, first.faults) == (["small", "plain"], {})
    texts["plain"] = plain_deck(1)
    second = sync_decks(["small", "plain"], texts.__getitem__)
    assert (second.changed, second.unchanged) == (["plain"], ["small"])
    assert list(Card.objects.filter(deck__slug="plain").values_list("key", "retired")) == [("c0", False), ("c1", True)]
    third = sync_decks(["small"], texts.__getitem__)
    assert (third.retired, third.unchanged) == (["plain"], ["small"])
    fourth = sync_decks(["small", "plain"], texts.__getitem__)
    assert fourth.changed == ["plain"]


def test_a_broken_file_keeps_the_last_good_state_and_hides_no_other(bob: User) -> None:
    texts = {"plain": plain_deck(2), "small": DECK}
    sync_decks(["plain"], texts.__getitem__)
    texts["plain"] = "cards: 3"
    report = sync_decks(["plain", "small"], texts.__getitem__)
    assert (report.added, list(report.faults)) == (["small"], ["plain"])
    broken = Deck.objects.get(slug="plain")
    assert (broken.fault, broken.retired, broken.cards.filter(retired=False).count()) == (
        report.faults["plain"],
        False,
        2,
    )
    assert {row.deck.slug for row in decks_for(bob)} == {"plain", "small"}
    texts["plain"] = plain_deck(2)
    assert sync_decks(["plain", "small"], texts.__getitem__).changed == ["plain"]
    assert Deck.objects.get(slug="plain").fault == ""


def test_a_file_that_was_never_good_makes_no_deck() -> None:
    report = sync_decks(["new", "no good name"], lambda slug: "cards: 3")
    assert set(report.faults) == {"new", "no good name"}
    assert not Deck.objects.exists()


def test_what_was_learnt_stays_with_a_card_whose_text_changes(bob: User, one_card: Card) -> None:
    review(bob, Rating.GOOD, MONDAY)
    sync_decks(["plain"], lambda slug: plain_deck(1).replace("Question", "Question number"))
    one_card.refresh_from_db()
    assert one_card.content["front"] == "Question number 0?"
    assert CardMemory.objects.get(learner=bob, card=one_card).reviews == 1


def test_a_teachers_deck_keeps_its_address(alice: User) -> None:
    create_deck(author=alice, title="Plain")
    report = sync_decks(["plain"], lambda slug: plain_deck(2))
    assert "address already" in report.faults["plain"]
    deck = Deck.objects.get()
    assert (deck.owner, deck.cards.count(), deck.retired) == (alice, 0, False)
    sync_decks([])
    deck.refresh_from_db()
    assert not deck.retired


def test_the_command_brings_in_the_decks_of_the_catalogue() -> None:
    out = io.StringIO()
    call_command("sync_catalogue", stdout=out)
    assert f"decks: {len(decks())} added, 0 changed, 0 unchanged, 0 retired, 0 broken." in out.getvalue()
    assert set(Deck.objects.values_list("slug", flat=True)) == set(decks())


def test_the_check_of_a_file_tells_what_is_wrong(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(DECK)
    bad.write_text(DECK.replace('answer: "5"', 'answer: "log(5)"'))
    out = io.StringIO()
    call_command("deck", "check", str(good), "--seeds", "20", stdout=out)
    assert "10 cards" in out.getvalue()
    with pytest.raises(CommandError, match=r"These decks failed: .*bad\.yaml"):
        call_command("deck", "check", str(good), str(bad), "--seeds", "5", stdout=out)
    assert "tokens.answer: 'log(5)': write ln" in out.getvalue()
    with pytest.raises(CommandError, match="no deck"):
        call_command("deck", "check", "nothing-of-that-name")


def test_the_rebuild_command_finds_and_mends(bob: User, one_card: Card) -> None:
    review(bob, Rating.GOOD, MONDAY)
    out = io.StringIO()
    call_command("deck", "rebuild", "--check", stdout=out)
    assert "0 differ." in out.getvalue()
    CardMemory.objects.update(stability=99)
    with pytest.raises(CommandError, match="deck rebuild"):
        call_command("deck", "rebuild", "--check", stdout=out)
    call_command("deck", "rebuild", "--learner", "bob", stdout=out)
    assert CardMemory.objects.get().stability == pytest.approx(2.3065)
    with pytest.raises(CommandError, match="nobody called"):
        call_command("deck", "rebuild", "--learner", "nobody")
