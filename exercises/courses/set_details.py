"""What is written on a problem set: which fields mean something in which mode, and whether they fit together."""

import datetime as dt
from dataclasses import dataclass, replace
from fractions import Fraction

from exercises.courses.rules import Feedback, Mode, Retry
from exercises.courses.shares import is_falling

MOST_TITLE = 200
MOST_INSTRUCTIONS = 20_000
#: A week, in minutes.
LONGEST_LIMIT = 7 * 24 * 60
MOST_TRIES = 20
MOST_LATE_DAYS = 30

#: The fields beside title, instructions, mode, opening and closing that mean something, by mode.
FIELDS_OF: dict[Mode, frozenset[str]] = {
    "practice": frozenset({"shuffle", "pass_mark"}),
    "quiz": frozenset({"time_limit", "credits", "retry", "feedback", "late", "hints", "shuffle", "pass_mark"}),
    "exam": frozenset({"time_limit", "feedback", "late", "shuffle", "pass_mark"}),
}
#: When feedback may come, by mode; the first is what a new set begins with.
FEEDBACK_OF: dict[Mode, tuple[Feedback, ...]] = {
    "practice": ("at-once",),
    "quiz": ("at-once", "handed-in", "released"),
    "exam": ("released", "handed-in"),
}


@dataclass(frozen=True)
class SetDetails:
    """Everything on a set that a form writes. Moments have a time zone, ``time_limit`` is in minutes."""

    title: str
    mode: Mode
    instructions: str = ""
    opens_at: dt.datetime | None = None
    due_at: dt.datetime | None = None
    closes_at: dt.datetime | None = None
    time_limit: int | None = None
    credits: tuple[Fraction, ...] = ()
    retry: Retry = "same"
    feedback: Feedback = "at-once"
    late: tuple[Fraction, ...] = ()
    hints: bool = False
    shuffle: bool = False
    pass_mark: Fraction | None = None


def in_mode(details: SetDetails) -> SetDetails:
    """The details without what means nothing in their mode, so that nothing comes to life when the mode is changed."""
    blank = SetDetails(title="", mode=details.mode)
    kept = FIELDS_OF[details.mode]
    values = {
        name: getattr(details if name in kept else blank, name) for name in FIELDS_OF["quiz"] if name != "feedback"
    }
    allowed = FEEDBACK_OF[details.mode]
    feedback = details.feedback if details.feedback in allowed else allowed[0]
    credit = values.pop("credits") or ((Fraction(1),) if details.mode == "quiz" else ())
    title = " ".join(details.title.split())
    return replace(details, title=title, feedback=feedback, credits=credit, **values)


def faults_of(details: SetDetails) -> dict[str, str]:
    """What is wrong, in words, by the field that should be mended; empty where everything fits."""
    found = {**_faults_of_texts(details), **window_faults(details.opens_at, details.due_at, details.closes_at)}
    if details.time_limit is not None and not 1 <= details.time_limit <= LONGEST_LIMIT:
        found["time_limit"] = f"A time limit is between 1 and {LONGEST_LIMIT} minutes; leave it empty for none."
    if details.credits and (len(details.credits) > MOST_TRIES or not details.credits[0]):
        found["credits"] = f"Write up to {MOST_TRIES} tries, of which the first is worth something."
    elif not is_falling(details.credits):
        found["credits"] = "No try may be worth more than the one before it: write the largest share first."
    if details.late and details.due_at is None:
        found["late"] = "Late days are counted from due: say when it is due, or leave this empty."
    elif len(details.late) > MOST_LATE_DAYS:
        found["late"] = f"Write at most {MOST_LATE_DAYS} days; these are {len(details.late)}."
    elif not is_falling(details.late):
        found["late"] = "A later day may not be worth more than the one before it: write the largest share first."
    if details.pass_mark is not None and not 0 < details.pass_mark <= 1:
        found |= {"pass_mark": "A pass mark lies above 0 and is at most 100 %; leave it empty for none."}
    return found


def window_faults(
    opens_at: dt.datetime | None, due_at: dt.datetime | None, closes_at: dt.datetime | None
) -> dict[str, str]:
    """What is wrong with the times of a set or of an extension: opens before due, and due no later than it closes."""
    found = {}
    if opens_at and due_at and not opens_at < due_at:
        found["due_at"] = "It is due before it opens: write a later time."
    if opens_at and closes_at and not opens_at < closes_at:
        found["closes_at"] = "It closes before it opens: write a later time."
    elif due_at and closes_at and not due_at <= closes_at:
        found["closes_at"] = "It closes before it is due: write the same time or a later one, or leave it empty."
    return found


def _faults_of_texts(details: SetDetails) -> dict[str, str]:
    found = {}
    if not details.title or len(details.title) > MOST_TITLE:
        found["title"] = f"Give the set a title of up to {MOST_TITLE} characters."
    if len(details.instructions) > MOST_INSTRUCTIONS:
        found["instructions"] = (
            f"Keep this under {MOST_INSTRUCTIONS:,} characters; it has {len(details.instructions):,}."
        )
    if any(sign in text for text in (details.title, details.instructions) for sign in ("\x00",)):
        found["instructions"] = "There is a character in the title or here that cannot be kept: type it anew."
    return found
