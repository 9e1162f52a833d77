"""When the steps of one variant close, and what each then shows: a pure function of everything that happened on it.

A step closes once, at the first of these: it is right (or carried) · so many different answers were wrong that another
would show nothing · the solution is shown · the learner draws another variant after having tried it, or hands in. What
comes later says nothing any more. Everything is taken in the order in which it was *sent*, so it is all the same in
which order verdicts arrive, how often, and what was judged anew meanwhile.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from exercises.mastery.constants import CONSTANTS, Constants
from exercises.mastery.evidence import strength


class Reason(StrEnum):
    """Why a step closed; the values are those of the table Evidence. ``VOID`` takes back what was no evidence."""

    RIGHT = "right"
    TRIES = "tries"
    REVEALED = "revealed"
    LEFT = "left"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class AskedStep:
    """A step that is asked, with the skill it trains. An optional one has weight 0 and may be left blank.

    ``blame`` maps the notes of mistakes to the skill they show a lack of, where that is another one.
    """

    name: str
    skill: str
    is_optional: bool = False
    blame: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """How one step of one submission was judged: ``correctness`` in [0, 1], by the learner's own carried values."""

    outcome: str
    note: str
    read_as: str
    correctness: float

    @property
    def is_right(self) -> bool:
        """A learner who errs once loses once: what follows from their own earlier values is right here."""
        return self.outcome in ("right", "carried")

    @property
    def judged(self) -> tuple[str, bool]:
        """What makes it another try than the ones before: another reading, or that the same is right by now, because it
        is carried on from other values. That was wrong first, so it is no success at the first try."""
        return self.read_as, self.is_right

    @property
    def is_try(self) -> bool:
        """Whether it was judged at all. What could not be carried on was not judged by the learner's own values."""
        return self.outcome in ("right", "carried", "mistake", "wrong") and self.note != "carry-refused"


@dataclass(frozen=True, slots=True)
class Try:
    """One graded submission: when it was sent, and its answers by step, under the verdict that counts."""

    submission: int
    at: dt.datetime
    answers: Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class History:
    """All that happened on one variant, in any order: graded tries, hints as (step, moment), the moments at which later
    variants of the problem were drawn or the attempt was handed in, and when solution and scaffold were asked for."""

    tries: Sequence[Try] = ()
    hints: Sequence[tuple[str, dt.datetime]] = ()
    drawn_later: Sequence[dt.datetime] = ()
    revealed_at: dt.datetime | None = None
    scaffolded_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Closing:
    """What one closed step shows. ``submission`` is the answer that closed it, None where no answer did; ``skill`` the
    one it speaks about; ``notes`` the named mistakes that were made at it, in order; ``e`` and ``w`` its strength and
    how much it counts."""

    step: str
    skill: str
    reason: Reason
    submission: int | None
    closed_at: dt.datetime
    correctness: float
    tries: int
    hints: int
    e: float
    w: float
    notes: tuple[str, ...]


@dataclass
class _Shown:
    """What was shown at a step so far: different answers only. ``correctness`` is that of the latest."""

    judged: set[tuple[str, bool]] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    correctness: float = 0.0
    first_at: dt.datetime | None = None

    def take(self, answer: Answer, at: dt.datetime) -> None:
        self.judged.add(answer.judged)
        self.correctness = 1.0 if answer.is_right else answer.correctness
        if self.first_at is None:
            self.first_at = at
        if answer.outcome == "mistake" and answer.note not in ("", "ambiguous"):
            self.notes.append(answer.note)


@dataclass(frozen=True)
class _End:
    reason: Reason
    at: dt.datetime
    submission: int | None = None


