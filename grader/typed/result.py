"""What reading an answer gives: a value, nothing, or the reason why it cannot be read."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

Status = Literal["read", "blank", "unreadable"]
Value = float | tuple[float, ...] | str | None
#: What a form or an API hands over: text, or one text a box (vector), or the chosen keys (choices).
Typed = str | Sequence[str]


class Reading(NamedTuple):
    """One typed answer as it was understood.

    ``value``: number and count a finite float, or NaN for "undefined"; vector, choices (0 or 1 an option) and shape a
    tuple of floats; choice the place of the option; text the folded text; None unless ``status`` is "read".
    ``shown`` is the value so written, in the learner's language, that it would be read the same again.
    ``message`` says why an unreadable answer is, and what to type instead.
    ``digits`` counts the significant digits of a plain decimal; None for calculations and for zero.
    """

    status: Status
    value: Value = None
    shown: str = ""
    message: str = ""
    digits: int | None = None
    entries: tuple["Reading", ...] = ()


BLANK = Reading("blank")


def unreadable(message: str, entries: tuple[Reading, ...] = ()) -> Reading:
    """A reading without a value."""
    return Reading("unreadable", message=message, entries=entries)
