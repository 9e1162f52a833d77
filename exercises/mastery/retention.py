"""What a learner still can: FSRS-6 by the package ``fsrs``, on whole study days and without a clock.

Everything the package would do by itself is taken from it: random fuzz, steps within a day, ids that read the clock.
A review is filed at noon UTC of its study day, since the package counts whole blocks of 24 hours and calls 23 h 59 min
the same day. The same formulas serve flashcards and the memory of a skill.
"""

import datetime as dt
from enum import IntEnum
from hashlib import sha256
from importlib.metadata import version

import fsrs
from fsrs.scheduler import DEFAULT_PARAMETERS

from exercises.mastery.constants import CONSTANTS
from exercises.mastery.states import Memory

#: Kept with every review: another release may schedule differently.
SCHEDULER_VERSION = f"fsrs {version('fsrs')}"
#: No interval is longer, however stable the memory.
LONGEST = 365
#: Stability in days; the package has no upper end, and a hundred years are as good as any number above.
MOST_STABLE = 36500.0
#: Intervals from this many days on are spread, by up to this share either way, so that what was learnt together does
#: not all come back together.
SPREAD_FROM, SPREAD = 10, 0.05
#: The last reviews before an exam are spread over this many days.
EXAM_DAYS = 7

_DECAY = -DEFAULT_PARAMETERS[20]
_FACTOR = 0.9 ** (1 / _DECAY) - 1
_SCHEDULER = fsrs.Scheduler(
    desired_retention=CONSTANTS.retention,
    learning_steps=(),
    relearning_steps=(),
    maximum_interval=LONGEST,
    enable_fuzzing=False,
)
# The package's default id sleeps and reads the clock; nothing here looks at it.
_CARD = 0
_NOON = dt.time(12, tzinfo=dt.timezone.utc)  # noqa: UP017 - the package compares with this very object


class Rating(IntEnum):
    """How a review went. Easy is only ever the learner's own word."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


class OutOfOrder(ValueError):
    """A review on a day before the last one: the clock or the zone went back. Log it, and leave the memory alone."""


def reviewed(memory: Memory | None, rating: Rating, *, on: dt.date) -> Memory:
    """The memory after a review on the study day ``on``; None is one that was never reviewed.

    A second review on the same day follows FSRS's own formula for that. Again counts as a lapse when there was
    something to lose: not at the first review, and once a day at most. Raises OutOfOrder for a day before the last.
    """
    if memory is None:
        card = fsrs.Card(card_id=_CARD, due=_noon(on))
    elif on < memory.reviewed_on:
        raise OutOfOrder(f"The last review was on {memory.reviewed_on}: one on {on} would turn the memory back.")
    else:
        card = fsrs.Card(
            card_id=_CARD,
            state=fsrs.State.Review,
            stability=memory.stability,
            difficulty=memory.difficulty,
            due=_noon(on),
            last_review=_noon(memory.reviewed_on),
        )
    after, _ = _SCHEDULER.review_card(card, fsrs.Rating(rating), _noon(on))
    if after.stability is None or after.difficulty is None:
        raise RuntimeError("fsrs gave no stability after a review: is another release installed?")
    is_lapse = memory is not None and rating is Rating.AGAIN and on > memory.reviewed_on
    return Memory(
        stability=min(after.stability, MOST_STABLE),
        difficulty=after.difficulty,
        reviewed_on=on,
        reviews=(memory.reviews if memory else 0) + 1,
        lapses=(memory.lapses if memory else 0) + is_lapse,
    )


def retrievability(memory: Memory, *, on: dt.date) -> float:
    """The chance that it is remembered on a study day: 1 on the day of the review and before."""
    return retained(memory, days=(on - memory.reviewed_on).days)


def retained(memory: Memory, *, days: float) -> float:
    """R(t) = (1 + F·t/S)^(−0.1542), the chance that it is remembered so many days after the review."""
    return float((1 + _FACTOR * max(days, 0.0) / memory.stability) ** _DECAY)


def interval(stability: float, *, retention: float = CONSTANTS.retention) -> int:
    """Whole days, 1 to 365, until retrievability has fallen to ``retention``."""
    return min(max(round(_days_until(stability, retention)), 1), LONGEST)


def due_on(
    memory: Memory, *, key: str, retention: float = CONSTANTS.retention, exam_on: dt.date | None = None
) -> dt.date:
    """The study day of the next review, at least one day after the last; the same for the same ``key``, which names
    learner and card.

    Without an exam it is the interval for ``retention``, spread by up to 5 % by the key. With one ahead that the memory
    would not reach at 0.95, reviews come as often as 0.95 asks until then, and the last of them in the week before it:
    spread over those days by the key, or over half of what is left where that is shorter, and never after the day
    before it (unless that is today). What a pass would not keep fresh until then comes once more. A more stable memory
    never comes earlier. Leave ``exam_on`` out once the exam is over.
    """
    days = interval(memory.stability, retention=retention)
    if days >= SPREAD_FROM:
        days = int(days * (1 + SPREAD * (2 * _share(key) - 1)) + 0.5)
    if exam_on is not None and exam_on > memory.reviewed_on:
        left = (exam_on - memory.reviewed_on).days
        if retained(memory, days=left) < max(retention, CONSTANTS.exam_retention):
            days = min(days, _days_before_exam(memory, left, key, retention))
    return memory.reviewed_on + dt.timedelta(days=min(days, LONGEST))


def rating_of(e: float) -> Rating:
    """What a step of strength ``e`` says about the memory of its skill. Never Easy: that would be taken from speed."""
    if e < CONSTANTS.check_failed:
        return Rating.AGAIN
    return Rating.HARD if e < CONSTANTS.check_passed else Rating.GOOD


def _days_before_exam(memory: Memory, left: int, key: str, retention: float) -> int:
    """Days after the last review, where the exam is ``left`` days after it."""
    # Rounded down, and spread to the early side only: later would be under 0.95.
    fresh = int(_days_until(memory.stability, max(retention, CONSTANTS.exam_retention)))
    by = fresh - int(fresh * SPREAD * _share(key)) if fresh >= SPREAD_FROM else fresh
    # Over how many days the last one is spread must not depend on the memory: or a better rating, with its wider
    # spread, could bring the review earlier than a worse one.
    last = left - 1 - int(min(EXAM_DAYS, left // 2) * _share(key))
    return max(min(by, last), 1)


def _days_until(stability: float, retention: float) -> float:
    return float(stability / _FACTOR * (retention ** (1 / _DECAY) - 1))


def _share(key: str) -> float:
    """A number in [0, 1) that is the key's own on every machine."""
    return int.from_bytes(sha256(key.encode()).digest()[:6], "big") / 2**48


def _noon(day: dt.date) -> dt.datetime:
    return dt.datetime.combine(day, _NOON)
