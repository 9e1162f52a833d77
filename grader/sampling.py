"""Drawing a variant, and reading the parameters of one that was drawn before or is given by hand.

Numbers come from their grid and are shown as they are: the key is computed from the very numbers on the page. The draw
uses Python's ``random.Random``, whose sequence for a seed does not change between versions; what was drawn is stored
all the same.
"""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader.errors import DrawError, FormulaError, ParameterError
from grader.formula import Env, Formula
from grader.functions import Array
from grader.graph import Parameter, Problem
from grader.separation import unfit_because
from grader.template import Drawn

#: Draws before a problem is given up on; a fit problem needs a handful.
MAX_DRAWS = 400
MAX_ENTRIES = 256
MAX_NUMBER = 1e12
MAX_WORD = 200


def draw(problem: Problem, seed: int) -> dict[str, Any]:
    """The parameters of the variant of a seed, as shown. The same seed gives the same parameters.

    Raises DrawError, with the last reason, when no acceptable variant turns up.
    """
    return draw_with_reasons(problem, seed)[0]


def draw_with_reasons(problem: Problem, seed: int) -> tuple[dict[str, Any], list[str]]:
    """The parameters, and why each draw before them was refused. Raises DrawError."""
    source = random.Random(f"{problem.digest}:{seed}")  # noqa: S311 - to be repeated, not to be secret
    reasons: list[str] = []
    for _ in range(MAX_DRAWS):
        try:
            drawn = _propose(problem, source)
            reason = unmet_requirement(problem, drawn) or unfit_because(problem, drawn)
        except FormulaError as error:
            raise DrawError(f"this problem cannot be drawn: {error.message}") from error
        if not reason:
            return dict(drawn.values), reasons
        reasons.append(reason)
    raise DrawError(f"no variant fits after {MAX_DRAWS} draws; the last one failed because {reasons[-1]}")


def unmet_requirement(problem: Problem, drawn: Drawn) -> str:
    """The first ``require`` line that does not hold; empty if all do."""
    with np.errstate(all="ignore"):
        for formula in problem.require:
            if not bool(np.all(formula(drawn.env))):
                return f"{formula.text} does not hold"
    return ""


def read_parameters(problem: Problem, data: Mapping[str, Any]) -> Drawn:
    """The variant with these parameters: also outside the drawn range, but of the right types and sizes.

    Computed parameters may be left out. Raises ParameterError naming the parameter.
    """
    if not isinstance(data, Mapping):
        raise ParameterError("parameters are given as a mapping of names to values")
    if not problem.known.issuperset(data) and (unknown := sorted(set(map(str, data)) - problem.known)):
        raise ParameterError(f"there is no parameter {unknown[0]}; there are {', '.join(sorted(problem.known))}")
    drawing = _Drawing()
    for parameter in problem.parameters:
        if parameter.name in data:
            value = _checked(parameter, data[parameter.name], drawing)
        elif parameter.formula is not None:
            value = _computed(parameter, drawing.env)
        else:
            raise ParameterError(f"the parameter {parameter.name} is missing")
        drawing.add(parameter, value)
    return drawing.done()


def stack(drawn: list[Drawn]) -> dict[str, Array]:
    """The arrays of several variants of one problem with equal shapes, one row each."""
    if len(drawn) == 1:
        return dict(drawn[0].env)
    return {name: np.concatenate([one.env[name] for one in drawn]) for name in drawn[0].env}


def alike(drawn: Sequence[Drawn]) -> list[list[int]]:
    """The places of variants of one problem in groups that can be stacked: their arrays have the same shapes."""
    groups: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for place, one in enumerate(drawn):
        groups.setdefault(tuple(array.shape for array in one.env.values()), []).append(place)
    return list(groups.values())


