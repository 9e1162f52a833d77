"""Verdicts in words: what an outcome is called, what it means, and how it is announced."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from frontend.typeset import spoken
from grader.verdict import Mark

WORDS = {
    "right": "Right",
    "carried": "Right, carried forward",
    "mistake": "A known mistake",
    "wrong": "Not right",
    "blank": "Left blank",
    "unreadable": "Could not be read",
}
MEANINGS = {
    "right": "",
    "carried": "The method is right: it follows from your own earlier value, and an error is charged only once.",
    "mistake": "",
    "wrong": "This is none of the mistakes known for this step. Look at the step before it, then work it out again.",
    "blank": "Nothing was typed here, so there was nothing to mark.",
    "unreadable": "It was not marked and costs nothing. Change it and check again.",
}
SOME_ENTRIES = "Work out the crossed entries again; the ticked ones stand."
OWN_ROUNDING = "Right within the rounding of your earlier values."


@dataclass(frozen=True)
class MarkView:
    """One mark as the page shows it. ``message`` is Markdown, ``credit`` is words or empty."""

    outcome: str
    word: str
    meaning: str
    message: str
    read_as: str
    credit: str
    entries: tuple[bool, ...] = ()
    rounding: str = ""

    @property
    def earned(self) -> bool:
        """Whether the step is done."""
        return self.outcome in ("right", "carried")


def mark_view(mark: Mark, *, rounding: str = "") -> MarkView:
    """A mark in words; ``rounding`` says what was expected and belongs to a wrong answer only."""
    return MarkView(
        outcome=mark.outcome,
        word=_word(mark),
        meaning=_meaning(mark),
        message=mark.message,
        read_as=mark.read_as,
        credit=_credit(mark),
        entries=mark.entries,
        rounding=rounding if mark.outcome in ("wrong", "mistake") else "",
    )


def announcement(marks: Iterable[tuple[str, MarkView]]) -> str:
    """What a screen reader hears when a verdict arrives: each step by its question, then its verdict and message."""
    return " ".join(
        f"{spoken(ask).rstrip('.:?')}: {mark.word.lower()}."
        + (f" {spoken(mark.message)}" if mark.message and not mark.earned else "")
        for ask, mark in marks
    )


def share_words(share: Fraction) -> str:
    """A score as words: an exact fraction, with the percentage where it is a whole one."""
    if share == 1:
        return "everything right"
    percent = share * 100
    whole = percent.denominator == 1
    return f"{percent}%" if whole else f"{share.numerator}/{share.denominator}"


def _meaning(mark: Mark) -> str:
    """What the outcome means, where the grader's own message does not say it."""
    if mark.message:
        return ""
    if mark.note == "own-rounding":
        return OWN_ROUNDING
    if mark.outcome == "wrong" and any(mark.entries):
        return SOME_ENTRIES
    return MEANINGS[mark.outcome]


def _word(mark: Mark) -> str:
    if mark.outcome == "wrong" and any(mark.entries):
        return f"{sum(mark.entries)} of {len(mark.entries)} entries right"
    return WORDS[mark.outcome]


def _credit(mark: Mark) -> str:
    if mark.outcome not in ("mistake", "wrong") or mark.credit in (0, 1):
        return ""
    return f"Earns {mark.credit.numerator}/{mark.credit.denominator} of this step."
