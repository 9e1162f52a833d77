"""The figure of a variant as plain numbers; what depends on a step stays out until that step is right."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader import graph
from grader.answers import words_of
from grader.errors import FormulaError, ParameterError
from grader.formula import Env, Formula
from grader.graph import Problem
from grader.sampling import read_parameters
from grader.solution import lanes_of
from grader.template import Drawn

#: No head is drawn with more inputs or outputs than this.
MAX_SIZE = 1_000_000


@dataclass(frozen=True)
class Figure:
    """A figure to be drawn: ``kind`` is tokens, bars, embeddings, vectors, funnel or loss-curve; ``data`` is plain."""

    kind: str
    data: Mapping[str, Any]


def figure_data(problem: Problem, parameters: Mapping[str, Any], revealed: Collection[str]) -> Figure | None:
    """The figure of a variant for a learner who has the ``revealed`` steps right; None if there is none, or not yet.

    A funnel whose sizes are asked is not drawn before they are right. Raises ParameterError, also for numbers of which
    no figure can be drawn (``check`` finds those).
    """
    figure = problem.figure
    if figure is None:
        return None
    drawn = read_parameters(problem, parameters)
    env = dict(drawn.env)
    steps = {step.name for step in problem.steps}
    if any(formula.names & steps for formula in figure.formulas.values()):
        env |= {name: value[0] for name, value in lanes_of(problem, drawn).values.items()}
    values: dict[str, list[Any]] = {}
    with np.errstate(all="ignore"):
        for role, formula in figure.formulas.items():
            # A value of the figure waits for the step that reveals it, and for every step that it is made from.
            waits = (formula.names & steps) | ({figure.reveal} if figure.reveal and role in _TELLING else set())
            if waits <= set(revealed):
                values[role] = _drawable(role, formula, env)
    if figure.kind == "funnel" and not {"inputs", "outputs"} <= values.keys():
        return None
    return Figure(figure.kind, _MAKERS[figure.kind](figure, drawn, values))


def _drawable(role: str, formula: Formula, env: Env) -> list[Any]:
    """The numbers of one part of a figure. Raises ParameterError if a size does not fit, or they are not finite."""
    try:
        value = np.asarray(formula(env), dtype=float)[0]
    except FormulaError as error:
        raise ParameterError(f"the figure cannot be drawn: {error.message}") from error
    if not np.isfinite(value).all():
        raise ParameterError(f"the figure cannot be drawn: {formula.text} is not finite")
    if role in ("inputs", "outputs") and not (0 < value[0] <= MAX_SIZE and value[0] == int(value[0])):
        raise ParameterError(f"the figure cannot be drawn: {formula.text} is no size")
    return list(value.tolist())


#: The parts of a figure that may tell an answer, and so wait for ``reveal``.
_TELLING = ("bars", "curve", "mask", "random", "kept")


def _tokens(figure: graph.Figure, drawn: Drawn, values: Mapping[str, list[Any]]) -> dict[str, Any]:
    marks = {int(slot): role for role in ("special", "kept", "random", "mask") for slot in values.get(role, [])}
    return {"tokens": list(figure.tokens.of(drawn)) if figure.tokens else [], "marks": marks, "first": 1}


def _bars(figure: graph.Figure, drawn: Drawn, values: Mapping[str, list[Any]]) -> dict[str, Any]:
    highlight = values.get("highlight")
    labels = words_of(figure.labels, drawn)
    if "bars" in values and len(values["bars"]) != len(labels):
        raise ParameterError(f"the figure cannot be drawn: {len(labels)} labels for {len(values['bars'])} bars")
    return {
        "labels": list(labels),
        "values": values.get("bars"),
        "highlight": int(highlight[0]) if highlight else None,
    }


def _named(prefix: str, values: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    return [
        {"name": role.removeprefix(prefix), "values": value}
        for role, value in values.items()
        if role.startswith(prefix)
    ]


def _embeddings(_figure: graph.Figure, _drawn: Drawn, values: Mapping[str, list[Any]]) -> dict[str, Any]:
    return {"rows": _named("embeddings.", values)}


def _vectors(figure: graph.Figure, _drawn: Drawn, values: Mapping[str, list[Any]]) -> dict[str, Any]:
    matrix = {"name": figure.matrix_name, "rows": values["matrix"]} if "matrix" in values else None
    return {"vectors": _named("vectors.", values), "matrix": matrix}


def _funnel(figure: graph.Figure, drawn: Drawn, values: Mapping[str, list[Any]]) -> dict[str, Any]:
    sizes = {role: int(values[role][0]) for role in ("inputs", "outputs")}
    return {**sizes, "labels": list(words_of(figure.labels, drawn)), "activation": figure.activation}


def _curve(_figure: graph.Figure, _drawn: Drawn, values: Mapping[str, list[Any]]) -> dict[str, Any]:
    p = values.get("curve", [None])[0]
    loss = -float(np.log(p)) if p is not None and 0 < p <= 1 else None
    return {"p": p, "loss": loss, "label": ""}


_MAKERS = {
    "tokens": _tokens,
    "bars": _bars,
    "embeddings": _embeddings,
    "vectors": _vectors,
    "funnel": _funnel,
    "loss-curve": _curve,
}
