"""Decks that teachers keep, and the cards in them."""

import json
import re
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.text import slugify

from exercises.catalogue.card_check import check_card
from exercises.catalogue.cards import MOST_CARDS, MOST_SUMMARY, MOST_TITLE, CardError, CardFile, read_card
from exercises.models import Card, Deck, User
from exercises.refusals import CardRefused

#: Variants that an authored drawn card is tried in while its author waits.
SEEDS = 40
RACES = 50


def create_deck(*, author: User, title: str, summary: str = "", is_shared: bool = False) -> Deck:
    """A new, empty deck of a teacher; learners see it once it is shared. Raises CardRefused."""
    if not author.is_instructor:
        raise CardRefused("Only teachers add decks. Ask one to share theirs, or to make you a teacher.")
    values = {"title": _title(title), "summary": _summary(summary), "is_shared": is_shared, "owner": author}
    base = slugify(title)[:60] or "deck"
    for number in range(1, RACES):
        slug = base if number == 1 else f"{base}-{number}"
        if slug in _RESERVED or Deck.objects.filter(slug=slug).exists():
            continue
        try:
            with transaction.atomic():
                return Deck.objects.create(slug=slug, position=_LAST, **values)
        except IntegrityError:
            continue  # another deck of that name came first
    raise CardRefused(f"There are many decks called {title!r} already: give this one another title.")


def edit_deck(
    *,
    author: User,
    deck: Deck,
    title: str | None = None,
    summary: str | None = None,
    is_shared: bool | None = None,
) -> Deck:
    """Change what is given of one's own deck; its address stays. Raises CardRefused."""
    with transaction.atomic():
        _lock_own(author, deck)
        if title is not None:
            deck.title = _title(title)
        if summary is not None:
            deck.summary = _summary(summary)
        if is_shared is not None:
            deck.is_shared = is_shared
        deck.save(update_fields=["title", "summary", "is_shared"])
    return deck


def retire_deck(*, author: User, deck: Deck) -> None:
    """Take one's own deck away. Nobody is asked its cards any more; what was learnt with them stays in the log."""
    with transaction.atomic():
        _lock_own(author, deck)
        deck.retired = True
        deck.save(update_fields=["retired"])


def keep_card(*, author: User, deck: Deck, content: Mapping[str, Any], key: str | None = None) -> Card:
    """Add a card to one's own deck, or with ``key`` change that one.

    ``content`` is a card as in a deck file; a new one may come without ``id``. It is held to everything that ``deck
    check`` asks. Turns that are open go on with the card as it was. Raises CardRefused, whose ``faults`` name the keys.
    """
    data = {name: value for name, value in content.items() if value not in (None, "", [], {})}
    data["id"] = key or data.get("id") or _free_key(deck, data)
    card = checked(data)
    with transaction.atomic():
        _lock_own(author, deck)
        stored = Card.objects.filter(deck=deck, key=card.id).first()
        if key is not None and stored is None:
            raise CardRefused(f"There is no card {key} in this deck any more.")
        if key is None and stored is not None and not stored.retired:
            raise CardRefused(f"There is a card {card.id} already.", {"id": "another card of this deck has this id"})
        if stored is None and deck.cards.filter(retired=False).count() >= MOST_CARDS:
            raise CardRefused(f"A deck has at most {MOST_CARDS} cards: begin another one.")
        return store_card(deck, card, stored, position=next_position(deck))


def retire_card(*, author: User, card: Card) -> None:
    """Take a card out of one's own deck. What was learnt with it stays, and it can be added again by its id."""
    with transaction.atomic():
        _lock_own(author, card.deck)
        card.retired = True
        card.save(update_fields=["retired"])


def store_card(deck: Deck, card: CardFile, stored: Card | None, *, position: int) -> Card:
    """Write a card that was read into its row, a new one at ``position``. The deck must be locked."""
    row = stored or Card(deck=deck, key=card.id, position=position)
    if stored is not None and stored.retired:
        row.position = position
    row.source = source_of(card)
    row.kind = card.kind
    row.skill = card.skill
    row.retired = False
    row.save()
    return row


def source_of(card: CardFile) -> str:
    """A card as it is stored. Equal cards give equal texts."""
    return json.dumps(card.content(), ensure_ascii=False, allow_nan=False)


def next_position(deck: Deck) -> int:
    """The place after the last card. One query."""
    return (deck.cards.aggregate(last=Max("position"))["last"] or 0) + 1


def checked(data: Mapping[str, Any]) -> CardFile:
    """A card held to everything. Raises CardRefused with all that is wrong."""
    try:
        card = read_card(data)
    except CardError as error:
        raise CardRefused(str(error), error.faults) from error
    if failures := check_card(card, drawn_seeds=SEEDS):
        raise CardRefused("; ".join(failures), {"": "; ".join(failures)})
    return card


_RESERVED = ("new", "import", "export")
#: Decks of teachers stand after those that are built in.
_LAST = 1000


def _lock_own(author: User, deck: Deck) -> None:
    locked = Deck.objects.select_for_update(of=("self",), no_key=True).filter(pk=deck.pk, owner=author, retired=False)
    if locked.first() is None:
        raise CardRefused("Only its owner changes a deck. Export it and import it into one of your own.")


def _free_key(deck: Deck, data: Mapping[str, Any]) -> str:
    """An id made from the first words of the front."""
    base = slugify(re.sub(r"\$[^$]*\$|\[\[gap\]\]", " ", str(data.get("front", ""))))[:40].strip("-") or "card"
    taken = set(deck.cards.values_list("key", flat=True))
    number = 2
    key = base
    while key in taken:
        key = f"{base}-{number}"
        number += 1
    return key


def _title(text: str) -> str:
    words = " ".join(text.split())
    if not words or len(words) > MOST_TITLE:
        raise CardRefused(f"Give the deck a title of up to {MOST_TITLE} characters.", {"title": "this is needed"})
    return words


def _summary(text: str) -> str:
    words = text.strip()
    if len(words) > MOST_SUMMARY:
        words_over = f"keep it under {MOST_SUMMARY} characters; this has {len(words)}"
        raise CardRefused(f"Summary: {words_over}.", {"summary": words_over})
    return words
