"""The figure of a variant as plain numbers; what depends on a step stays out until that step is right."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader import graph
from grader.graph import Problem
from grader.sampling import read_parameters
from grader.solution import lanes_of
from grader.template import Drawn, Words


@dataclass(frozen=True)
class Figure:
    """A figure to be drawn: ``kind`` is tokens, bars, embeddings, vectors, funnel or loss-curve; ``data`` is plain."""

    kind: str
    data: Mapping[str, Any]


def figure_data(problem: Problem, parameters: Mapping[str, Any], revealed: Collection[str]) -> Figure | None:
    """The figure of a variant for a learner who has the ``revealed`` steps right; None if there is none, or not yet.

    A funnel whose sizes are asked is not drawn before they are right. Raises ParameterError.
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
                values[role] = np.asarray(formula(env), dtype=float)[0].tolist()
    if figure.kind == "funnel" and not {"inputs", "outputs"} <= values.keys():
        return None
    return Figure(figure.kind, _MAKERS[figure.kind](figure, drawn, values))


#: The parts of a figure that may tell an answer, and so wait for ``reveal``.
_TELLING = ("bars", "curve", "mask", "random", "kept")


def _labels(figure: graph.Figure, drawn: Drawn) -> list[str]:
    if figure.labels is None:
        return []
    if isinstance(figure.labels, Words):
        return list(figure.labels.of(drawn))
    return [label.fill(drawn) for label in figure.labels]


def _tokens(figure: graph.Figure, drawn: Drawn, values: Mapping[str, list[Any]]) -> dict[str, Any]:
    marks = {
        int(slot): role
        for role in ("special", "kept", "random", "mask")
        for slot in values.get(role, [])
        if np.isfinite(slot)
    }
    return {"tokens": list(figure.tokens.of(drawn)) if figure.tokens else [], "marks": marks, "first": 1}


def _bars(figure: graph.Figure, drawn: Drawn, values: Mapping[str, list[Any]]) -> dict[str, Any]:
    highlight = values.get("highlight")
    return {
        "labels": _labels(figure, drawn),
        "values": values.get("bars"),
        "highlight": int(highlight[0]) if highlight and np.isfinite(highlight[0]) else None,
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
    return {**sizes, "labels": _labels(figure, drawn), "activation": figure.activation}


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
