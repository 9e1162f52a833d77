"""Separation: whether in one variant no named mistake could pass for the right answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from grader.allowance import allowances
from grader.errors import FormulaError
from grader.evaluation import NOISE, differs, evaluate, scale, spread
from grader.functions import Array
from grader.graph import Problem, Step
from grader.template import Drawn

#: A key whose allowance is a larger share of it than this says too little (a saturated sigmoid, a probability near 1).
WIDEST = 0.02


@dataclass(frozen=True)
class Lanes:
    """All roads through one batch of variants: values and allowances (L, B, n), the key on lane 0."""

    values: Mapping[str, Array]
    allowances: Mapping[str, Array]
    scales: Mapping[str, Array]

    def active(self, problem: Problem, lane: int) -> Array:
        """For each row, whether the mistake of a lane gives something else than the key at a step it replaces."""
        names = problem.mistakes[lane - 1].formulas
        found = [differs(self.values[name][lane], self.values[name][0]).any(axis=-1) for name in names]
        return np.asarray(np.logical_or.reduce(found)) if found else np.zeros(1, dtype=bool)


def all_lanes(problem: Problem, env: Mapping[str, Array], rows: int = 1) -> Lanes:
    """Every lane of a batch of variants. Raises FormulaError if the sizes of the parameters do not fit."""
    lanes = problem.mistakes
    values = spread(evaluate(problem, env, lanes), len(lanes) + 1, rows)
    values = {name: without_noise(problem.step(name), env, values) for name in values}
    scales = {step.name: scale(step, env, values) for step in problem.steps if step.formula is not None}
    return Lanes(values, allowances(problem, env, lanes, values), scales)


class _Variant:
    """One variant as a cache key: the problem and its numbers."""

    def __init__(self, problem: Problem, env: Mapping[str, Array]) -> None:
        self.problem = problem
        self.env = env
        self.key = (problem.digest, tuple((array.shape, array.tobytes()) for array in env.values()))

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Variant) and self.key == other.key


@lru_cache(maxsize=1024)
def _kept(variant: _Variant) -> Lanes:
    return all_lanes(variant.problem, variant.env)


def variant_lanes(problem: Problem, env: Mapping[str, Array]) -> Lanes:
    """Every lane of one variant. Kept, since a variant that was drawn is soon shown, hinted at and marked."""
    return _kept(_Variant(problem, env))


def without_noise(step: Step, env: Mapping[str, Array], values: Mapping[str, Array]) -> Array:
    """The values of a step, with what is only rounding noise of its operands as a plain 0."""
    value = values[step.name]
    if step.formula is None:
        return value
    noisy = np.abs(value) < NOISE * scale(step, env, values)
    return np.where(noisy, 0.0, value) if noisy.any() else value


def unfit_because(problem: Problem, drawn: Drawn) -> str:
    """Why a variant must be drawn again; empty if it is fit."""
    try:
        lanes = variant_lanes(problem, drawn.env)
    except FormulaError as error:
        return error.message
    for step in problem.steps:
        reason = _key_unfit(step, lanes) or _mistake_too_near(problem, step, lanes)
        if reason:
            return reason
    return ""


def _key_unfit(step: Step, lanes: Lanes) -> str:
    key = lanes.values[step.name][0]
    finite = np.isfinite(key)
    if not finite.all():
        return "" if step.undefined and np.isnan(key).all() else f"{step.name} is not finite"
    if step.rounded:
        wide = lanes.allowances[step.name][0] > WIDEST * np.abs(key)
        # A zero that nothing was rounded for is exact.
        if not np.isfinite(lanes.allowances[step.name][0]).all() or wide.any():
            return f"the allowance of {step.name} is too wide"
    return ""


def _mistake_too_near(problem: Problem, step: Step, lanes: Lanes) -> str:
    if step.ask is None or not step.rounded or len(lanes.values[step.name]) == 1:
        return ""
    values, room = lanes.values[step.name], lanes.allowances[step.name]
    with np.errstate(all="ignore"):
        too_near = differs(values[1:], values[:1]) & (np.abs(values[1:] - values[:1]) <= room[1:] + room[:1])
    if not too_near.any():
        return ""
    lane = int(np.argmax(too_near.any(axis=(1, 2))))
    return f"{problem.mistakes[lane].note} is too near to {step.name}"
