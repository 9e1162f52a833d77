"""Reading what a learner typed: a value with what it was read as, nothing, or the reason why it cannot be read.

Nothing here raises, whatever was typed, and nothing that is read is infinite. The typed text is never changed; the
language it is read in is an argument and never the process's own.

A kind of answer is one line in ``KINDS``: how it is read, shown, and typed in other ways. ``grader/answer_table.yaml``
holds typed answers with their readings, as test and as help page.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from grader.typed.choices import (
    Options,
    fold,
    read_choice,
    read_choices,
    show_choices,
)
from grader.typed.locales import DEFAULT_LOCALE, decimal_sign
from grader.typed.notations import (
    choice_notations,
    choices_notations,
    count_notations,
    number_notations,
    shape_notations,
    text_notations,
    vector_notations,
)
from grader.typed.numbers import read_count, read_number, show_number
from grader.typed.result import Reading, Status, Typed, Value
from grader.typed.shapes import read_shape, show_shape
from grader.typed.texts import read_text
from grader.typed.vectors import read_vector, show_vector

__all__ = [
    "KINDS",
    "Box",
    "Kind",
    "Options",
    "Reading",
    "Status",
    "Typed",
    "Value",
    "decimal_sign",
    "fold",
    "notations",
    "read",
    "read_choice",
    "read_choices",
    "read_count",
    "read_in",
    "read_number",
    "read_shape",
    "read_text",
    "read_vector",
    "show",
]


class Box(NamedTuple):
    """What an answer is typed into: how many entries, which options, in which language, beside which unit.

    ``unit`` is "percent" where a % stands beside the box; ``undefined`` where "undefined" may be answered.
    """

    size: int = 1
    options: Options = ()
    locale: str = DEFAULT_LOCALE
    unit: str = ""
    undefined: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of answer: ``read`` never raises; ``show`` and ``notations`` take a value that ``read`` could give."""

    read: Callable[[object, Box], Reading]
    show: Callable[[Value, Box], str]
    notations: Callable[[Value, Box], list[Typed]]


def read(
    kind: str,
    typed: object,
    *,
    size: int = 1,
    options: Options = (),
    locale: str = DEFAULT_LOCALE,
    unit: str = "",
    undefined: bool = False,
) -> Reading:
    """What was typed into a box of a kind of ``KINDS``. Never raises for anything typed; KeyError for another kind."""
    return read_in(Box(size, options, locale, unit, undefined), kind, typed)


def read_in(box: Box, kind: str, typed: object) -> Reading:
    """The same for a box that many type into."""
    return KINDS[kind].read(typed, box)


def show(kind: str, value: Value, *, options: Options = (), locale: str = DEFAULT_LOCALE) -> str:
    """A value as it is shown under the box, so that it would be read the same again (but for digits cut off at …)."""
    return KINDS[kind].show(value, Box(options=options, locale=locale))


def notations(
    kind: str, value: Value, *, options: Options = (), locale: str = DEFAULT_LOCALE, unit: str = ""
) -> list[Typed]:
    """Other accepted ways of typing the value. Each is read as the value again, to within 1e-12 of it."""
    return KINDS[kind].notations(value, Box(options=options, locale=locale, unit=unit))


def _number(value: Value) -> float:
    if isinstance(value, float | int):
        return float(value)
    raise TypeError(f"a number was expected, not {value!r}")


def _numbers(value: Value) -> tuple[float, ...]:
    if isinstance(value, tuple):
        return value
    raise TypeError(f"a tuple of numbers was expected, not {value!r}")


def _text(value: Value) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"a text was expected, not {value!r}")


KINDS: dict[str, Kind] = {
    "number": Kind(
        read=lambda typed, box: read_number(typed, locale=box.locale, unit=box.unit, undefined=box.undefined),
        show=lambda value, box: show_number(_number(value), box.locale),
        notations=lambda value, box: number_notations(_number(value), locale=box.locale, unit=box.unit),
    ),
    "count": Kind(
        read=lambda typed, box: read_count(typed, locale=box.locale, undefined=box.undefined),
        show=lambda value, box: show_number(_number(value), box.locale),
        notations=lambda value, box: count_notations(_number(value), locale=box.locale),
    ),
    "vector": Kind(
        read=lambda typed, box: read_vector(typed, box.size, locale=box.locale, unit=box.unit),
        show=lambda value, box: show_vector(_numbers(value), box.locale),
        notations=lambda value, box: vector_notations(_numbers(value), locale=box.locale, unit=box.unit),
    ),
    "choice": Kind(
        read=lambda typed, box: read_choice(typed, box.options),
        show=lambda value, box: box.options[int(_number(value))][1],
        notations=lambda value, box: choice_notations(_number(value), box.options),
    ),
    "choices": Kind(
        read=lambda typed, box: read_choices(typed, box.options),
        show=lambda value, box: show_choices(_numbers(value), box.options),
        notations=lambda value, box: choices_notations(_numbers(value), box.options),
    ),
    "shape": Kind(
        read=lambda typed, box: read_shape(typed),
        show=lambda value, box: show_shape(_numbers(value)),
        notations=lambda value, box: shape_notations(_numbers(value)),
    ),
    "text": Kind(
        read=lambda typed, box: read_text(typed),
        show=lambda value, box: _text(value),
        notations=lambda value, box: text_notations(_text(value)),
    ),
}
