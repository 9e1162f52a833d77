"""A learner's day with the cards in words: what is to be done, what was done, and what comes next."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from exercises.decks.schedule import RATING_WORDS
from exercises.mastery.retention import Rating
from exercises.queries import CardDay
from frontend.card_scope import Scope
from frontend.days import due_words
from frontend.signed_in import is_fragment


@dataclass(frozen=True)
class Count:
    """How often something happened."""

    word: str
    number: int


@dataclass(frozen=True)
class Today:
    """What a page says of the day. ``left`` cards can be reviewed; where none is, some may be practised early."""

    title: str
    lines: tuple[str, ...]
    left: int
    can_practise: bool
    tally: tuple[Count, ...] = ()


def today_of(day: CardDay) -> Today:
    """What is to be done today, and what comes after it."""
    if day.left:
        parts = [
            f"{day.due} due" if day.due else "",
            f"{day.new} new" if day.new else "",
            f"{day.again} once more" if day.again else "",
        ]
        lines = tuple(filter(None, (_listed([part for part in parts if part]) + ".", _no_more_new(day))))
        return Today(f"{_cards(day.left)} to review today", lines, day.left, can_practise=False)
    title = "Nothing more today" if day.done else "Nothing is due today"
    return Today(title, tuple(filter(None, (_no_more_new(day), coming(day)))), 0, can_practise=day.has_seen)


def finished_of(day: CardDay) -> Today:
    """What was done today, and what comes next."""
    tally = tuple(Count(RATING_WORDS[rating], day.by_rating.get(rating, 0)) for rating in Rating) if day.done else ()
    if day.left:
        title = f"{_cards(day.left)} left for today"
    else:
        title = "Done for today" if day.done else "Nothing is due today"
    reviewed = f"You reviewed {_cards(day.done)} today." if day.done else ""
    lines = tuple(filter(None, (reviewed, _no_more_new(day), coming(day))))
    return Today(title, lines, day.left, can_practise=not day.left and day.has_seen, tally=tally)


def _no_more_new(day: CardDay) -> str:
    return "" if day.new or day.new_left else "Today's new cards are used up: your plan says how many come a day."


def coming(day: CardDay) -> str:
    """When the next cards come, in words."""
    if day.tomorrow:
        return f"{_cards(day.tomorrow)} {'comes' if day.tomorrow == 1 else 'come'} tomorrow."
    if day.next_on is None:
        return "Nothing is waiting."
    when = due_words(day.next_on, today=day.today, is_full=True)
    return f"{_cards(day.next_count)} {'comes' if day.next_count == 1 else 'come'} {when}."


def finished_context(request: HttpRequest, day: CardDay) -> dict[str, Any]:
    """What the page at the end of a queue shows."""
    shown = finished_of(day)
    return {
        "finished": shown,
        "scope": Scope(),
        "left": None,
        "undoable": day.undoable,
        "announcement": f"{shown.title}. {' '.join(shown.lines)}",
        "title": shown.title,
        "address": reverse("frontend:card-finished"),
        "is_fragment": is_fragment(request),
    }


def _cards(number: int) -> str:
    return f"{number} card{'' if number == 1 else 's'}"


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else ""
