"""Decks and what a learner has of them."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from django.db.models import Count, Max, Q, QuerySet

from exercises import clock
from exercises.catalogue.cards import MOST_CARDS, with_gap
from exercises.decks import anki_form, csv_form
from exercises.limits import MOST_ROWS
from exercises.mastery.retention import Rating
from exercises.models import Card, CardMemory, Deck, Review, User
from exercises.queries.card_queue import day_of, new_cards, new_left, remembered, upcoming

#: Days of a calendar.
MOST_DAYS = 366
MOST_SUSPENDED = 500


@dataclass(frozen=True)
class DeckRow:
    """One deck with how many cards it has, and how many of them are new to the learner, due, and set aside.

    ``new`` are all that were never reviewed, however few of them come today.
    """

    deck: Deck
    cards: int
    new: int
    due: int
    suspended: int


@dataclass(frozen=True)
class CardRow:
    """One card in the list of its deck. ``front`` is Markdown: of a cloze card with its gap, of a drawn one as it is
    written."""

    card: Card
    key: str
    kind: str
    skill: str
    front: str
    retired: bool


@dataclass(frozen=True)
class Aside:
    """A card that does not come. ``is_leech``: it was forgotten so often that it was set aside by itself."""

    card: Card
    deck: Deck
    front: str
    is_leech: bool
    lapses: int
    suspended_at: dt.datetime


@dataclass(frozen=True)
class CardDay:
    """A learner's day with the cards.

    ``left`` are still to come: ``due`` ones, ``new`` ones of the ``new_left`` that the plan allows, and those that were
    wrong today and come ``again``. ``done`` were rated today, ``by_rating``. ``next_count`` are due on ``next_on``, the
    next day on which any is; ``tomorrow`` on the next day, with the new ones it may bring. ``has_seen``: there are
    cards that could be practised early. ``undoable`` is the id of the last review of today, which can be taken back.
    """

    today: dt.date
    left: int
    due: int
    new: int
    again: int
    new_left: int
    done: int
    by_rating: Mapping[Rating, int]
    next_on: dt.date | None
    next_count: int
    tomorrow: int
    has_seen: bool
    undoable: int | None


def card_day(learner: User) -> CardDay:
    """The learner's present day with the cards. Five queries."""
    day = day_of(learner)
    waiting = (
        remembered(learner, None)
        .values("due_on")
        .annotate(cards=Count("pk"), again=Count("pk", filter=Q(due_on__lte=day.today, reviewed_on__gte=day.today)))
    )
    # A row a day: no interval is longer than a year.
    rows = {row["due_on"]: (row["cards"], row["again"]) for row in waiting.order_by("due_on") if row["due_on"]}
    now = [counts for due_on, counts in rows.items() if due_on <= day.today]
    later = {due_on: cards for due_on, (cards, _) in rows.items() if due_on > day.today}
    next_on = min(later, default=None)
    rated = list(
        Review.objects.filter(learner=learner, study_day=day.today, undone_at=None)
        .values("rating")
        .annotate(n=Count("pk"), last=Max("pk"))
        .order_by("rating")
    )
    by_rating = {Rating(row["rating"]): row["n"] for row in rated}
    allowed, unseen = new_left(learner, day), new_cards(learner, None).count()
    fresh, again = min(allowed, unseen), sum(again for _, again in now)
    left = sum(cards for cards, _ in now) + fresh
    return CardDay(
        today=day.today,
        left=left,
        due=left - fresh - again,
        new=fresh,
        again=again,
        new_left=allowed,
        done=sum(by_rating.values()),
        by_rating=by_rating,
        next_on=next_on,
        next_count=later[next_on] if next_on else 0,
        tomorrow=later.get(day.today + dt.timedelta(days=1), 0) + min(day.new_cards, unseen - fresh),
        has_seen=bool(later),
        undoable=max((row["last"] for row in rated), default=None),
    )


def queue_of(learner: User, deck: Deck | None = None) -> list[Card]:
    """The next cards of a learner's day in their order, with their decks; at most ``MOST_ROWS``. Four queries."""
    return upcoming(learner, day_of(learner), deck, MOST_ROWS)


def own_reviews(learner: User) -> QuerySet[Review]:
    """A learner's reviews, to be paged, also those that were taken back. No query."""
    return Review.objects.filter(learner=learner).select_related("card__deck", "turn")


def deck_cards(deck: Deck) -> list[CardRow]:
    """The cards of a deck in order, those that were taken out last; at most as many as a deck has. One query."""
    cards = deck.cards.order_by("retired", "position", "pk")[: 2 * MOST_CARDS]
    return [CardRow(card, card.key, card.kind, card.skill, front_of(card), card.retired) for card in cards]


def front_of(card: Card) -> str:
    """The front of a card for a list; nothing is drawn."""
    content = card.content
    if card.kind == "cloze":
        return with_gap(content["front"])
    return str(content.get("front") or content.get("problem", {}).get("statement", ""))


def decks_for(learner: User) -> list[DeckRow]:
    """The decks a learner may learn from, in order. Three queries."""
    today = day_of(learner).today
    listed = (
        Deck.objects.visible_to(learner)
        .select_related("owner")
        .annotate(cards_in=Count("cards", filter=Q(cards__retired=False)))
    )
    own = CardMemory.objects.filter(learner=learner, card__retired=False).values("card__deck")
    counted = {
        row["card__deck"]: row
        for row in own.annotate(
            known=Count("pk", filter=Q(due_on__isnull=False) | Q(suspended_at__isnull=False)),
            due=Count("pk", filter=Q(due_on__lte=today, suspended_at=None)),
            aside=Count("pk", filter=Q(suspended_at__isnull=False)),
        ).order_by()
    }
    none = {"known": 0, "due": 0, "aside": 0}
    return [
        DeckRow(deck, deck.cards_in, deck.cards_in - row["known"], row["due"], row["aside"])
        for deck in listed
        for row in (counted.get(deck.pk, none),)
    ]


def card_days(learner: User, *, days: int = MOST_DAYS) -> dict[dt.date, int]:
    """Reviews on each of the learner's own study days of late, as they were then. One query.

    Each review counts on the day stored with it: no move to another zone and no change of the clock moves it.
    """
    since = clock.now().date() - dt.timedelta(days=min(days, MOST_DAYS))
    rows = (
        Review.objects.filter(learner=learner, study_day__gte=since, undone_at=None)
        .values("study_day")
        .annotate(reviews=Count("pk"))
        .order_by("study_day")
    )
    return {row["study_day"]: row["reviews"] for row in rows}


def suspended(learner: User) -> list[Aside]:
    """The cards the learner set aside, or that were set aside as leeches, latest first; at most 500. One query."""
    aside_rows = CardMemory.objects.filter(
        learner=learner,
        suspended_at__isnull=False,
        card__retired=False,
        card__deck__in=Deck.objects.visible_to(learner),
    )
    found = aside_rows.select_related("card__deck").order_by("-suspended_at", "pk")[:MOST_SUSPENDED]
    return [
        Aside(
            row.card,
            row.card.deck,
            front_of(row.card),
            row.suspended_at == row.leech_since,
            row.lapses,
            row.suspended_at,
        )
        for row in found
        if row.suspended_at
    ]


def export_cards(deck: Deck, format: Literal["csv", "anki"]) -> str:  # noqa: A002 - the word for it
    """The cards of a deck as the text of a file, to be written in UTF-8. One query."""
    contents = [card.content for card in deck.cards.filter(retired=False).order_by("position", "pk")]
    if format == "csv":
        return csv_form.written(contents)
    return anki_form.written(contents, deck=deck.title, slug=deck.slug)
