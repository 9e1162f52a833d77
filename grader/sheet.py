"""The answers of a batch as arrays: every typed answer read once, the readable numbers lined up for the graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.allowance import half_unit
from grader.answers import box_of
from grader.evaluation import Given
from grader.functions import Array
from grader.graph import Problem, Step
from grader.reading import Reading, read_in
from grader.template import Drawn

_BLANK = Reading("blank")

Answers = Mapping[str, str | list[str]]


@dataclass(frozen=True)
class Sheet:
    """Readings by step and row, and what of them can be put into the graph.

    ``numbers`` holds (B, n) values for every step that anybody answered with a number (NaN elsewhere);
    ``carried`` the same as ``Given`` for steps that later steps may be computed from.
    """

    readings: Mapping[str, Sequence[Reading]]
    numbers: Mapping[str, Array]
    carried: Mapping[str, Given]


def read_sheet(
    problem: Problem,
    drawn: Sequence[Drawn],
    answers: Sequence[Answers],
    locales: Sequence[str],
    values: Mapping[str, Array],
) -> Sheet:
    """Reads the answers of a batch; ``values`` (L, B, n) are the true lanes, which give each vector its size."""
    readings: dict[str, list[Reading]] = {}
    numbers: dict[str, Array] = {}
    carried: dict[str, Given] = {}
    for step in problem.asked:
        if not any(step.name in row for row in answers):
            continue
        size = values[step.name].shape[-1]
        readings[step.name] = _readings(step, size, drawn, answers, locales)
        if step.kind != "text":
            numbers[step.name] = _numbers(readings[step.name], size)
            present = np.asarray(np.isfinite(numbers[step.name]).all(axis=-1, keepdims=True))
            # An empty vector carries nothing; "undefined" (NaN) is never carried in.
            if size and present.any():
                carried[step.name] = Given(np.where(present, numbers[step.name], 0.0), present)
    return Sheet(readings, numbers, carried)


def _readings(
    step: Step, size: int, drawn: Sequence[Drawn], answers: Sequence[Answers], locales: Sequence[str]
) -> list[Reading]:
    name = step.name
    if step.options is not None:
        return [
            read_in(box_of(step, one, size, locale), step.kind, row[name]) if name in row else _BLANK
            for one, row, locale in zip(drawn, answers, locales, strict=True)
        ]
    boxes = {locale: box_of(step, drawn[0], size, locale) for locale in set(locales)}
    return [
        read_in(boxes[locale], step.kind, row[name]) if name in row else _BLANK
        for row, locale in zip(answers, locales, strict=True)
    ]


def _numbers(readings: Sequence[Reading], size: int) -> Array:
    numbers = np.full((len(readings), size), np.nan)
    for row, reading in enumerate(readings):
        if isinstance(reading.value, tuple):
            if len(reading.value) == size:
                numbers[row] = reading.value
        elif isinstance(reading.value, float):
            numbers[row] = reading.value
    return numbers


def typed_rounding(step: Step, sheet: Sheet, right: Array) -> Array:
    """By how much a wrong value that is carried on may be off on paper, (B, n).

    Learners give three digits and go on with what stands in their calculator: the step after is computed from a value
    up to half a unit of the last digit typed away, but never taken coarser than the digits that were asked for.
    A calculation such as 1/3 is exact.
    """
    digits: Array = np.full(sheet.numbers[step.name].shape, np.inf)
    for row, reading in enumerate(sheet.readings[step.name]):
        for entry, part in enumerate(reading.entries or (reading,)):
            if part.digits is not None and entry < digits.shape[1]:
                digits[row, entry] = max(part.digits, step.digits)
    value = sheet.numbers[step.name]
    plain = np.isfinite(digits) & ~right
    return np.where(plain, half_unit(value, np.where(plain, digits, 1)), 0.0)