def closings(steps: Iterable[AskedStep], history: History, *, constants: Constants = CONSTANTS) -> list[Closing]:
    """The steps that are closed, in the order given. What is still open is not in the list.

    How much was right is what the last try shows, not the best of them: whoever had it and let it go again did not hold
    it. No try, and so no evidence, is what was blank, unreadable or not to be carried on; the same answer again; and
    whatever was sent after the step closed. A solution that is shown leaves nothing of a required step that was not
    right, tried or not, once anything was tried on the variant: whoever only looks has shown nothing. An optional one
    that was never tried says nothing either. Optional steps count half, and so does what closes after the scaffold was
    asked for, or after a later variant was drawn: its solution is worked out alike. Where a step was never right and
    the last named mistake points at another skill, the evidence speaks against that one instead.
    """
    tries = sorted(history.tries, key=lambda one: (one.at, one.submission))
    if history.revealed_at is not None and not _is_tried(tries, until=history.revealed_at):
        return []
    drawn = sorted(history.drawn_later)
    found = (_closing(step, tries, drawn, history, constants) for step in steps)
    return [closing for closing in found if closing is not None]


def _is_tried(tries: Iterable[Try], *, until: dt.datetime) -> bool:
    """Whether anything at all was answered so that it could be judged."""
    return any(answer.is_try for one in tries if one.at <= until for answer in one.answers.values())


def _closing(
    step: AskedStep, tries: Sequence[Try], drawn: Sequence[dt.datetime], history: History, constants: Constants
) -> Closing | None:
    if history.revealed_at is None and not any(step.name in one.answers for one in tries):
        return None
    shown = _Shown()
    end = _end_by_answer(step.name, tries, drawn, shown, history.revealed_at, constants)
    if end is None:
        end = _end_without_answer(step, drawn, shown, history.revealed_at)
    if end is None:
        return None
    hints = sum(1 for name, at in history.hints if name == step.name and at <= end.at)
    is_scaffolded = history.scaffolded_at is not None and history.scaffolded_at <= end.at
    e = strength(
        shown.correctness,
        tries=len(shown.judged),
        hints=hints,
        is_revealed=end.reason is Reason.REVEALED,
        constants=constants,
    )
    is_late = any(at < end.at for at in drawn)
    w = constants.scaffolded_weight if step.is_optional or is_scaffolded or is_late else 1.0
    skill = step.skill
    if end.reason is not Reason.RIGHT and shown.notes:
        blamed = step.blame.get(shown.notes[-1], skill)
        if blamed != skill:
            skill, e, w = blamed, 0.0, min(w, constants.blame_weight)
    return Closing(
        step=step.name,
        skill=skill,
        reason=end.reason,
        submission=end.submission,
        closed_at=end.at,
        correctness=shown.correctness,
        tries=len(shown.judged),
        hints=hints,
        e=e,
        w=w,
        notes=tuple(shown.notes),
    )


def _end_by_answer(
    name: str,
    tries: Sequence[Try],
    drawn: Sequence[dt.datetime],
    shown: _Shown,
    revealed_at: dt.datetime | None,
    constants: Constants,
) -> _End | None:
    """Take the tries one by one until one of them closes the step; None if none does."""
    for one in tries:
        if revealed_at is not None and one.at > revealed_at:
            return None
        left_at = _left_at(drawn, shown)
        if left_at is not None and one.at > left_at:
            return None
        answer = one.answers.get(name)
        if answer is None or not answer.is_try:
            continue
        if answer.judged in shown.judged:
            continue
        shown.take(answer, one.at)
        if answer.is_right:
            return _End(Reason.RIGHT, one.at, one.submission)
        if len(shown.judged) >= constants.most_tries:
            return _End(Reason.TRIES, one.at, one.submission)
    return None


def _end_without_answer(
    step: AskedStep, drawn: Sequence[dt.datetime], shown: _Shown, revealed_at: dt.datetime | None
) -> _End | None:
    left_at = _left_at(drawn, shown)
    if left_at is not None and (revealed_at is None or left_at < revealed_at):
        return _End(Reason.LEFT, left_at)
    if revealed_at is not None and (shown.judged or not step.is_optional):
        return _End(Reason.REVEALED, revealed_at)
    return None


def _left_at(drawn: Sequence[dt.datetime], shown: _Shown) -> dt.datetime | None:
    """When another variant was drawn after the step had been tried."""
    first = shown.first_at
    return None if first is None else next((at for at in drawn if at >= first), None)
