"""Decks that teachers keep, and the cards in them."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.text import slugify

from exercises.actions.unchanged import ChangedMeanwhile
from exercises.catalogue.card_check import fit
from exercises.catalogue.card_model import RESERVED as RESERVED_KEYS
from exercises.catalogue.cards import MOST_CARDS, MOST_SUMMARY, MOST_TITLE, CardError, CardFile, shaped, source_of
from exercises.models import Card, Deck, User
from exercises.refusals import CardRefused

#: Decks of one title that are told apart by a number.
RACES = 50
#: Words that stand in the place of a deck in an address.
RESERVED = ("new", "import", "export")
#: Decks of teachers stand after those that are built in.
LAST = 1000
NOT_YOURS = "Only its owner changes a deck. Export it and import it into one of your own."


def create_deck(*, author: User, title: str, summary: str = "", is_shared: bool = False) -> Deck:
    """A new, empty deck of a teacher; learners see it once it is shared. Raises CardRefused."""
    if not author.is_instructor:
        raise CardRefused("Only teachers add decks. Ask one to share theirs, or to make you a teacher.")
    values = {"title": _title(title), "summary": _summary(summary), "is_shared": is_shared, "owner": author}
    base = slugify(title)[:60] or "deck"
    for number in range(1, RACES):
        slug = base if number == 1 else f"{base}-{number}"
        if slug in RESERVED or Deck.objects.filter(slug=slug).exists():
            continue
        try:
            with transaction.atomic():
                return Deck.objects.create(slug=slug, position=LAST, **values)
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
    is_guarded: bool = False,
) -> Deck:
    """Change what is given of one's own deck; its address stays. With ``is_guarded`` only as ``deck`` was read. Raises
    CardRefused, ChangedMeanwhile."""
    with transaction.atomic():
        now = lock_own(author, deck)
        if is_guarded and _told(now) != _told(deck):
            raise ChangedMeanwhile("This deck was changed since you read it. Read it again, then send your change.")
        deck.title, deck.summary, deck.is_shared = _told(now)
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
        lock_own(author, deck)
        deck.retired = True
        deck.save(update_fields=["retired"])


def keep_card(*, author: User, deck: Deck, content: Mapping[str, Any], key: str | None = None) -> Card:
    """Add a card to one's own deck, or with ``key`` change that one.

    ``content`` is a card as in a deck file; a new one may come without ``id``. It is held to what ``fit`` asks, like a
    card that is imported. Turns that are open go on with the card as it was. Raises CardRefused, whose ``faults`` name
    the keys.
    """
    data = {name: value for name, value in content.items() if value not in (None, "", [], {})}
    is_named = bool(key or data.get("id"))
    card = checked(data | {"id": key or data.get("id") or "unnamed"})
    with transaction.atomic():
        lock_own(author, deck)
        if not is_named:
            card = card.model_copy(update={"id": free_key(card.front, _taken(deck))})
        stored = Card.objects.filter(deck=deck, key=card.id).first()
        if key is not None and stored is None:
            raise CardRefused(f"There is no card {key} in this deck any more.")
        if key is None and stored is not None and not stored.retired:
            raise CardRefused(f"There is a card {card.id} already.", {"id": "another card of this deck has this id"})
        if (stored is None or stored.retired) and deck.cards.filter(retired=False).count() >= MOST_CARDS:
            raise CardRefused(f"A deck has at most {MOST_CARDS} cards: begin another one.")
        position = next_position(deck) if stored is None or stored.retired else stored.position
        row, _ = Card.objects.update_or_create(deck=deck, key=card.id, defaults=values_of(card, position=position))
        return row


def retire_card(*, author: User, card: Card) -> None:
    """Take a card out of one's own deck. What was learnt with it stays, and it can be added again by its id."""
    with transaction.atomic():
        lock_own(author, card.deck)
        card.retired = True
        card.save(update_fields=["retired"])


def values_of(card: CardFile, *, position: int) -> dict[str, Any]:
    """A card that was read as the values of its row."""
    return {
        "position": position, "source": source_of(card), "kind": card.kind, "skill": card.skill, "retired": False,
    }  # fmt: skip


def next_position(deck: Deck) -> int:
    """The place after the last card. One query."""
    return (deck.cards.aggregate(last=Max("position"))["last"] or 0) + 1


def checked(data: Mapping[str, Any]) -> CardFile:
    """A card that may be kept. Raises CardRefused with all that is wrong."""
    try:
        card = shaped(data)
        fit(card)
    except CardError as error:
        raise CardRefused(str(error), error.faults) from error
    return card


def lock_own(author: User, deck: Deck) -> Deck:
    """Lock a deck for the transaction that is open, against everybody who changes it; as it is now. Raises CardRefused
    for one that is not, or no longer, the author's own. One query."""
    own = Deck.objects.select_for_update(of=("self",), no_key=True).filter(pk=deck.pk, owner=author, retired=False)
    found = own.first()
    if found is None:
        raise CardRefused(NOT_YOURS)
    return found


def _told(deck: Deck) -> tuple[str, str, bool]:
    return deck.title, deck.summary, deck.is_shared


def free_key(front: str, taken: Collection[str]) -> str:
    """An id made from the first words of a front, which no card has yet."""
    words = re.sub(r"\$[^$]*\$|\[\[gap\]\]|_", " ", front)
    base = re.sub("-+", "-", slugify(words))[:40].strip("-") or "card"
    key, number = base, 2
    while key in taken or key in RESERVED_KEYS:
        key = f"{base}-{number}"
        number += 1
    return key


def _taken(deck: Deck) -> set[str]:
    return set(deck.cards.values_list("key", flat=True))


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
