"""What a platform is told of somebody's work, in the words of Assignment and Grade Services 2.0.

The decision is here, without a clock and tables: which score is the official one, how far the work is, and what is not
told yet.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

Activity = Literal["Initialized", "Started", "InProgress", "Submitted", "Completed"]
Grading = Literal["FullyGraded", "Pending", "PendingManual", "Failed", "NotReady"]

#: Moodle compares whole seconds.
APART = dt.timedelta(seconds=1)


@dataclass(frozen=True)
class Sat:
    """One attempt, or one item of it. ``score`` is exact, None as long as nothing is marked.

    waits        an answer is in the queue still, and will be marked by itself
    is_stuck     an answer could not be marked: somebody who teaches has to look
    ended_at     when it was handed in, or counts as handed in; for practice when it was worked on last
    """

    score: Fraction | None
    is_over: bool
    ended_at: dt.datetime | None = None
    waits: bool = False
    is_stuck: bool = False
    late_days: int = 0
    key: int = 0

    def of_item(self, score: Fraction | None) -> "Sat":
        """The same sitting, as far as one item of it goes."""
        return replace(self, score=score)


@dataclass(frozen=True)
class Said:
    """What the platform is to show of somebody. ``score`` is a share of the maximum; None clears what is there."""

    activity: Activity
    grading: Grading
    score: Fraction | None = None
    submitted_at: dt.datetime | None = None
    comment: str = ""

    @property
    def is_final(self) -> bool:
        """Whether it is a grade."""
        return self.grading == "FullyGraded"


RESET = Said("Initialized", "NotReady")


def said_of(
    attempts: Sequence[Sat], *, is_practice: bool, is_withheld: bool, by_hand: Fraction | None = None
) -> Said | None:
    """What there is to say of somebody's attempts at a set; None where they have none and no score by hand: nothing is
    said of work that nobody began, also not a 0 once the set is closed.

    The best attempt that is over counts, of equals the first: its own time is told. Practice, which nobody hands in,
    counts as it goes. ``is_withheld``: the learner does not know results yet, so that the platform is told none.
    """
    if by_hand is not None and not is_withheld:
        ended = max((one.ended_at for one in attempts if one.ended_at and one.is_over), default=None)
        return Said("Completed", "FullyGraded", by_hand, ended)
    if not attempts:
        return None
    done = [one for one in attempts if one.is_over or (is_practice and one.score is not None)]
    if not done:
        return Said("Started", "NotReady")
    if is_withheld:
        last = max((one.ended_at for one in done if one.ended_at), default=None)
        return Said("Submitted", "PendingManual", submitted_at=last)
    best = best_of(attempts, is_practice=is_practice)
    if best is None:
        is_stuck = any(one.is_stuck for one in done) and not any(one.waits for one in done)
        last = max((one.ended_at for one in done if one.ended_at), default=None)
        return Said("Submitted", "PendingManual" if is_stuck else "Pending", submitted_at=last)
    late = ""
    if best.late_days:
        late = f"Counts as {best.late_days} day{'' if best.late_days == 1 else 's'} late."
    activity: Activity = "Completed" if best.is_over else "InProgress"
    return Said(activity, "FullyGraded", best.score, best.ended_at, late)


def best_of(attempts: Sequence[Sat], *, is_practice: bool) -> Sat | None:
    """The attempt that counts, of equals the first; None as long as none is over and wholly marked."""
    done = [one for one in attempts if one.is_over or (is_practice and one.score is not None)]
    marked = [one for one in done if one.score is not None and not one.waits and (is_practice or not one.is_stuck)]
    return max(marked, key=lambda one: one.score or Fraction(0), default=None)


def to_send(wanted: Said | None, before: Mapping[str, Any] | None, maximum: Fraction) -> Said | None:
    """What is to be sent, after ``before`` was sent last; None where there is nothing new.

    A grade that stands there is only ever followed by another one, or cleared as a whole: platforms erase it for
    whatever else is said of it.
    """
    was_final = bool(before) and (before or {}).get("gradingProgress") == "FullyGraded"
    if wanted is None:
        was_said = before and before.get("activityProgress") != RESET.activity
        return RESET if was_said else None
    if was_final and not wanted.is_final:
        return None
    return None if before is not None and is_same(wanted, before, maximum) else wanted


def is_same(wanted: Said, before: Mapping[str, Any], maximum: Fraction) -> bool:
    """Whether what was sent says the same: of practice, whenever it was worked on last."""
    mine = body_of(wanted, user="", maximum=maximum, at=dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
    names = ["scoreGiven", "scoreMaximum", "activityProgress", "gradingProgress", "comment"]
    if wanted.activity != "InProgress":
        names.append("submission")
    return all(mine.get(name) == before.get(name) for name in names)


def body_of(said: Said, *, user: str, maximum: Fraction, at: dt.datetime) -> dict[str, Any]:
    """The score as it is posted. ``at`` is when it came to be, with a zone."""
    body: dict[str, Any] = {
        "userId": user,
        "timestamp": stamp(at),
        "activityProgress": said.activity,
        "gradingProgress": said.grading,
    }
    if said.score is not None:
        body |= {"scoreGiven": number(said.score * maximum), "scoreMaximum": number(maximum)}
    if said.comment:
        body["comment"] = said.comment
    if said.submitted_at is not None:
        body["submission"] = {"submittedAt": stamp(said.submitted_at)}
    return body


def stamp(moment: dt.datetime) -> str:
    """A moment as platforms read it: with milliseconds and a zone, always."""
    return moment.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def number(value: Fraction) -> int | float:
    """Exact where it is whole, else with every digit that a number has: rounding is left to whoever shows it."""
    return value.numerator if value.denominator == 1 else float(value)


def next_stamp(now: dt.datetime, last: dt.datetime | None) -> dt.datetime | None:
    """The time that a score may bear now: later than the ``last`` one by a second, and never ahead of the clock, which
    would lock the grade until then. None as long as there is none."""
    at = now.astimezone(dt.UTC)
    at = at.replace(microsecond=at.microsecond // 1000 * 1000)
    return None if last is not None and at < last + APART else at
