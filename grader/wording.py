"""What a variant says: its statement, the boxes to fill in, hints, the rounding expected, and the worked solution.

All of it is read off the solution graph; the author writes a rule once. Texts are Markdown with ``$TeX$``.
"""

import hashlib
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from grader.answers import asked_step, labels_of, options_of, read_step
from grader.functions import Array
from grader.graph import Problem, Step
from grader.picture import Figure, figure_data
from grader.sampling import read_parameters
from grader.solution import UNDEFINED, lanes_of, plain_value
from grader.syntax import inlined
from grader.template import Drawn, number_text
from grader.tex import Values, numeric, settled, symbolic

__all__ = [
    "Field",
    "Figure",
    "WorkedSolution",
    "WorkedStep",
    "fields",
    "figure_data",
    "forecast",
    "hints",
    "rounded_text",
    "rounding_note",
    "statement",
    "verified",
    "worked_solution",
]


@dataclass(frozen=True)
class Field:
    """How one asked step is put to the learner; nothing in it depends on the key."""

    step: str
    kind: str
    ask: str
    labels: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    size: int
    undefined: bool
    optional: bool
    weight: Fraction
    symbol: str
    unit: str
    digits: int


@dataclass(frozen=True)
class WorkedStep:
    """One line of the worked solution: the rule, the rule with numbers, the value; TeX, empty where there is none.

    ``text`` is Markdown: the chosen option or the accepted text of a step whose value is no number.
    """

    step: str
    ask: str
    formula: str
    numbers: str
    value: str
    text: str = ""


@dataclass(frozen=True)
class WorkedSolution:
    """The worked solution: its steps, and the lines that verify it with whether they hold."""

    steps: tuple[WorkedStep, ...]
    checks: tuple[tuple[str, bool], ...]


def statement(problem: Problem, parameters: Mapping[str, Any]) -> str:
    """The statement with the drawn numbers in it. Raises ParameterError."""
    return problem.statement.fill(read_parameters(problem, parameters))


def forecast(problem: Problem, parameters: Mapping[str, Any]) -> str:
    """The question asked before the first step, never graded; empty if there is none. Raises ParameterError."""
    return problem.forecast.fill(read_parameters(problem, parameters)) if problem.forecast else ""


def fields(problem: Problem, parameters: Mapping[str, Any]) -> list[Field]:
    """The boxes of a variant, in order. Raises ParameterError."""
    drawn = read_parameters(problem, parameters)
    values = lanes_of(problem, drawn).values
    return [
        Field(
            step=step.name,
            kind=step.kind,
            ask=step.ask.fill(drawn) if step.ask else "",
            labels=labels_of(step, drawn),
            options=_in_order_shown(step, drawn),
            size=values[step.name].shape[-1] if step.kind == "vector" else 1,
            undefined=step.undefined,
            optional=step.optional,
            weight=step.weight,
            symbol=step.symbol,
            unit="%" if step.unit == "percent" else "",
            digits=step.digits,
        )
        for step in problem.asked
    ]


def _in_order_shown(step: Step, drawn: Drawn) -> tuple[tuple[str, str], ...]:
    """Options in the order shown: it follows from the variant's numbers, so that no place is right more often."""
    options = list(options_of(step, drawn))
    if step.shuffle and options:
        canon = json.dumps([step.name, drawn.values], sort_keys=True)
        random.Random(hashlib.sha256(canon.encode()).hexdigest()).shuffle(options)  # noqa: S311 - not secret
    return tuple(options)


def rounding_note(problem: Problem, step_name: str) -> str:
    """What rounding a step expects, in words; it tells nothing about the value. Empty for steps that are exact."""
    step = asked_step(problem, step_name)
    if not step.rounded:
        return ""
    return (
        f"Work with at least {problem.working} significant digits and give at least {step.digits}. "
        "Round to those at the end, once: what is accepted is worked out from this rounding."
    )


def _show_number(decimals: Mapping[str, int], digits: int) -> Any:
    def show(name: str, value: float) -> str:
        if name in decimals:
            return number_text(value, decimals[name], math=True)
        return rounded_text(value, digits)

    return show


