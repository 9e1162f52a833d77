"""Which cards come to a learner now, and in which order: due ones, new ones, and at the end what was wrong today."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Case, DateTimeField, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from exercises import clock
from exercises.mastery.study_day import study_day
from exercises.models import Card, CardMemory, Deck, Review, User
from exercises.queries.plans import plan_of


@dataclass(frozen=True)
class StudyDay:
    """A learner's day as cards see it: which one it is, how many new cards it may bring, and until which exam."""

    today: dt.date
    exam_on: dt.date | None
    new_cards: int


def day_of(learner: User, at: dt.datetime | None = None) -> StudyDay:
    """The learner's study day at a moment, now if left out. One query."""
    plan = plan_of(learner)
    return StudyDay(study_day(at or clock.now(), plan.time_zone), plan.exam_on, plan.new_cards_a_day)


def live_cards(learner: User, deck: Deck | None) -> QuerySet[Card]:
    """The cards a learner can be asked: of every deck that they may see, or of one of these."""
    cards = Card.objects.filter(retired=False, deck__in=Deck.objects.visible_to(learner))
    return cards if deck is None else cards.filter(deck=deck)


def remembered(learner: User, deck: Deck | None) -> QuerySet[CardMemory]:
    """The learner's memories of live cards that were reviewed and are not set aside."""
    return CardMemory.objects.filter(
        learner=learner, card__in=live_cards(learner, deck), due_on__isnull=False, suspended_at=None
    )


def due_memories(learner: User, day: StudyDay, deck: Deck | None) -> QuerySet[CardMemory]:
    """What is due on this study day, the longest overdue first; what was wrong today comes last, in its order."""
    wrong_at = Case(When(reviewed_on__gte=day.today, then=F("last_at")), output_field=DateTimeField(null=True))
    return (
        remembered(learner, deck)
        .filter(due_on__lte=day.today)
        .annotate(wrong_at=wrong_at)
        .order_by(F("wrong_at").asc(nulls_first=True), "due_on", "card_id")
    )


def new_cards(learner: User, deck: Deck | None) -> QuerySet[Card]:
    """Cards the learner never reviewed and did not set aside, in the order of decks and of cards in them."""
    known = CardMemory.objects.filter(learner=learner, card=OuterRef("pk"))
    return (
        live_cards(learner, deck)
        .exclude(Exists(known.filter(Q(due_on__isnull=False) | Q(suspended_at__isnull=False))))
        .order_by("deck__position", "deck__slug", "position", "pk")
    )


def new_left(learner: User, day: StudyDay) -> int:
    """How many new cards this day may still bring. One query."""
    begun = Review.objects.filter(
        learner=learner, study_day=day.today, before__isnull=True, is_early=False, undone_at=None
    ).count()
    return max(0, day.new_cards - begun)


def undoable_reviews(learner: User, day: StudyDay) -> QuerySet[Review]:
    """The reviews of this day that were not taken back, the last one first: it is the one that can be."""
    return Review.objects.filter(learner=learner, study_day=day.today, undone_at=None).order_by("-pk")


def upcoming(learner: User, day: StudyDay, deck: Deck | None, most: int) -> list[Card]:
    """The next cards of the queue, at most so many, with their decks. Three queries."""
    due = list(due_memories(learner, day, deck).select_related("card__deck")[:most])
    first = [memory.card for memory in due if memory.reviewed_on and memory.reviewed_on < day.today]
    last = [memory.card for memory in due if not (memory.reviewed_on and memory.reviewed_on < day.today)]
    fresh = list(new_cards(learner, deck).select_related("deck")[: min(most, new_left(learner, day))])
    return (first + fresh + last)[:most]


def ahead_of_time(learner: User, day: StudyDay, deck: Deck | None, most: int) -> list[Card]:
    """Cards to practise before their day: the one due soonest first, those practised today after all others. One
    query."""
    practised = (
        Review.objects.filter(learner=learner, card=OuterRef("card"), study_day=day.today, is_early=True)
        .order_by("-pk")
        .values("pk")[:1]
    )
    found = (
        remembered(learner, deck)
        .filter(due_on__gt=day.today)
        .annotate(practised=Subquery(practised))
        .order_by(F("practised").asc(nulls_first=True), "due_on", "card_id")
        .select_related("card__deck")
    )
    return [memory.card for memory in found[:most]]


def cards_left(learner: User, day: StudyDay, deck: Deck | None = None) -> int:
    """How many cards this day still holds: due ones, and new ones up to the day's number. Three queries."""
    due = remembered(learner, deck).filter(due_on__lte=day.today).count()
    return due + min(new_left(learner, day), new_cards(learner, deck).count())
