"""One variant of a problem as other systems need it: texts, boxes with keys and tolerances, options, what is wrong."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exercises.exchange.pictures import Picture, picture_of
from grader import wording
from grader.answers import options_of
from grader.errors import FormulaError, ParameterError
from grader.graph import Mistake, Problem, Step
from grader.sampling import read_parameters
from grader.separation import Lanes, all_lanes
from grader.template import Drawn


@dataclass(frozen=True)
class Wrong:
    """A number that shows a named mistake: within ``room`` of ``value`` it earns ``credit``; ``says`` is Markdown."""

    value: float
    room: float
    credit: Fraction
    says: str


@dataclass(frozen=True)
class Box:
    """One number to be typed. ``key`` is None where the right answer is *undefined*; ``label`` is Markdown."""

    key: float | None
    room: float
    label: str = ""
    wrongs: tuple[Wrong, ...] = ()


@dataclass(frozen=True)
class Option:
    """One option in the order shown; ``says`` (Markdown) and ``credit`` where choosing it shows a named mistake."""

    text: str
    is_right: bool
    credit: Fraction = Fraction(0)
    says: str = ""


@dataclass(frozen=True)
class Form:
    """A typed text that is taken for right, or that shows a named mistake."""

    text: str
    credit: Fraction
    says: str = ""


@dataclass(frozen=True)
class Part:
    """One asked step. Numbers have ``boxes``, choices ``options``, shapes and texts ``forms``.

    hidden  notes of the named mistakes that no answer here can show by itself, since another one has its value
    """

    step: str
    kind: str
    ask: str
    weight: Fraction
    digits: int
    unit: str
    undefined: bool
    boxes: tuple[Box, ...] = ()
    options: tuple[Option, ...] = ()
    forms: tuple[Form, ...] = ()
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exercise:
    """One variant. Texts are Markdown with ``$TeX$``; ``hints`` are the author's own, by step."""

    seed: int
    parameters: Mapping[str, Any]
    title: str
    statement: str
    forecast: str
    working: int
    parts: tuple[Part, ...]
    picture: Picture | None
    picture_is_cut: bool
    solution: wording.WorkedSolution
    hints: Mapping[str, str]


def exercise_of(problem: Problem, parameters: Mapping[str, Any], seed: int) -> Exercise:
    """The variant with these parameters. Raises ParameterError if it cannot be worked out."""
    drawn = read_parameters(problem, parameters)
    try:
        lanes = all_lanes(problem, drawn.env)
    except FormulaError as error:
        raise ParameterError(error.message) from error
    shown = {field.step: field for field in wording.fields(problem, parameters)}
    at_first = wording.figure_data(problem, parameters, [])
    in_full = wording.figure_data(problem, parameters, [step.name for step in problem.steps])
    return Exercise(
        seed=seed,
        parameters=parameters,
        title=problem.title,
        statement=wording.statement(problem, parameters),
        forecast=wording.forecast(problem, parameters),
        working=problem.working,
        parts=tuple(_part(problem, step, drawn, lanes, shown[step.name]) for step in problem.asked),
        picture=picture_of(at_first),
        picture_is_cut=in_full != at_first,
        solution=wording.worked_solution(problem, parameters),
        hints={step.name: step.hint.fill(drawn) for step in problem.asked if step.hint is not None},
    )


def _part(problem: Problem, step: Step, drawn: Drawn, lanes: Lanes, field: wording.Field) -> Part:
    common: dict[str, Any] = {
        "step": step.name, "kind": step.kind, "ask": field.ask, "digits": step.digits, "unit": field.unit,
        "undefined": step.undefined, "weight": Fraction(0) if step.optional else step.weight,
    }  # fmt: skip
    if step.kind in ("choice", "choices"):
        return Part(**common, options=_options(problem, step, drawn, lanes, field))
    if step.kind in ("shape", "text"):
        return Part(**common, forms=tuple(_forms(problem, step, drawn, lanes)))
    hidden: list[str] = []
    boxes = tuple(
        _box(problem, step, drawn, lanes, entry, field.labels[entry] if field.labels else "", hidden)
        for entry in range(field.size)
    )
    return Part(**common, boxes=boxes, hidden=tuple(dict.fromkeys(hidden)))