def rounded_text(value: float, digits: int) -> str:
    """A value at so many significant digits as TeX; whole numbers and shorter decimals as they are."""
    if not np.isfinite(value):
        return rf"\text{{{UNDEFINED}}}" if np.isnan(value) else (r"\infty" if value > 0 else r"-\infty")
    value = float(f"{value:.12g}")  # without the dust of floating point: 0.1 + 0.2 is 0.3
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    rounded = float(f"{value:.{digits - 1}e}")  # 9.9996 has its first digit one place further left at four digits
    magnitude = int(np.floor(np.log10(abs(rounded))))
    if magnitude < -5 or magnitude > 12:
        mantissa = number_text(float(f"{rounded / 10.0**magnitude:.{digits - 1}f}"), math=True)
        return rf"{mantissa} \cdot 10^{{{magnitude}}}"
    decimals = digits - 1 - magnitude
    text = f"{rounded:.{decimals}f}" if decimals > 0 else f"{value:.0f}"
    return number_text(value, math=True) if float(text) == value else text


def _symbols(problem: Problem) -> dict[str, str]:
    named = {p.name: p.symbol or _plain_symbol(p.name) for p in problem.parameters}
    return named | {step.name: step.symbol for step in problem.steps}


def _plain_symbol(name: str) -> str:
    return name if len(name) == 1 else rf"\text{{{name.replace('_', ' ')}}}"


def _decimals(problem: Problem) -> dict[str, int]:
    return {p.name: p.decimals for p in problem.parameters if p.type not in ("text", "texts")}


def hints(
    problem: Problem,
    parameters: Mapping[str, Any],
    step_name: str,
    given: Mapping[str, str | Sequence[str]],
    locale: str = "en",
) -> list[str]:
    """Hints to one step, from gentle to strong: the author's word, the rule, the rule with the learner's own numbers.

    ``given`` are the learner's answers; an earlier step that was not answered stays a letter, so that no hint tells the
    key of this or of an earlier step. Raises ParameterError, AnswerError.
    """
    drawn = read_parameters(problem, parameters)
    step = asked_step(problem, step_name)
    found = [step.hint.fill(drawn)] if step.hint else []
    if step.formula is None or step.kind not in ("number", "vector", "count") or not step.formula.names:
        return found
    return found + _rule_hints(problem, step, drawn, given, locale)


def _rule_hints(
    problem: Problem, step: Step, drawn: Drawn, given: Mapping[str, str | Sequence[str]], locale: str
) -> list[str]:
    """The rule of a step, and the rule with the numbers that its learner has."""
    if step.formula is None:
        return []
    # A step that is never asked stands nowhere on the page: its rule stands in its place.
    hidden = {s.name: s.formula.node for s in problem.steps if s.ask is None and s.formula is not None}
    node = inlined(step.formula.node, hidden) or step.formula.node
    symbols = _symbols(problem)
    values = lanes_of(problem, drawn).values
    put_in: list[str] = []
    show = _show_number(_decimals(problem), problem.working)

    def counted(name: str, value: float) -> str:
        put_in.append(show(name, value))
        return put_in[-1]

    known = Values(_known_numbers(problem, step, drawn, given, locale), symbols, counted)
    node = settled(node, known)
    rule = symbolic(node, symbols)
    with_numbers = numeric(node, known, values[step.name].shape[-1])
    reached = problem.steps[: problem.steps.index(step) + 1]
    secrets = [values[s.name][0, 0] for s in reached if s.ask and (s is step or s.name not in given)]
    found = [_set(f"{step.symbol} = {rule}")]
    if put_in and not _tells(with_numbers, rule, put_in, secrets):
        found.append(_set(f"{step.symbol} = {with_numbers}"))
    return found


def _set(tex: str) -> str:
    """A formula within a line, its fractions as large as on a line of their own."""
    return rf"$\displaystyle {tex}$" if r"\frac" in tex else f"${tex}$"


def _known_numbers(
    problem: Problem, step: Step, drawn: Drawn, given: Mapping[str, str | Sequence[str]], locale: str
) -> dict[str, Array]:
    """The numbers of the page, and those that the learner gave at other steps."""
    values = lanes_of(problem, drawn).values
    arrays = {name: array[0] for name, array in drawn.env.items() if array.ndim > 1}
    for name, typed in given.items():
        earlier = next((s for s in problem.steps if s.name == name), None)
        if earlier is None or name == step.name:
            continue
        reading = read_step(earlier, drawn, typed, values[name].shape[-1], locale)
        if reading.status == "read" and isinstance(reading.value, float | tuple):
            arrays[name] = np.atleast_1d(np.asarray(reading.value, dtype=float))
    return arrays


