"""What teachers do with decks: write cards, look at them, try them, take them out, bring them in and out of a file."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from exercises import limits, queries
from exercises.catalogue.card_model import KINDS
from exercises.models import Card, Deck, User
from frontend.card_form import KIND_WORDS, CardForm, initial_of, is_lossless
from tests.frontend.cards.world import ALL, CHOICE, NUMBER, deck_of
from tests.frontend.world import part, value_of, words

pytestmark = pytest.mark.usefixtures("servers")
NEW = {
    "kind": "number",
    "id": "two-shares",
    "skill": "softmax",
    "front": "Two equal logits. What is each share?",
    "answer": "1/2",
    "back": "One half.",
    "mistakes": "sum | 1 | That is all of them together.",
}


def address(name: str, deck: Deck, *more: str) -> str:
    return reverse(f"frontend:{name}", args=[deck.slug, *more])


def test_every_kind_of_card_has_its_words_and_its_form() -> None:
    assert set(KIND_WORDS) == set(KINDS)
    for kind in KINDS:
        form = CardForm(kind=kind, is_new=True)
        assert ("front" in form.fields) is (kind != "drawn")
        assert ("answer" in form.fields) is (kind in ("number", "count", "shape", "choice", "choices"))
        assert ("problem" in form.fields) is (kind == "drawn")


@pytest.mark.parametrize("card", ALL, ids=lambda card: card["id"])
def test_the_form_gives_back_the_card_it_was_filled_with(alice: User, card: dict[str, Any]) -> None:
    stored = deck_of(alice, card).cards.get().content
    assert is_lossless(stored)
    form = CardForm(initial_of(stored), kind=stored["kind"], is_new=False)
    assert form.is_valid(), form.errors
    assert form.content(stored["id"]) == stored


def test_a_deck_is_made_renamed_and_shared(as_alice: Client, as_bob: Client) -> None:
    made = as_alice.post("/cards/decks/new/", {"title": "Masks", "summary": "What is chosen."}, follow=True)
    deck = Deck.objects.get()
    assert "seen by you alone" in words(made.content.decode())
    assert "Masks" not in as_bob.get("/cards/").content.decode()
    as_alice.post(address("deck-edit", deck), {"title": "Masked slots", "is_shared": "on"})
    assert "Masked slots" in as_bob.get("/cards/").content.decode()
    refused = as_alice.post(address("deck-edit", deck), {"title": ""})
    assert refused.status_code == 422
    deck.refresh_from_db()
    assert deck.title == "Masked slots"


def test_a_deck_is_taken_away(alice: User, as_alice: Client, as_bob: Client) -> None:
    deck = deck_of(alice, *ALL)
    told = as_alice.post(address("deck-edit", deck), {"do": "retire"}, follow=True)
    assert "Week 3 is taken away." in words(told.content.decode())
    assert as_bob.get(address("deck", deck)).status_code == 404
    assert deck.cards.count() == len(ALL)


def test_a_card_is_written_looked_at_tried_and_kept(alice: User, as_alice: Client) -> None:
    deck = deck_of(alice)
    page = address("card-new", deck)
    seen = as_alice.post(page, {**NEW, "do": "preview"}).content.decode()
    assert "Two equal logits." in part(seen, "preview")
    assert not Card.objects.exists()
    tried = as_alice.post(page, {**NEW, "do": "preview", "answer-answer": "1"}).content.decode()
    assert "That is all of them together." in part(tried, "preview")
    right = as_alice.post(page, {**NEW, "do": "try", "answer-answer": "0.5"}).content.decode()
    assert "Right" in part(right, "preview")
    assert as_alice.post(page, {**NEW, "do": "keep"}).status_code == 302
    kept = Card.objects.get()
    assert kept.key == "two-shares"
    assert kept.content["mistakes"] == {"sum": {"is": "1", "says": "That is all of them together."}}


def test_a_card_without_an_id_gets_one_from_its_front(alice: User, as_alice: Client) -> None:
    deck = deck_of(alice)
    page = address("card-new", deck)
    assert "Two equal logits." in part(
        as_alice.post(page, {**NEW, "id": "", "do": "preview"}).content.decode(), "preview"
    )
    assert as_alice.post(page, {**NEW, "id": "", "do": "keep"}).status_code == 302
    assert Card.objects.get().key == "two-equal-logits-what-is-each-share"


def test_the_address_of_a_new_card_is_no_id(alice: User, as_alice: Client) -> None:
    told = as_alice.post(address("card-new", deck_of(alice)), {**NEW, "id": "new", "do": "keep"})
    assert told.status_code == 422
    assert "give this card another id" in words(part(told.content.decode(), "id_id_error"))
    assert not Card.objects.exists()


@pytest.mark.parametrize("do", ["keep", "preview", "kind"])
def test_an_unknown_kind_is_refused(alice: User, as_alice: Client, do: str) -> None:
    form = {**NEW, "kind": "essay", "accept": "one half", "do": do}
    told = as_alice.post(address("card-new", deck_of(alice)), form)
    assert told.status_code == 422
    assert "no kind of card called" in words(told.content.decode())
    assert "Two equal logits." in told.content.decode(), "what was written stays"
    assert not Card.objects.exists()


def test_an_unknown_kind_changes_no_card(alice: User, as_alice: Client) -> None:
    deck = deck_of(alice, NUMBER)
    told = as_alice.post(address("card-edit", deck, NUMBER["id"]), {**NEW, "kind": "essay", "do": "keep"})
    assert told.status_code == 422
    assert Card.objects.get().kind == "number"


def test_what_is_wrong_stands_at_its_field_and_nothing_typed_is_lost(alice: User, as_alice: Client) -> None:
    deck = deck_of(alice)
    for do in ("keep", "preview"):
        told = as_alice.post(address("card-new", deck), {**NEW, "answer": "1/", "do": do})
        assert told.status_code == 422
        html = told.content.decode()
        assert part(html, "id_answer_error")
        assert value_of(html, "id_answer") == "1/"
        assert "Two equal logits." in html
    lines = as_alice.post(address("card-new", deck), {**NEW, "mistakes": "no bars here", "do": "keep"})
    assert "Write each mistake as" in part(lines.content.decode(), "id_mistakes_error")
    assert not Card.objects.exists()


def test_another_kind_keeps_what_both_have(alice: User, as_alice: Client) -> None:
    deck = deck_of(alice)
    html = as_alice.post(address("card-new", deck), {**NEW, "kind": "choice", "do": "kind"}).content.decode()
    assert 'id="id_options"' in html
    assert 'id="id_digits"' not in html
    assert "Two equal logits." in html
    assert "form-error" not in html


def test_a_card_is_changed_and_taken_out(alice: User, as_alice: Client) -> None:
    deck = deck_of(alice, NUMBER)
    page = address("card-edit", deck, "uniform")
    html = as_alice.get(page).content.decode()
    assert value_of(html, "id_answer") == "ln(3)"
    assert 'id="id_id"' not in html
    changed = {**initial_of(deck.cards.get().content), "front": "Three again?", "kind": "number", "do": "keep"}
    assert as_alice.post(page, changed).status_code == 302
    assert deck.cards.get().content == {**NUMBER, "front": "Three again?"}
    assert as_alice.post(page, {"do": "retire"}).status_code == 302
    assert deck.cards.get().retired
    assert "out of the deck" in words(as_alice.get(address("deck", deck)).content.decode())


def test_a_card_that_the_fields_cannot_hold_is_edited_as_a_file(alice: User, as_alice: Client) -> None:
    lines = {**NUMBER, "mistakes": {"log2": {"is": "log2(3)", "says": "First line.\n\nSecond line."}}}
    deck = deck_of(alice, lines)
    page = address("card-edit", deck, "uniform")
    html = as_alice.get(page).content.decode()
    assert "Second line." in part(html, "id_source")
    source = "id: uniform\nkind: number\nfront: How much?\nanswer: '2'\n"
    assert as_alice.post(page, {"source": source, "do": "keep"}).status_code == 302
    assert deck.cards.get().content["front"] == "How much?"
    assert as_alice.post(page, {"source": "[1, 2", "do": "keep"}).status_code in (200, 422)
    assert deck.cards.get().content["front"] == "How much?"


@pytest.mark.parametrize("style", ["csv", "anki"])
def test_what_is_exported_comes_in_again_unchanged(alice: User, as_alice: Client, style: str) -> None:
    deck = deck_of(alice, *ALL)
    sent = as_alice.get(address("deck-export", deck, style))
    assert "attachment" in sent["Content-Disposition"]
    text = sent.content.decode()
    assert text == queries.export_cards(deck, style)
    before = list(deck.cards.values())
    html = as_alice.post(
        address("deck-import", deck), {"text": text, "format": style, "do": "preview"}
    ).content.decode()
    assert f"Unchanged {len(ALL)}" in words(html)
    assert "The deck holds all of this already." in words(html)
    upload = SimpleUploadedFile("cards.txt", text.encode("utf-8-sig"))
    again = as_alice.post(address("deck-import", deck), {"upload": upload, "format": style, "do": "preview"})
    assert f"Unchanged {len(ALL)}" in words(again.content.decode())
    assert list(deck.cards.values()) == before


def test_an_import_is_shown_before_it_is_done(alice: User, as_alice: Client) -> None:
    source = deck_of(alice, *ALL, title="From")
    deck = deck_of(alice, {**CHOICE, "front": "An older front?"}, title="To")
    text = queries.export_cards(source, "csv")
    form = {"text": text, "format": "csv"}
    seen = as_alice.post(address("deck-import", deck), {**form, "do": "preview"}).content.decode()
    assert "Added 4" in words(seen)
    assert "Changed 1" in words(seen)
    assert deck.cards.count() == 1
    assert as_alice.post(address("deck-import", deck), {**form, "do": "apply"}).status_code == 302
    assert deck.cards.count() == 5
    assert deck.cards.get(key="spared").content == CHOICE


def test_a_file_that_is_none_is_told(alice: User, as_alice: Client) -> None:
    deck = deck_of(alice)
    page = address("deck-import", deck)
    assert as_alice.post(page, {"format": "csv", "do": "preview"}).status_code == 422
    latin = SimpleUploadedFile("cards.csv", "key,kind\nä,self".encode("latin-1"))
    assert "UTF-8" in words(as_alice.post(page, {"format": "csv", "upload": latin}).content.decode())
    faulty = as_alice.post(page, {"format": "csv", "text": "key,kind,front\nx,number,What?\n", "do": "preview"})
    assert "Line 2:" in words(faulty.content.decode())
    assert not Card.objects.exists()


def test_more_imports_than_anybody_makes_are_not_read(
    alice: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = deck_of(alice)
    monkeypatch.setattr(limits, "MOST_WORK", 2)
    form = {"format": "csv", "text": "key,front,back\na,Why?,Because.\n"}
    page = address("deck-import", deck)
    assert [as_alice.post(page, {**form, "do": "preview"}).status_code for _ in range(2)] == [200, 200]
    late = as_alice.post(page, {**form, "do": "apply"})
    assert late.status_code == 429
    assert "a,Why?,Because." in late.content.decode(), "what was sent is there to be sent again"
    assert as_alice.get(page).status_code == 200
    assert not Card.objects.exists()


def test_a_file_that_is_too_large_or_takes_too_long_is_told(
    alice: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = address("deck-import", deck_of(alice))
    large = SimpleUploadedFile("cards.csv", b"front,back\n" + b"x" * 2_000_000)
    told = as_alice.post(page, {"format": "csv", "upload": large, "do": "preview"})
    assert (told.status_code, "2 MB are the most" in words(told.content.decode())) == (422, True)
    monkeypatch.setattr("exercises.actions.cards.importing.MOST_SECONDS", -1)
    told = as_alice.post(page, {"format": "csv", "text": "front,back\nQ,A\n", "do": "apply"})
    assert (told.status_code, "import them in parts" in words(told.content.decode())) == (422, True)
    assert not Card.objects.exists()


def test_learners_see_no_list_of_cards(alice: User, as_bob: Client) -> None:
    deck = deck_of(alice, *ALL)
    html = as_bob.get(address("deck", deck)).content.decode()
    assert "Its cards" not in html
    assert "Export" not in html