def _box(problem: Problem, step: Step, drawn: Drawn, lanes: Lanes, entry: int, label: str, hidden: list[str]) -> Box:
    """One box with its tolerance and the mistakes that lie apart from the key and from each other."""
    key, room = _value(lanes, step, 0, entry)
    taken = [] if math.isnan(key) else [(key, room)]
    wrongs = []
    for lane, mistake in _nearest_first(problem, step):
        value, width = _value(lanes, step, lane, entry)
        if not math.isfinite(value) or not math.isfinite(width) or _is_key(lanes, step, lane, entry):
            continue
        if any(abs(value - other) <= width + beside for other, beside in taken):
            hidden.append(mistake.note)
            continue
        taken.append((value, width))
        wrongs.append(Wrong(value, width, mistake.credit, mistake.says.fill(drawn)))
    return Box(None if math.isnan(key) else key, room, label, tuple(wrongs))


def _value(lanes: Lanes, step: Step, lane: int, entry: int) -> tuple[float, float]:
    """Value and allowance of one entry on one lane; the allowance of what is matched exactly is 0."""
    value = float(lanes.values[step.name][lane, 0, entry]) + 0.0
    room = float(lanes.allowances[step.name][lane, 0, entry]) if step.rounded else 0.0
    return value, room


def _is_key(lanes: Lanes, step: Step, lane: int, entry: int) -> bool:
    return not bool(lanes.differing[lane, 0, lanes.values.places[step.name]][entry])


def _nearest_first(problem: Problem, step: Step) -> Iterator[tuple[int, Mistake]]:
    """The mistakes that may show at a step with their lanes: its own first, then those of the steps before it."""
    order = [each.name for each in problem.steps]
    reached = order[: order.index(step.name) + 1]
    numbered = [(lane, one) for lane, one in enumerate(problem.mistakes, start=1) if one.formulas]
    for name in reversed(reached):
        yield from ((lane, one) for lane, one in numbered if one.step == name)


def _options(problem: Problem, step: Step, drawn: Drawn, lanes: Lanes, field: wording.Field) -> tuple[Option, ...]:
    places = _places(step, drawn, field)
    values = lanes.values[step.name]
    if step.kind == "choices":
        return tuple(
            Option(text, bool(values[0, 0, place] > 0)) for (_, text), place in zip(field.options, places, strict=True)
        )
    found = []
    for (_, text), place in zip(field.options, places, strict=True):
        is_right = float(values[0, 0, 0]) == place
        shown = next(
            (one for lane, one in _nearest_first(problem, step) if float(values[lane, 0, 0]) == place and not is_right),
            None,
        )
        found.append(Option(text, is_right, shown.credit, shown.says.fill(drawn)) if shown else Option(text, is_right))
    return tuple(found)


def _places(step: Step, drawn: Drawn, field: wording.Field) -> list[int]:
    """Where each option that is shown stands in the author's order: by these the values count."""
    keys = [key for key, _ in options_of(step, drawn)]
    return [keys.index(key) for key, _ in field.options]


def _forms(problem: Problem, step: Step, drawn: Drawn, lanes: Lanes) -> Iterator[Form]:
    if step.kind == "text":
        yield from (Form(text, Fraction(1)) for text in step.accept)
        for mistake in step.mistakes:
            yield from (Form(text, mistake.credit, mistake.says.fill(drawn)) for text in mistake.accept)
        return
    key = _sizes(lanes.values[step.name][0, 0])
    seen = {key}
    yield from (Form(text, Fraction(1)) for text in shape_notations(key))
    for lane, mistake in _nearest_first(problem, step):
        sizes = _sizes(lanes.values[step.name][lane, 0])
        if sizes and sizes not in seen:
            seen.add(sizes)
            yield from (Form(text, mistake.credit, mistake.says.fill(drawn)) for text in shape_notations(sizes))


def _sizes(values: Sequence[float]) -> tuple[int, ...]:
    """Whole sizes; empty where one of them is none."""
    return tuple(int(x) for x in values) if all(math.isfinite(x) and x == int(x) for x in values) else ()


def shape_notations(sizes: Sequence[int]) -> list[str]:
    """The ways in which most people write a shape, the plainest first."""
    words = [str(size) for size in sizes]
    if len(words) == 1:
        return [words[0], f"({words[0]})", f"({words[0]},)", f"[{words[0]}]"]
    joined = [" x ".join(words), "x".join(words), " × ".join(words), "×".join(words)]
    commas = [", ".join(words), ",".join(words)]
    return [*joined, *(f"({text})" for text in commas), *(f"[{text}]" for text in commas), *commas]