class _Drawing:
    """Parameters as they come to be known, in order."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.env: dict[str, Array] = {}
        self.texts: dict[str, str | tuple[str, ...]] = {}

    def add(self, parameter: Parameter, value: Any) -> None:
        self.values[parameter.name] = value
        if parameter.type == "text":
            self.texts[parameter.name] = value
        elif parameter.type == "texts":
            self.texts[parameter.name] = tuple(value)
            self.env[parameter.name] = np.arange(len(value), dtype=float)[None, :]
        elif parameter.type in ("number", "integer"):
            self.env[parameter.name] = np.array([[float(value)]])
        else:
            self.env[parameter.name] = np.array([value], dtype=float)

    def done(self) -> Drawn:
        return Drawn(self.values, self.env, self.texts)


def _propose(problem: Problem, source: random.Random) -> Drawn:
    drawing = _Drawing()
    for parameter in problem.parameters:
        drawing.add(parameter, _draw_one(parameter, drawing, source))
    return drawing.done()


def _draw_one(parameter: Parameter, drawing: _Drawing, source: random.Random) -> Any:
    match parameter.source:
        case "choose":
            count = _whole(parameter.count, drawing.env)
            if count > len(parameter.words):
                raise FormulaError(f"{parameter.name} asks for {count} of {len(parameter.words)} words")
            return source.sample(parameter.words, count)
        case "index":
            places = drawing.env[parameter.of].shape[1]
            if not places:
                raise FormulaError(f"{parameter.of} is empty, so {parameter.name} has no place in it")
            return source.randrange(places)
        case "pick":
            value = source.choice(parameter.values)
            return list(value) if isinstance(value, list) else value
        case "range":
            return _from_range(parameter, drawing.env, source)
        case "is":
            return _computed(parameter, drawing.env)


def _from_range(parameter: Parameter, env: Env, source: random.Random) -> Any:
    low, high = _scalar(parameter.low, env), _scalar(parameter.high, env)
    points = math.floor((high - low) / parameter.grid + 1e-9) + 1
    if points < 1:
        raise FormulaError(f"the range of {parameter.name} is empty")

    def on_grid(k: int) -> float:
        value = round(low + k * parameter.grid, max(parameter.decimals, 0))
        return int(value) if parameter.decimals == 0 else value

    if parameter.size is None and not parameter.sizes:
        return on_grid(source.randrange(points))
    if parameter.size is not None and len(parameter.size) == 2:
        rows, columns = (_whole(size, env) for size in parameter.size)
        return [[on_grid(source.randrange(points)) for _ in range(columns)] for _ in range(rows)]
    count = source.choice(parameter.sizes) if parameter.sizes else _whole(parameter.size[0], env)  # type: ignore[index]
    if parameter.distinct and count > points:
        raise FormulaError(f"{parameter.name} asks for {count} different numbers out of {points}")
    places = (
        source.sample(range(points), count) if parameter.distinct else [source.randrange(points) for _ in range(count)]
    )
    return [on_grid(k) for k in (sorted(places) if parameter.ascending else places)]


def _computed(parameter: Parameter, env: Env) -> Any:
    if parameter.formula is None:
        raise FormulaError(f"{parameter.name} has no formula")
    with np.errstate(all="ignore"):
        value = np.asarray(parameter.formula(env), dtype=float)[0]
    decimals = round(-math.log10(parameter.grid))
    rounded = np.sign(value) * np.floor(np.abs(value) * 10.0**decimals + 0.5) / 10.0**decimals + 0.0
    if not np.isfinite(rounded).all():
        raise FormulaError(f"{parameter.name} is not finite")
    if parameter.type == "number":
        single = float(rounded[0])
        return int(single) if decimals == 0 or single == int(single) else round(single, decimals)
    return [[round(float(x), decimals) for x in row] for row in rounded] if rounded.ndim > 1 else [
        round(float(x), decimals) for x in rounded
    ]  # fmt: skip


def _scalar(formula: Formula | None, env: Env) -> float:
    if formula is None:
        raise FormulaError("a formula is missing")
    with np.errstate(all="ignore"):
        value = float(np.asarray(formula(env)).flat[0])
    if not math.isfinite(value):
        raise FormulaError(f"{formula.text} is not finite")
    return value


def _whole(formula: Formula | None, env: Env) -> int:
    value = _scalar(formula, env)
    if value != int(value) or not 0 <= value <= MAX_ENTRIES:
        raise FormulaError(f"a size must be a whole number from 0 to {MAX_ENTRIES}, not {value:g}")
    return int(value)


def _checked(parameter: Parameter, value: Any, drawing: _Drawing) -> Any:
    name = parameter.name
    match parameter.type:
        case "number":
            return _checked_number(name, value)
        case "integer":
            number = _checked_number(name, value)
            if number != int(number):
                raise ParameterError(f"{name} must be a whole number")
            if parameter.of and not 0 <= number < drawing.env[parameter.of].shape[1]:
                raise ParameterError(f"{name} must be a place in {parameter.of}, from 0")
            return int(number)
        case "text":
            return _checked_text(name, value)
        case "texts":
            return [_checked_text(name, item) for item in _checked_list(name, value)]
        case "vector":
            numbers = [_checked_number(name, item) for item in _checked_list(name, value)]
            _check_size(parameter, (len(numbers),), drawing.env)
            return numbers
        case "matrix":
            rows = [[_checked_number(name, x) for x in _checked_list(name, row)] for row in _checked_list(name, value)]
            if len({len(row) for row in rows}) != 1:
                raise ParameterError(f"the rows of {name} must be of one length")
            _check_size(parameter, (len(rows), len(rows[0])), drawing.env)
            return rows


def _checked_number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ParameterError(f"{name} must be given as a number")
    if not abs(value) <= MAX_NUMBER:
        raise ParameterError(f"{name} must be a finite number up to {MAX_NUMBER:g}")
    return value


def _checked_text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_WORD:
        raise ParameterError(f"{name} must be given as text of up to {MAX_WORD} characters")
    return value


def _checked_list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) > MAX_ENTRIES:
        raise ParameterError(f"{name} must be given as a list of at most {MAX_ENTRIES} entries")
    return value


def _check_size(parameter: Parameter, found: tuple[int, ...], env: Env) -> None:
    """A size that follows from other parameters must be kept; one that is only a number may be another by hand."""
    for formula, size in zip(parameter.size or (), found, strict=False):
        if formula.names and _scalar(formula, env) != size:
            raise ParameterError(f"{parameter.name} must have {_scalar(formula, env):g} entries, not {size}")