_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


def _tells(tex: str, rule: str, put_in: Sequence[str], keys: Sequence[Array]) -> bool:
    """Whether the text holds a key (the last one: the step's own) that is still to be found.

    It does if the rule only reads its numbers off, or if a number stands there that was worked out, such as a count.
    Other numbers of the rule, and those put in, are known already.
    """
    shown = [float(text) for text in _plain(put_in)]
    if len(shown) == len(keys[-1]) and np.allclose(shown, keys[-1], rtol=1e-9, atol=0):
        return True
    known = {float(text) for text in _NUMBER.findall(rule)} | {abs(number) for number in shown}
    fresh = {float(text) for text in _NUMBER.findall(tex)} - known
    return any(abs(number - abs(float(entry))) <= 1e-9 for number in fresh for key in keys for entry in key)


def _plain(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if re.fullmatch(r"-?[\d.]+", text)]


def worked_solution(problem: Problem, parameters: Mapping[str, Any]) -> WorkedSolution:
    """Every step's rule, its rule with numbers, its value, and the lines that verify it. Raises ParameterError."""
    drawn = read_parameters(problem, parameters)
    lanes = lanes_of(problem, drawn)
    arrays = {name: array[0] for name, array in drawn.env.items() if array.ndim > 1}
    arrays |= {name: value[0, 0] for name, value in lanes.values.items()}
    shown = Values(arrays, _symbols(problem), _show_number(_decimals(problem), problem.working))
    steps = tuple(_worked_step(problem, step, drawn, shown) for step in problem.steps)
    return WorkedSolution(steps, verified(problem, parameters))


def verified(problem: Problem, parameters: Mapping[str, Any]) -> tuple[tuple[str, bool], ...]:
    """The lines that close the worked solution, each with whether it holds. Raises ParameterError."""
    drawn = read_parameters(problem, parameters)
    env = dict(drawn.env) | {name: value[0] for name, value in lanes_of(problem, drawn).values.items()}
    known = Drawn(drawn.values, env, drawn.texts)
    with np.errstate(all="ignore"):
        return tuple((says.fill(known), bool(np.all(holds(env)))) for holds, says in problem.verify)


def _worked_step(problem: Problem, step: Step, drawn: Drawn, shown: Values) -> WorkedStep:
    ask = step.ask.fill(drawn) if step.ask else ""
    value = shown.arrays[step.name]
    if step.formula is None or step.kind in ("choice", "choices"):
        formula, numbers = "", ""
        earlier = {other.name for other in problem.steps}
        # What only reads hidden places off the parameters would mean nothing to the reader.
        if step.formula is not None and step.kind == "choice" and step.formula.names & earlier:
            formula = symbolic(step.formula.node, shown.symbols)
        return WorkedStep(step.name, ask, formula, numbers, "", _choice_text(step, drawn, value))
    node = settled(step.formula.node, shown)
    formula = symbolic(node, shown.symbols)
    numbers = numeric(node, shown, len(value))
    if formula.replace("\\,", "") == step.symbol:
        formula = ""
    entries = [rounded_text(float(entry), problem.working) for entry in value]
    text = entries[0] if len(entries) == 1 else r"\left(" + r",\; ".join(entries) + r"\right)"
    if step.kind == "shape":
        text = r" \times ".join(entries)
    if step.kind == "shape":
        # The sizes stand in the problem; the letters of its parameters do not.
        formula = numbers = ""
    if numbers == formula or _bare(numbers) == _bare(text):
        numbers = ""
    return WorkedStep(step.name, ask, formula if formula != text else "", numbers, text)


def _bare(tex: str) -> str:
    """Numbers without zeros at their ends: a rule that only reads them off has nothing to show."""
    return re.sub(r"\d+\.\d+", lambda number: number.group().rstrip("0").rstrip("."), tex)


def _choice_text(step: Step, drawn: Drawn, value: Array) -> str:
    chosen = plain_value(step, drawn, value)
    if step.kind == "text":
        return str(chosen)
    texts = dict(options_of(step, drawn))
    keys = chosen if isinstance(chosen, list) else [chosen]
    return "; ".join(texts.get(key, "") for key in keys)
