"""The solution of one variant as plain data: values, allowances and named mistakes, for authors and for tests."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.answers import options_of
from grader.errors import FormulaError, ParameterError
from grader.functions import Array
from grader.graph import Mistake, Problem, Step
from grader.sampling import read_parameters
from grader.separation import Lanes, variant_lanes
from grader.template import Drawn

#: What an undefined value is called in data and in answers.
UNDEFINED = "undefined"


@dataclass(frozen=True)
class Solution:
    """Everything the graph says about one variant, without NaN: a value that is not finite is None.

    ``values`` and ``allowances`` by step; ``mistakes`` by ``step.tag``: whether it is active, and the values it leads
    to at its own step and all later ones.
    """

    values: Mapping[str, Any]
    allowances: Mapping[str, Any]
    mistakes: Mapping[str, Mapping[str, Any]]


def lanes_of(problem: Problem, drawn: Drawn) -> Lanes:
    """All lanes of a variant. Raises ParameterError if the sizes of its parameters do not fit together."""
    try:
        return variant_lanes(problem, drawn.env)
    except FormulaError as error:
        raise ParameterError(f"these parameters do not fit together: {error.message}") from error


def solve(problem: Problem, parameters: Mapping[str, Any]) -> Solution:
    """The solution of the variant with these parameters. Raises ParameterError."""
    drawn = read_parameters(problem, parameters)
    lanes = lanes_of(problem, drawn)
    return Solution(
        values={step.name: plain_value(step, drawn, lanes.values[step.name][0, 0]) for step in problem.steps},
        allowances={step.name: _allowance(step, lanes) for step in problem.steps},
        mistakes={
            mistake.note: _mistake(problem, mistake, lane, drawn, lanes)
            for lane, mistake in enumerate(problem.mistakes, start=1)
        },
    )


def plain_value(step: Step, drawn: Drawn, value: Array) -> Any:
    """A step's value (n,) as data: a number, a list, option keys, an accepted text; None if it is not finite."""
    if step.kind == "text":
        return step.accept[0]
    if step.kind in ("choice", "choices"):
        keys = [key for key, _ in options_of(step, drawn)]
        if step.kind == "choices":
            return [key for key, chosen in zip(keys, value, strict=False) if chosen > 0]
        place = value[0]
        return keys[int(place)] if 0 <= place < len(keys) and place == int(place) else None
    if step.kind == "vector":
        return [_number(entry) for entry in value]
    if step.kind == "shape":
        return [_number(entry, whole=True) for entry in value]
    if np.isnan(value[0]) and step.undefined:
        return UNDEFINED
    return _number(value[0], whole=step.kind == "count")


def active_mistakes(problem: Problem, parameters: Mapping[str, Any]) -> list[str]:
    """The notes of the mistakes that come to another value than the key in this variant. Raises ParameterError."""
    lanes = lanes_of(problem, read_parameters(problem, parameters))
    return [
        mistake.note
        for lane, mistake in enumerate(problem.mistakes, start=1)
        if _is_active(problem, mistake, lane, lanes)
    ]


def _number(value: Any, *, whole: bool = False) -> float | int | None:
    number = float(value) + 0.0
    if not np.isfinite(number):
        return None
    return int(number) if whole and number == int(number) else number


def _allowance(step: Step, lanes: Lanes) -> Any:
    if not step.rounded:
        return 0
    room = [_number(entry) for entry in lanes.allowances[step.name][0, 0]]
    return room if step.kind == "vector" else (0 if np.isnan(lanes.values[step.name][0, 0, 0]) else room[0])


def _is_active(problem: Problem, mistake: Mistake, lane: int, lanes: Lanes) -> bool:
    """A mistake in what is typed in words has no lane: it can always be made."""
    return not mistake.formulas or bool(lanes.active(problem, lane)[0])


def _mistake(problem: Problem, mistake: Mistake, lane: int, drawn: Drawn, lanes: Lanes) -> dict[str, Any]:
    if not mistake.formulas:
        return {"active": True, "steps": {mistake.step: mistake.accept[0]}}
    names = [step.name for step in problem.steps]
    later = names[names.index(mistake.step) :]
    return {
        "active": _is_active(problem, mistake, lane, lanes),
        "steps": {
            name: plain_value(problem.step(name), drawn, lanes.values[name][lane, 0])
            for name in later
            if problem.step(name).kind != "text"
        },
    }
