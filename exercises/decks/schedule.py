"""When a card comes again: a fold over the reviews that count, on study days."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from exercises.mastery.retention import Rating, due_on, reviewed
from exercises.mastery.states import Memory

#: A card forgotten this often is a leech: it is set aside, and again after every so many more.
LEECH_AT, LEECH_AGAIN = 8, 4
#: What the ratings are called, wherever somebody reads of them.
RATING_WORDS = {Rating.AGAIN: "Again", Rating.HARD: "Hard", Rating.GOOD: "Good", Rating.EASY: "Easy"}


@dataclass(frozen=True, slots=True)
class Counted:
    """A review that counts: neither early nor taken back."""

    rating: Rating
    on: dt.date
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class CardState:
    """Where a learner stands with one card. ``is_again``: the last answer was wrong, so it comes back the same day."""

    memory: Memory | None = None
    is_again: bool = False
    last_at: dt.datetime | None = None
    leech_since: dt.datetime | None = None


NEVER = CardState()


def turned(state: CardState, review: Counted) -> CardState:
    """The state after one more review. Raises OutOfOrder for a day before the last."""
    memory = reviewed(state.memory, review.rating, on=review.on)
    after = CardState(memory, review.rating is Rating.AGAIN, review.at, state.leech_since)
    return replace(after, leech_since=review.at) if makes_leech(state, after) else after


def folded(reviews: Iterable[Counted]) -> CardState:
    """The state after all of these, in their order."""
    state = NEVER
    for review in reviews:
        state = turned(state, review)
    return state


def comes_on(state: CardState, *, key: str, exam_on: dt.date | None) -> dt.date | None:
    """The study day it is due: that of the last review if it was wrong then; None if it was never reviewed."""
    if state.memory is None:
        return None
    return state.memory.reviewed_on if state.is_again else due_on(state.memory, key=key, exam_on=exam_on)


def lapses_of(state: CardState) -> int:
    """How often it was forgotten."""
    return state.memory.lapses if state.memory else 0


def makes_leech(before: CardState, after: CardState) -> bool:
    """Whether the review between them made the card a leech, for the first time or once more."""
    lapses = lapses_of(after)
    return lapses > lapses_of(before) and lapses >= LEECH_AT and (lapses - LEECH_AT) % LEECH_AGAIN == 0


def suggested(outcomes: Sequence[str], *, hinted: bool) -> Rating:
    """What marking says of a card that is marked: right Good, with a hint or at the second try Hard, else Again."""
    if not outcomes or outcomes[-1] != "right":
        return Rating.AGAIN
    return Rating.HARD if hinted or len(outcomes) > 1 else Rating.GOOD


def allowed(best: Rating | None) -> list[Rating]:
    """The ratings a learner may give: all where nothing was marked (None), else none better than marking says, but
    Easy for what was right at once."""
    if best is None or best is Rating.GOOD:
        return list(Rating)
    return [rating for rating in Rating if rating <= best]
