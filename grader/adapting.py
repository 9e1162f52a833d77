"""The same problem, narrower: fewer values to draw from and other digits, for the place where it is used.

Whatever an adapted problem draws, the original could have drawn. Only the characters that say so are changed.
"""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.errors import Fault, ProblemError
from grader.file_model import DigitsFile
from grader.formula import Formula
from grader.graph import Parameter, Problem
from grader.problem import load
from grader.rewriting import rewritten, same
from grader.source import Path, read_source

#: No answer is asked for with fewer significant digits.
LEAST_DIGITS = 2
_ON_GRID = 1e-6


class AdaptError(ProblemError):
    """An adaptation that the problem does not allow; ``where`` names the parameter, or is empty for the digits."""

    def __init__(self, where: str, message: str, *, within: str = "parameters") -> None:
        super().__init__([Fault(1, f"{within}.{where}" if where else "digits", message)])
        self.where = where
        self.message = message

    def __str__(self) -> str:
        return f"{self.where or 'digits'}: {self.message}"


@dataclass(frozen=True)
class Adjustable:
    """What may be narrowed of one parameter; an end, a count or sizes that follow from a formula are not offered.

    low, high, step  of a range          values  of a pick, each once
    words, count     of a choose         sizes   lengths that may be asked for
    """

    name: str
    symbol: str
    source: str
    low: float | None = None
    high: float | None = None
    step: float = 1
    values: tuple[Any, ...] = ()
    words: tuple[str, ...] = ()
    count: int | None = None
    sizes: tuple[int, ...] = ()


def adjustable(problem: Problem) -> list[Adjustable]:
    """What a form may offer of each parameter, in the order of the file; parameters without anything are left out."""
    return [offer for offer in map(_offer, problem.parameters) if offer is not None]


def digits_allowed(problem: Problem) -> tuple[int, int]:
    """The fewest and the most significant digits that may be asked for."""
    return LEAST_DIGITS, min(problem.working, 8)


def adapted(
    source: str, *, parameters: Mapping[str, Mapping[str, Any]] | None = None, digits: int | None = None
) -> str:
    """The text of the same problem narrowed, all else byte for byte as it was.

    ``parameters`` gives for a name any of ``range: [low, high]`` (None leaves an end), ``step`` (a multiple of its
    own), ``pick`` and ``from`` (some of its values or words), ``choose`` and ``size`` (no more than now). ``digits`` is
    what steps ask for that say nothing else themselves. Raises AdaptError for what the problem does not allow, and
    ProblemError if the source, or what came out, is no problem.
    """
    problem = load(source)
    edits: dict[Path, Any] = {}
    if not isinstance(parameters or {}, Mapping):
        raise AdaptError("parameters", "say for each parameter by its name what is narrowed")
    for name, wanted in (parameters or {}).items():
        edits |= _narrower(problem, name, wanted)
    if digits is not None:
        edits |= _digits(problem, digits, read_source(source).data.get("digits"))
    text = rewritten(source, edits)
    load(text)
    return text


def _digits(problem: Problem, digits: int, written: Mapping[str, Any] | None) -> dict[Path, Any]:
    least, most = digits_allowed(problem)
    if isinstance(digits, bool) or not isinstance(digits, int) or not least <= digits <= most:
        raise AdaptError("", f"ask for {least} to {most} significant digits: {problem.working} are worked with")
    if digits == (written or {}).get("answer", DigitsFile().answer):
        return {}
    return {("digits",): {"answer": digits}} if written is None else {("digits", "answer"): digits}


def _offer(parameter: Parameter) -> Adjustable | None:
    name, symbol = parameter.name, parameter.symbol
    match parameter.source:
        case "range":
            low, high, sizes = _constant(parameter.low), _constant(parameter.high), _sizes(parameter)
            low, high = (low, high) if low is not None else (None, None)
            if low is None and len(sizes) < 2:
                return None
            return Adjustable(name, symbol, "range", low=low, high=high, step=parameter.grid, sizes=sizes)
        case "pick":
            values = _once(parameter.values)
            return Adjustable(name, symbol, "pick", values=values) if len(values) > 1 else None
        case "choose":
            count = _constant(parameter.count)
            return Adjustable(
                name, symbol, "choose", words=parameter.words, count=None if count is None else round(count)
            )
    return None


def _sizes(parameter: Parameter) -> tuple[int, ...]:
    if parameter.sizes:
        return tuple(sorted(set(parameter.sizes)))
    if parameter.size is None or len(parameter.size) != 1:
        return ()
    most = _constant(parameter.size[0])
    return () if most is None or most < 1 else tuple(range(1, round(most) + 1))


def _constant(formula: Formula | None) -> float | None:
    """The value of a formula that refers to nothing; None for others."""
    if formula is None or formula.names:
        return None
    value = float(formula({}).flat[0])
    return value if math.isfinite(value) else None


def _once(values: Sequence[Any]) -> tuple[Any, ...]:
    found: list[Any] = []
    for value in values:
        if not any(same(value, other) for other in found):
            found.append(value)
    return tuple(found)


