"""The frozen result of marking: one ``Verdict`` a submission, one ``Mark`` a step."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

Outcome = Literal["right", "carried", "mistake", "wrong", "blank", "unreadable"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

#: Notes the grader gives by itself; every other note is ``step.tag`` of a mistake declared in the problem.
OWN_NOTES = (
    "",
    "own-rounding",
    "carry-refused",
    "ambiguous",
    "coarse",
    "lost-sign",
    "power-of-ten",
    "percent",
    "other-order",
    "not-undefined",
    "undefined-here",
)

#: Raised whenever the same answer may be marked differently than before.
GRADER_VERSION = "1"


class Mark(NamedTuple):
    """What one step earned. ``credit`` is in [0, 1]; ``note`` names the road taken and is free of drawn values.

    ``entries`` tells, for a vector, which entries were right (empty for other kinds).
    """

    step: str
    outcome: Outcome
    note: str = ""
    credit: Fraction = Fraction(0)
    message: str = ""
    read_as: str = ""
    entries: tuple[bool, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data; the credit as an exact fraction in text (``"1/2"``)."""
        return {
            "outcome": self.outcome,
            "note": self.note,
            "credit": str(self.credit),
            "read_as": self.read_as,
            "message": self.message,
            "entries": list(self.entries),
        }

    @classmethod
    def from_json(cls, step: str, data: Mapping[str, Any]) -> "Mark":
        """The mark that ``to_json`` wrote."""
        return cls(
            step=step,
            outcome=data["outcome"],
            note=data["note"],
            credit=Fraction(data["credit"]),
            message=data["message"],
            read_as=data["read_as"],
            entries=tuple(data.get("entries", ())),
        )


@dataclass(frozen=True)
class Verdict:
    """The marks of one submission in the order of the steps, and their weighted score in [0, 1]."""

    score: Fraction
    marks: tuple[Mark, ...]
    version: str = GRADER_VERSION

    def to_json(self) -> dict[str, Any]:
        """Plain data, without NaN: ``{"score", "marks": {step: mark}, "version"}``. The same every time: change none of
        it."""
        return self._plain

    @cached_property
    def _plain(self) -> dict[str, Any]:
        return {
            "score": str(self.score),
            "marks": {mark.step: mark.to_json() for mark in self.marks},
            "version": self.version,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Verdict":
        """The verdict that ``to_json`` wrote."""
        return cls(
            score=Fraction(data["score"]),
            marks=tuple(Mark.from_json(step, mark) for step, mark in data["marks"].items()),
            version=data["version"],
        )

    def mark_of(self, step: str) -> Mark | None:
        """The mark of one step, or None if it was not marked."""
        return next((mark for mark in self.marks if mark.step == step), None)
