"""Bringing the built-in decks in step with the files of the catalogue."""

import re
from collections.abc import Callable, Iterable

from django.db import transaction

from exercises.actions.cards.decks import values_of
from exercises.actions.catalogue import Synced
from exercises.catalogue import cards as catalogue_cards
from exercises.catalogue.cards import DeckError, DeckFile, read_deck
from exercises.models import Card, Deck

SLUG = re.compile(r"[A-Za-z0-9_-]{1,80}")
TAKEN = "A teacher's deck has this address already: give the file another name."


def sync_decks(
    slugs: Iterable[str] | None = None, source: Callable[[str], str] = catalogue_cards.deck_source
) -> Synced:
    """Store the decks of the catalogue, and retire those whose file is gone, and cards that are no longer in theirs.

    Each file by itself: a broken one keeps its last good state, is marked with its fault, and hides no other. Safe to
    run again, and by several processes at once. Cards are known by their id: what was learnt with one stays with it.
    """
    report = Synced()
    wanted = list(catalogue_cards.decks() if slugs is None else slugs)
    for slug in wanted:
        _sync_one(slug, source, report)
    gone = Deck.objects.filter(owner=None, retired=False).exclude(slug__in=wanted)
    report.retired = sorted(gone.values_list("slug", flat=True))
    gone.update(retired=True)
    return report


def _sync_one(slug: str, source: Callable[[str], str], report: Synced) -> None:
    if not SLUG.fullmatch(slug):
        report.faults[slug] = "The file's name is the deck's address: letters, digits, - and _ only, 80 at most."
        return
    try:
        file = read_deck(source(slug))
    except (DeckError, OSError, UnicodeDecodeError) as error:
        report.faults[slug] = str(error)
        Deck.objects.filter(slug=slug, owner=None).update(fault=str(error))
        return
    with transaction.atomic():
        deck, is_new = Deck.objects.select_for_update(of=("self",)).get_or_create(
            slug=slug, defaults={"title": file.title}
        )
        if deck.owner_id is not None:
            report.faults[slug] = TAKEN
            return
        is_changed = _keep_deck(deck, file) | _keep_cards(deck, file)
    (report.added if is_new else report.changed if is_changed else report.unchanged).append(slug)


def _keep_deck(deck: Deck, file: DeckFile) -> bool:
    wanted = {"title": file.title, "summary": file.summary, "position": file.position, "retired": False, "fault": ""}
    is_changed = any(getattr(deck, name) != value for name, value in wanted.items())
    if is_changed:
        for name, value in wanted.items():
            setattr(deck, name, value)
        deck.save(update_fields=list(wanted))
    return is_changed


def _keep_cards(deck: Deck, file: DeckFile) -> bool:
    stored = {card.key: card for card in deck.cards.all()}
    added, changed = [], []
    for place, entry in enumerate(file.cards, start=1):
        wanted = values_of(entry, position=place)
        row = stored.pop(entry.id, None)
        if row is None:
            added.append(Card(deck=deck, key=entry.id, **wanted))
        elif any(getattr(row, name) != value for name, value in wanted.items()):
            for name, value in wanted.items():
                setattr(row, name, value)
            changed.append(row)
    gone = [card for card in stored.values() if not card.retired]
    for card in gone:
        card.retired = True
    Card.objects.bulk_create(added, batch_size=500)
    Card.objects.bulk_update(changed + gone, ["position", "source", "kind", "skill", "retired"], batch_size=500)
    return bool(added or changed or gone)