def _narrower(problem: Problem, name: str, wanted: Mapping[str, Any]) -> dict[Path, Any]:
    parameter = next((one for one in problem.parameters if one.name == name), None)
    if parameter is None:
        known = ", ".join(one.name for one in problem.parameters)
        raise AdaptError(name, f"there is no such parameter; there are {known or 'none'}")
    if not isinstance(wanted, Mapping):
        raise AdaptError(name, "say what is narrowed, such as range: [1, 3]")
    edits: dict[Path, Any] = {}
    for key, value in wanted.items():
        if key not in _NARROWERS or key not in _KEYS.get(parameter.source, ()):
            offered = ", ".join(_KEYS.get(parameter.source, ()))
            raise AdaptError(name, f"{key} cannot be narrowed here{f'; what can be is {offered}' if offered else ''}")
        edits |= {("parameters", name, *path): found for path, found in _NARROWERS[key](parameter, value, wanted)}
    return edits


_Found = list[tuple[Path, Any]]


def _range(parameter: Parameter, value: Any, _wanted: Mapping[str, Any]) -> _Found:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise AdaptError(parameter.name, "a range has a lowest and a highest value")
    ends = [_constant(parameter.low), _constant(parameter.high)]
    found: _Found = []
    for place, (new, old) in enumerate(zip(value, ends, strict=True)):
        if new is None:
            continue
        number = _number(parameter, new)
        if old is None or ends[0] is None:
            raise AdaptError(parameter.name, f"its {('lowest', 'highest')[place]} value follows from a formula")
        if old == number:
            continue
        if (number - old) * (1, -1)[place] < -_ON_GRID * parameter.grid:
            raise AdaptError(parameter.name, f"stay within {_shown(ends)}: {new} lies outside")
        steps = (number - ends[0]) / parameter.grid
        if abs(steps - round(steps)) > _ON_GRID:
            raise AdaptError(parameter.name, f"{new} is none of its values, which lie {parameter.grid:g} apart")
        found.append((("range", place), round(number, 10)))
    low, high = (old if new is None else float(new) for new, old in zip(value, ends, strict=True))
    if low is not None and high is not None and low > high:
        raise AdaptError(parameter.name, "the lowest value lies above the highest")
    return found


def _step(parameter: Parameter, value: Any, _wanted: Mapping[str, Any]) -> _Found:
    times = _number(parameter, value) / parameter.grid
    if not math.isfinite(times) or times < 1 - _ON_GRID or abs(times - round(times)) > _ON_GRID:
        raise AdaptError(parameter.name, f"its values lie {parameter.grid:g} apart: give a multiple of that")
    return [] if round(times) == 1 else [(("step",), round(round(times) * parameter.grid, 10))]


def _pick(parameter: Parameter, value: Any, _wanted: Mapping[str, Any]) -> _Found:
    chosen = _some(parameter, value, parameter.values, "values")
    kept = [old for old in parameter.values if any(same(old, new) for new in chosen)]
    return [] if len(kept) == len(parameter.values) else [(("pick",), kept)]


def _from(parameter: Parameter, value: Any, wanted: Mapping[str, Any]) -> _Found:
    chosen = _some(parameter, value, parameter.words, "words")
    kept = [word for word in parameter.words if word in chosen]
    count = wanted.get("choose", _constant(parameter.count))
    if isinstance(count, int | float) and len(kept) < count:
        raise AdaptError(parameter.name, f"leave at least {count:g} words, as many as are chosen")
    return [] if len(kept) == len(parameter.words) else [(("from",), kept)]


def _choose(parameter: Parameter, value: Any, _wanted: Mapping[str, Any]) -> _Found:
    most = _constant(parameter.count)
    if most is None:
        raise AdaptError(parameter.name, "how many are chosen follows from a formula")
    if not _is_whole(value) or not 1 <= value <= most:
        raise AdaptError(parameter.name, f"choose 1 to {most:g} words")
    return [] if value == most else [(("choose",), value)]


def _size(parameter: Parameter, value: Any, _wanted: Mapping[str, Any]) -> _Found:
    allowed = _sizes(parameter)
    if not allowed:
        raise AdaptError(parameter.name, "its size follows from other parameters")
    chosen = list(value) if isinstance(value, list | tuple) else [value]
    if not chosen or not all(_is_whole(size) and size in allowed for size in chosen):
        raise AdaptError(parameter.name, f"its size is one of {', '.join(map(str, allowed))}")
    if parameter.sizes:
        kept = [size for size in parameter.sizes if size in chosen]
        return [] if len(kept) == len(parameter.sizes) else [(("size", "pick"), kept)]
    if len(set(chosen)) > 1:
        return [(("size",), {"pick": sorted(set(chosen))})]
    return [] if chosen[0] == allowed[-1] else [(("size",), chosen[0])]


_KEYS = {"range": ("range", "step", "size"), "pick": ("pick",), "choose": ("choose", "from")}
_NARROWERS: dict[str, Callable[[Parameter, Any, Mapping[str, Any]], _Found]] = {
    "range": _range, "step": _step, "size": _size, "pick": _pick, "choose": _choose, "from": _from,
}  # fmt: skip


def _some(parameter: Parameter, value: Any, known: Sequence[Any], what: str) -> list[Any]:
    if not isinstance(value, list | tuple) or not value:
        raise AdaptError(parameter.name, f"leave at least one of its {what}")
    for new in value:
        if not any(same(new, old) for old in known):
            raise AdaptError(parameter.name, f"{new} is none of its {what}")
    return list(value)


def _number(parameter: Parameter, value: Any) -> float:
    # Whole numbers may be larger than a float: those are compared before they are converted.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise AdaptError(parameter.name, f"{str(value)[:40]} is no number that can be drawn")
    return float(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shown(ends: Sequence[float | None]) -> str:
    low, high = ("its formula" if end is None else f"{end:g}" for end in ends)
    return f"{low} to {high}"
