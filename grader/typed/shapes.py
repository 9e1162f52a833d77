"""The shape of an array: ``2 x 768``, ``(2, 768)``, ``768``."""

import re

from grader.typed.characters import MAX_LENGTH, plain
from grader.typed.literals import Unreadable
from grader.typed.numbers import read_count
from grader.typed.result import BLANK, Reading, unreadable

MAX_AXES = 8

_BRACKETS = re.compile(r"\((.*)\)|\[(.*)\]")
_BY = re.compile(r" ?(?:[xX×*·;]|\bby\b) ?", re.IGNORECASE)
_EXAMPLE = "such as 2 x 768, or 768 for a vector"


def read_shape(text: object) -> Reading:
    """The sizes of the axes as a tuple of whole floats, rows first. Never raises.

    Axes are set apart by x, ×, * or "by", in which case a size may be grouped (``2 x 30,522``); or by commas within
    brackets or followed by a space. ``2,768`` alone could be one number or two, so both are offered.
    """
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        return unreadable(f"A shape is wanted here, {_EXAMPLE}.")
    shape = plain(text)
    if not shape:
        return BLANK
    try:
        sizes = tuple(_size(axis) for axis in _axes(shape))
    except Unreadable as refusal:
        return unreadable(refusal.message)
    return Reading("read", sizes, show_shape(sizes))


def _axes(shape: str) -> list[str]:
    match = _BRACKETS.fullmatch(shape)
    inner = (match.group(1) or match.group(2) or "").strip() if match else shape
    axes = _BY.split(inner)
    if len(axes) == 1:
        axes = _by_commas(inner, bracketed=match is not None)
    if len(axes) > MAX_AXES:
        raise Unreadable(f"A shape has at most {MAX_AXES} axes here: write it {_EXAMPLE}.")
    return axes


def _by_commas(inner: str, *, bracketed: bool) -> list[str]:
    spaced, commas = inner.count(", "), inner.rstrip(",").count(",")
    consistent = spaced in (0, commas) and (bracketed or spaced > 0)
    if (commas and not consistent) or re.fullmatch(r"\d+ \d+", inner):
        axes, grouped = re.sub("[, ]+", " x ", inner), re.sub("[, ]", "", inner.replace(", ", ";")).replace(";", " x ")
        raise Unreadable(f"“{inner}” can be read in two ways: write {axes} or {grouped}.")
    return re.split(", ?", inner.rstrip(", "))


def _size(axis: str) -> float:
    reading = read_count(axis) if axis.strip() else BLANK
    value = reading.value
    if not isinstance(value, float) or not value.is_integer() or not re.fullmatch(r"[\d.,' _]+", axis):
        raise Unreadable(f"A shape is written with whole numbers, {_EXAMPLE}.")
    return value


def show_shape(sizes: tuple[float, ...]) -> str:
    """``2 × 768``."""
    return " × ".join(f"{size:.0f}" for size in sizes)
