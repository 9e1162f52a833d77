"""One number as people write it: decimal signs, grouping signs, an exponent.

number box   a sole separator is decimal; but one that is not the language's decimal sign, before exactly three
             digits and after a head that is not zero, could be either, and both readings are offered
count box    there a sole separator before exactly three digits groups
several      the last of two kinds is decimal, repeated ones of one kind group: ``1.234,5``  ``1,234,567``
any box      spaces, apostrophes and underscores group by threes (in India also by twos)
"""

import re
from dataclasses import dataclass

from grader.typed.characters import ARABIC_DECIMAL

#: Where a number may begin and how far it runs; what it means is settled by ``read_literal``.
LITERAL = re.compile(
    r"(?:\d|[.,\u066b](?=\d))(?:[\d.\u066b]|,(?! )|['_](?=\d)| (?=\d{3}(?!\d)))*(?:[eE][+-]?\d+)?", re.ASCII
)
_SOFT = re.compile(r"[ '_]")
_THREES = re.compile(r"[1-9]\d{0,2}(?:(.)\d{3})(?:\1\d{3})*", re.ASCII)
_INDIAN = re.compile(r"[1-9]\d?(?:(,)\d{2})(?:,\d{2})*,\d{3}", re.ASCII)


class Unreadable(Exception):
    """What was typed cannot be read; the message says why and what to type instead."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True)
class Literal:
    """A number as typed and what it says: ``plain`` has a point, no grouping and is safe for ``float``."""

    typed: str
    plain: str

    @property
    def digits(self) -> int | None:
        """How many significant digits were typed; None for a zero, which has none."""
        return significant(self.plain.partition("e")[0])


def significant(mantissa: str) -> int | None:
    """How many significant digits a plain decimal without its sign has; None for a zero."""
    return len(mantissa.replace(".", "").lstrip("0")) or None


def read_literal(typed: str, decimal: str, *, count: bool = False) -> Literal:
    """What a run matched by ``LITERAL`` says. Raises Unreadable, with every possible reading in the message."""
    mantissa, sign, exponent = typed.replace("E", "e").partition("e")
    body = mantissa.replace(ARABIC_DECIMAL, decimal) if mantissa.count(ARABIC_DECIMAL) == 1 else mantissa
    definite = body != mantissa
    whole = _whole_and_rest(body, decimal, definite=definite, count=count)
    if whole is None:
        raise Unreadable(_cannot_be_read(typed, mantissa, decimal))
    return Literal(typed, f"{whole}{sign}{exponent}")


def _whole_and_rest(body: str, decimal: str, *, definite: bool, count: bool) -> str | None:
    separators = [sign for sign in body if sign in ".,"]
    if ARABIC_DECIMAL in body:
        return None
    if _SOFT.search(body):
        return _softly_grouped(body, len(separators))
    if not separators:
        return body
    head, _, tail = body.rpartition(separators[-1])
    if len(separators) == 1:
        return f"{head or '0'}.{tail}" if definite else _with_sole_separator(body, decimal, count=count)
    if separators[-1] in head:
        return _ungrouped(body)
    whole = _ungrouped(head)
    return f"{whole}.{tail}" if whole and tail else None


def _with_sole_separator(body: str, decimal: str, *, count: bool) -> str:
    sign = "," if "," in body else "."
    head, _, tail = body.partition(sign)
    could_group = len(tail) == 3 and head.strip("0") != ""
    if count and could_group and _ungrouped(body):
        return head + tail
    if could_group and sign != decimal:
        raise Unreadable(
            f"“{body}” can be read in two ways: write {head}{decimal}{tail} if {sign} separates the decimals, "
            f"or {head}{tail} if it groups thousands."
        )
    return f"{head or '0'}.{tail}"


def _softly_grouped(body: str, separators: int) -> str | None:
    head, sign, tail = body, "", ""
    if separators == 1:
        head, sign, tail = body.partition("." if "." in body else ",")
    elif separators:
        return None
    whole = _ungrouped(head)
    if whole is None or not (tail.isdigit() or tail == ""):
        return None
    return f"{whole}.{tail}" if sign else whole


def _ungrouped(text: str) -> str | None:
    """The digits of a grouped whole number, None unless the groups are whole."""
    if text.isdigit():
        return text
    if _THREES.fullmatch(text) or _INDIAN.fullmatch(text):
        return re.sub(r"\D", "", text)
    return None


def _cannot_be_read(typed: str, mantissa: str, decimal: str) -> str:
    if re.fullmatch(r"[\d.,]*\d[.,]{2}", mantissa) or re.fullmatch(r"\d+[.,]\d+[.,]", mantissa):
        return f"“{typed}” ends in a sign too many: write {mantissa.rstrip('.,')}."
    if " " in mantissa:
        return f"“{typed}” could be one number or two: write one number, without spaces."
    return (
        f"“{typed}” cannot be read as one number: write it without grouping and with one decimal sign, "
        f"such as 1234{decimal}5."
    )
