"""Separation: whether in one variant no named mistake could pass for the right answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np

from grader.allowance import allowances, half_unit
from grader.errors import FormulaError
from grader.evaluation import NOISE, Table, differs, evaluate, scales, spread, without_noise
from grader.functions import Array
from grader.graph import Problem, Step
from grader.template import Drawn

#: A key whose allowance is a larger share of it than this says too little (a saturated sigmoid, a probability near 1).
WIDEST = 0.02


#: A candidate is looked at more closely if it is nearer to a value than this share of the larger of both and half a
#: unit of its last digit, or than this share of the largest number it is made from: what rounding does to a difference
#: goes by its operands.
NEAR = 0.25
NEAR_OPERANDS = 0.05


@dataclass(frozen=True)
class Lanes:
    """All roads through one batch of variants, the key on lane 0.

    ``values`` (L, B, n) of every step; ``allowances`` (L, B, n) of the rounded ones, NaN on lanes where they were not
    worked out. By the columns of the values go ``scales`` (B, R), ``differing`` (L, B, R), where a lane is another
    value than the key, and ``units`` (L, B, R), half a unit of the last digit asked for.
    """

    values: Table
    allowances: Table
    scales: Array
    differing: Array
    units: Array

    def active(self, problem: Problem, lane: int) -> Array:
        """For each row, whether the mistake of a lane gives something else than the key at a step it replaces."""
        names = problem.mistakes[lane - 1].formulas
        found = [self.differing[lane][:, self.values.places[name]].any(axis=-1) for name in names]
        return np.asarray(np.logical_or.reduce(found)) if found else np.zeros(1, dtype=bool)


def all_lanes(problem: Problem, env: Mapping[str, Array], rows: int = 1, *, only_near: bool = False) -> Lanes:
    """Every lane of a batch of variants; with ``only_near`` allowances only of the key and what lies near it anywhere.

    Raises FormulaError if the sizes of the parameters do not fit.
    """
    lanes = problem.mistakes
    values = spread(evaluate(problem, env, lanes), len(lanes) + 1, rows)
    scale = scales(problem, env, values)
    values = without_noise(values, scale)
    differing = differs(values.together, values.together[:1])
    units = half_units(problem, values)
    if not only_near:
        return Lanes(values, allowances(problem, env, lanes, values), scale, differing, units)
    near = is_near(problem, values.together[0], values, units + units[0]) & differing
    wanted: Array = np.asarray(near[..., rounded_columns(problem, values)].any(axis=(1, 2)))
    wanted[0] = True
    picked = np.flatnonzero(wanted)
    cut = values.alike(values.together[picked])
    found = allowances(problem, env, [lanes[lane - 1] for lane in picked[1:]], cut)
    rooms = found.alike(np.full((len(wanted), *found.together.shape[1:]), np.nan))
    rooms.together[picked] = found.together
    return Lanes(values, rooms, scale, differing, units)


def rounded_columns(problem: Problem, values: Table) -> Array:
    """Which columns hold values that a hand calculation rounds, (R,)."""
    return np.repeat([step.rounded for step in problem.steps], values.widths)


def half_units(problem: Problem, values: Table) -> Array:
    """Half a unit of the last digit asked for, (L, B, R): no allowance is smaller."""
    return half_unit(values.together, np.repeat([step.digits for step in problem.steps], values.widths))


def is_near(problem: Problem, given: Array, values: Table, units: Array, share: float = NEAR) -> Array:
    """Which candidates may match numbers (B, R) at all, (L, B, R): rounding moves no value further than this.

    ``units`` (L, B, R) is how far the last digit alone may move it.
    """
    candidates = values.together
    with np.errstate(all="ignore"):
        distance = np.abs(given - candidates)
        near = distance <= share * np.maximum(np.abs(given), np.abs(candidates)) + units + NOISE
        reach = _magnitudes(problem, values)
        for lane, name, operands in problem.differences:
            if lane is not None and lane >= len(candidates):
                continue
            lanes = slice(None) if lane is None else lane
            here = (lanes, slice(None), values.places[name])
            near[here] |= distance[here] <= reduce(np.fmax, [reach[operand][lanes] for operand in operands])
    return np.asarray(near)


def _magnitudes(problem: Problem, values: Table) -> dict[str, Array]:
    """How far rounding may move a difference of each step that is an operand of one, (L, B, 1)."""
    sizes = NEAR_OPERANDS * np.abs(values.together)
    found = {}
    for name in {operand for _, _, operands in problem.differences for operand in operands}:
        size = sizes[..., values.places[name]]
        found[name] = size if size.shape[-1] == 1 else size.max(axis=-1, keepdims=True, initial=0.0)
    return found


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
    return all_lanes(variant.problem, variant.env, only_near=True)


def variant_lanes(problem: Problem, env: Mapping[str, Array]) -> Lanes:
    """Every lane of one variant. Kept, since a variant that was drawn is soon shown, hinted at and marked."""
    return _kept(_Variant(problem, env))


def unfit_because(problem: Problem, drawn: Drawn) -> str:
    """Why a variant must be drawn again; empty if it is fit."""
    try:
        lanes = variant_lanes(problem, drawn.env)
    except FormulaError as error:
        return error.message
    keys = lanes.values.together[0]
    columns = rounded_columns(problem, lanes.values)
    values, room = lanes.values.together[..., columns], lanes.allowances.together
    with np.errstate(all="ignore"):
        # A zero that nothing was rounded for is exact.
        wide = ~np.isfinite(room[0]) | (room[0] > WIDEST * np.abs(values[0]))
        too_near = lanes.differing[..., columns] & (np.abs(values - values[0]) <= room + room[0])
    if np.isfinite(keys).all() and not wide.any() and not too_near.any():
        return ""
    for step in problem.steps:
        reason = _key_unfit(step, lanes, wide) or _mistake_too_near(problem, step, lanes, too_near)
        if reason:
            return reason
    return ""


def _key_unfit(step: Step, lanes: Lanes, wide: Array) -> str:
    key = lanes.values[step.name][0]
    if not np.isfinite(key).all():
        return "" if step.undefined and np.isnan(key).all() else f"{step.name} is not finite"
    if step.rounded and wide[:, lanes.allowances.places[step.name]].any():
        return f"the allowance of {step.name} is too wide"
    return ""


def _mistake_too_near(problem: Problem, step: Step, lanes: Lanes, too_near: Array) -> str:
    if step.ask is None or not step.rounded:
        return ""
    near = too_near[..., lanes.allowances.places[step.name]].any(axis=(1, 2))
    return f"{problem.mistakes[int(np.argmax(near)) - 1].note} is too near to {step.name}" if near.any() else ""
