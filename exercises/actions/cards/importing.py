"""Cards from a file into a deck: first as a preview, which changes nothing, then for good."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from django.db import transaction

from exercises.actions.cards.decks import NOT_YOURS, lock_own, next_position, values_of
from exercises.bulk import write
from exercises.catalogue.card_check import fit
from exercises.catalogue.cards import MOST_CARDS, CardError, CardFile, shaped, source_of
from exercises.courses.cells import too_much
from exercises.decks import anki_form, csv_form
from exercises.decks.rows import MOST_BYTES, MOST_FAULTS, Fault, Row
from exercises.models import Card, Deck, User
from exercises.refusals import CardRefused

Format = Literal["csv", "anki"]
#: Seconds of computing that one import may take. A full deck is tried out in a third of it, one of drawn cards in most
#: of it; it is what ends a file that was made to keep a server busy.
MOST_SECONDS = 8.0


@dataclass
class Imported:
    """What an import did, or as a preview would do: cards by key, and the rows that cannot be used with their lines."""

    is_preview: bool
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def import_cards(
    *, author: User, deck: Deck, text: str, format: Format, is_preview: bool  # noqa: A002
) -> Imported:  # fmt: skip
    """Bring the cards of a file into one's own deck; cards that are not in the file stay.

    A row belongs to the card of its key (CSV) or guid (Anki), so importing a file twice changes nothing. Every card
    that is new or changed is held to the same as one that is written by hand. Rows with a fault are named by their
    lines, and as long as there is one nothing is kept. ``is_preview`` says what would happen. Of another program's text
    every note becomes a card that rates itself, or a cloze card. Everything is read before the deck is locked. Raises
    CardRefused for a deck that is not one's own, for a file that is too large or takes too long, and for more cards
    than a deck has room for.
    """
    if not Deck.objects.filter(pk=deck.pk, owner=author, retired=False).exists():
        raise CardRefused(NOT_YOURS)
    size = len(text.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        raise CardRefused(too_much(size, most=MOST_BYTES))
    began = time.thread_time()
    rows, faults = csv_form.rows(text) if format == "csv" else anki_form.rows(text)
    if len(rows) > MOST_CARDS:
        raise CardRefused(f"The file has more cards than a deck, which has at most {MOST_CARDS}: import it in parts.")
    report = Imported(is_preview, faults=faults)
    stored = _stored(deck)
    cards = _read(rows, stored, report, began)
    if is_preview or report.faults:
        _sort_out(deck, cards, stored, report)
    else:
        with transaction.atomic():
            lock_own(author, deck)
            now = _stored(deck)
            if any(_source(now, card.id) not in (_source(stored, card.id), source_of(card)) for card in cards):
                raise CardRefused("These cards were changed meanwhile: look at what the file would do, then import it.")
            write(Card, _sort_out(deck, cards, now, report), over=("deck_id", "key"))
    report.faults.sort()
    return report


def _stored(deck: Deck) -> dict[str, Card]:
    return {card.key: card for card in deck.cards.all()}


def _source(stored: Mapping[str, Card], key: str) -> str:
    return stored[key].source if key in stored else ""


def _read(rows: Sequence[Row], stored: Mapping[str, Card], report: Imported, began: float) -> list[CardFile]:
    cards: dict[str, CardFile] = {}
    for place, row in enumerate(rows):
        if len(report.faults) > MOST_FAULTS:
            break
        if len(report.faults) == MOST_FAULTS:
            report.faults.append(Fault(row.line, f"more than {MOST_FAULTS} faults: the rest was not looked at"))
            break
        if time.thread_time() - began > MOST_SECONDS:
            raise CardRefused(
                f"There is time to try out {place} of these {len(rows)} cards: import them in parts. Cards that the "
                "deck holds already take no time."
            )
        try:
            card = shaped(_content(row, stored))
            if _source(stored, card.id) != source_of(card):
                fit(card)
        except CardError as error:
            report.faults.append(Fault(row.line, str(error)))
            continue
        if card.id in cards:
            report.faults.append(Fault(row.line, f"another row is the card {card.id} already"))
            continue
        cards[card.id] = card
    return list(cards.values())


def _content(row: Row, stored: Mapping[str, Card]) -> Mapping[str, Any]:
    """The card of a row. One of ours that comes back from Anki without its source keeps all that Anki cannot hold.

    Raises CardError where what was changed there cannot be taken over.
    """
    known = stored.get(str(row.content.get("id")))
    if not row.is_foreign or known is None:
        return row.content
    return anki_form.merged(row, known.content)


def _sort_out(
    deck: Deck, cards: Sequence[CardFile], stored: Mapping[str, Card], report: Imported
) -> list[dict[str, Any]]:
    """The rows that have to be written. Raises CardRefused where there is no room for them."""
    alive = {key: card for key, card in stored.items() if not card.retired}
    if len(alive.keys() | {card.id for card in cards}) > MOST_CARDS:
        raise CardRefused(f"A deck has at most {MOST_CARDS} cards: import into another one.")
    rows = []
    last = next_position(deck)
    for card in cards:
        known = alive.get(card.id)
        if known is not None and known.source == source_of(card):
            report.unchanged.append(card.id)
            continue
        (report.changed if known else report.added).append(card.id)
        values = values_of(card, position=known.position if known else last)
        rows.append({"deck_id": deck.pk, "key": card.id, **values})
        last += known is None
    return rows
