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
    "wrong": "This is none of the mistakes known for this step.",
    "blank": "",
    "unreadable": "It was not marked and costs nothing. Change it and check again.",
}
#: What to do about a wrong answer, by its kind; any other number is worked out again from what it builds on.
AGAIN = {
    "vector": "No entry is right yet. Begin again with the first one.",
    "choice": "Another option holds. Say to yourself why each of them would, or would not.",
    "choices": "The ticks are not all right. Take each option by itself: does it hold or not?",
    "shape": "Count again what the rows stand for, and what the columns stand for.",
    "text": "Look again at what belongs there, and at its spelling.",
}
FROM_THE_START = f"{MEANINGS['wrong']} Go back to what is given, and work it out again."
FROM_BEFORE = f"{MEANINGS['wrong']} Look at what it builds on, then work it out again."
UNDEFINED = "undefined"
SOME_ENTRIES = "Work out the crossed entries again; the ticked ones stand."
#: Said where nothing can be worked out again: the attempt is over, or the solution was shown.
ENTRIES_TOLD = "The ticked entries are right, the crossed ones are not."
OWN_ROUNDING = "Right within the rounding of your earlier values."


@dataclass(frozen=True)
class MarkView:
    """One mark as the page shows it. ``message`` is Markdown (plain text if unreadable), ``credit`` words or empty."""

    outcome: str
    word: str
    meaning: str
    message: str
    read_as: str
    credit: str
    entries: tuple[bool, ...] = ()
    rounding: str = ""
    kind: str = "number"

    @property
    def earned(self) -> bool:
        """Whether the step is done."""
        return self.outcome in ("right", "carried")


def mark_view(
    mark: Mark, *, kind: str = "number", is_first: bool = False, is_over: bool = False, rounding: str = ""
) -> MarkView:
    """A mark in words, for a step of this kind that others stand before or not.

    ``rounding`` says what was expected and belongs to a wrong answer only. Where it ``is_over`` nobody is told to work
    it out again.
    """
    return MarkView(
        outcome=mark.outcome,
        word=_word(mark),
        meaning=_told(mark) if is_over else _meaning(mark, kind, is_first=is_first),
        message=mark.message,
        read_as=mark.read_as,
        credit=_credit(mark),
        entries=mark.entries,
        rounding=rounding if mark.outcome in ("wrong", "mistake") and mark.read_as != UNDEFINED else "",
        kind=kind,
    )


def announcement(marks: Iterable[tuple[str, MarkView]]) -> str:
    """What a screen reader hears when a verdict arrives: each step by its question, then its verdict and message.

    Steps left blank are only counted, at the end.
    """
    marks = list(marks)
    told = [
        f"{spoken(ask).rstrip('.:?')}: {mark.word.lower()}."
        + (f" {_heard(mark)}" if mark.message and not mark.earned else "")
        for ask, mark in marks
        if mark.outcome != "blank"
    ]
    blank = len(marks) - len(told)
    return " ".join([*told, f"{blank} step{'' if blank == 1 else 's'} left blank."] if blank else told)


def _heard(mark: MarkView) -> str:
    return mark.message if mark.outcome == "unreadable" else spoken(mark.message)


def share_words(share: Fraction) -> str:
    """A score as words: an exact fraction, with the percentage where it is a whole one."""
    if share == 1:
        return "everything right"
    percent = share * 100
    whole = percent.denominator == 1
    return f"{percent} %" if whole else f"{share.numerator}/{share.denominator}"


def _meaning(mark: Mark, kind: str, *, is_first: bool) -> str:
    """What the outcome means, where the grader's own message does not say it."""
    if mark.message:
        return ""
    if mark.note == "own-rounding":
        return OWN_ROUNDING
    if mark.outcome == "wrong" and any(mark.entries):
        return SOME_ENTRIES
    if mark.outcome == "wrong":
        return AGAIN.get(kind, FROM_THE_START if is_first else FROM_BEFORE)
    return MEANINGS[mark.outcome]


def _told(mark: Mark) -> str:
    """What the outcome means where it is final."""
    if mark.message:
        return ""
    if mark.note == "own-rounding":
        return OWN_ROUNDING
    return ENTRIES_TOLD if mark.outcome == "wrong" and any(mark.entries) else MEANINGS[mark.outcome]


def _word(mark: Mark) -> str:
    if mark.outcome == "wrong" and any(mark.entries):
        return f"{sum(mark.entries)} of {len(mark.entries)} entries right"
    return WORDS[mark.outcome]


def _credit(mark: Mark) -> str:
    if mark.outcome not in ("mistake", "wrong") or mark.credit in (0, 1):
        return ""
    return f"Earns {mark.credit.numerator}/{mark.credit.denominator} of this step."
