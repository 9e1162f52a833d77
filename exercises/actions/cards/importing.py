"""Cards from a file into a deck: first as a preview, which changes nothing, then for good."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from django.db import transaction

from exercises.actions.cards.decks import next_position, source_of, store_card
from exercises.catalogue.cards import MOST_CARDS, CardError, CardFile, read_card
from exercises.decks import anki_form, csv_form
from exercises.decks.rows import MOST_BYTES, Fault, Row
from exercises.models import Card, Deck
from exercises.refusals import CardRefused

Format = Literal["csv", "anki"]
#: More faults than this are not looked for: the file is of another kind.
MOST_FAULTS = 100


@dataclass
class Imported:
    """What an import did, or as a preview would do: cards by key, and the rows that cannot be used with their lines."""

    is_preview: bool
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def import_cards(*, deck: Deck, text: str, format: Format, is_preview: bool) -> Imported:  # noqa: A002
    """Bring the cards of a file into a deck; cards that are not in the file stay.

    A row belongs to the card of its key (CSV) or guid (Anki), so importing a file twice changes nothing. Rows with a
    fault are named by their lines, and as long as there is one nothing is kept. ``is_preview`` says what would happen.
    Of another program's text every note becomes a card that rates itself, or a cloze card. Raises CardRefused for a
    file that is too large, for more cards than a deck has room for, and for a built-in deck.
    """
    if deck.owner_id is None:
        raise CardRefused("A built-in deck is kept by its file. Import into a deck of your own.")
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise CardRefused(f"The file is larger than {MOST_BYTES:,} bytes: import it in parts.")
    rows, faults = csv_form.rows(text) if format == "csv" else anki_form.rows(text)
    if len(rows) > MOST_CARDS:
        raise CardRefused(f"The file has {len(rows)} cards, and a deck at most {MOST_CARDS}: import it in parts.")
    report = Imported(is_preview, faults=list(faults))
    with transaction.atomic():
        Deck.objects.select_for_update(of=("self",), no_key=True).get(pk=deck.pk)
        stored = {card.key: card for card in deck.cards.all()}
        cards = _read(rows, stored, report)
        fresh = sum(card.id not in stored or stored[card.id].retired for card in cards)
        if sum(not card.retired for card in stored.values()) + fresh > MOST_CARDS:
            raise CardRefused(f"A deck has at most {MOST_CARDS} cards: import into another one.")
        _keep(deck, cards, stored, report)
    report.faults.sort()
    return report


def _read(rows: Sequence[Row], stored: dict[str, Card], report: Imported) -> list[CardFile]:
    cards: dict[str, CardFile] = {}
    for row in rows:
        if len(report.faults) >= MOST_FAULTS:
            report.faults.append(Fault(row.line, f"more than {MOST_FAULTS} faults: the rest was not looked at"))
            break
        try:
            card = read_card(_content(row, stored))
        except CardError as error:
            report.faults.append(Fault(row.line, str(error)))
            continue
        if card.id in cards:
            report.faults.append(Fault(row.line, f"another row is the card {card.id} already"))
            continue
        cards[card.id] = card
    return list(cards.values())


def _content(row: Row, stored: dict[str, Card]) -> Mapping[str, Any]:
    """The card of a row. One of ours that comes back from Anki without its source keeps all that Anki cannot hold.

    Raises CardError where what was changed there cannot be taken over.
    """
    known = stored.get(str(row.content.get("id")))
    if not row.is_foreign or known is None:
        return row.content
    return anki_form.merged(row, known.content)


def _keep(deck: Deck, cards: Sequence[CardFile], stored: dict[str, Card], report: Imported) -> None:
    position = next_position(deck)
    for card in cards:
        row = stored.get(card.id)
        if row is None or row.retired:
            report.added.append(card.id)
        elif row.source == source_of(card):
            report.unchanged.append(card.id)
            continue
        else:
            report.changed.append(card.id)
        if not report.is_preview and not report.faults:
            store_card(deck, card, row, position=position)
            position += 1
