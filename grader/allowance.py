"""The rounding allowance: how far a right hand calculation may end from the exact value.

Every earlier intermediate value is moved by half a unit of its last working digit, one at a time, and the effects on a
step are added up; since effects bend, all are also moved together to both ends, and the larger wins. Half a unit of the
last digit asked for comes on top. Parameters, counts, and values that are exact at the working digits are not moved.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from grader.evaluation import Given, Table, evaluate, side_by_side
from grader.formula import Env
from grader.functions import Array
from grader.graph import Mistake, Problem


def half_unit(value: Array, digits: Array | int) -> Array:
    """Half a unit of the last of ``digits`` significant digits, in the shape of the value; 0 for 0 and for NaN."""
    with np.errstate(all="ignore"):
        size = np.abs(value)
        exponent = np.floor(np.log10(size))
        unit = 0.5 * 10.0 ** (exponent - digits + 1)
    return np.where((size > 0) & np.isfinite(size), unit, 0.0)


def rounding_of(value: Array, digits: int) -> Array:
    """By how much rounding to ``digits`` significant digits may move a value: half a unit; 0 if it is exact."""
    half = half_unit(value, digits)
    with np.errstate(all="ignore"):
        steps = value / (2 * half)
        exact = np.abs(steps - np.rint(steps)) <= 1e-9 * np.abs(steps)
        exact |= np.abs(value - np.rint(value)) <= 1e-12 * np.abs(value)
    return np.where((half > 0) & ~exact, half, 0.0)


def allowances(
    problem: Problem,
    env: Env,
    lanes: Sequence[Mistake],
    values: Mapping[str, Array],
    given: Mapping[str, Given] | None = None,
    typed_rounding: Mapping[str, Array] | None = None,
) -> Table:
    """The allowance of every rounded step on every lane, (L, B, n); other steps, matched exactly, are left out.

    ``values`` are the values on these lanes, (L, B, n). ``typed_rounding`` gives, for steps whose typed value is
    carried on, by how much that value itself may be off, (B, n): a learner rounds on paper but works on with more
    digits.
    """
    lead = (len(lanes) + 1, max((value.shape[-2] for value in values.values()), default=1))
    shown = side_by_side(values, [step.name for step in problem.rounded], lead)
    digits = [step.digits for step, width in zip(problem.rounded, shown.widths, strict=True) for _ in range(width)]
    halves = _halves(problem, values, lead, given, typed_rounding)
    movers = np.flatnonzero(halves.together.any(axis=(0, 1)))
    half_units = half_unit(shown.together, np.array(digits, dtype=float))
    if not len(movers):
        return shown.alike(half_units)
    spread = _propagated(shown, halves, movers, lambda moved: evaluate(problem, env, lanes, given, moved))
    return shown.alike(spread + half_units)


def _propagated(
    shown: Table, halves: Table, movers: Array, evaluated: Callable[[Mapping[str, Array]], Mapping[str, Array]]
) -> Array:
    """What the rounding of earlier values alone may do to every rounded step, (L, B, R)."""
    lead = shown.together.shape[:-1]
    places = movers.tolist()
    moving = {
        name: place for name, place in halves.places.items() if any(place.start <= k < place.stop for k in places)
    }

    def reached(moves: Array) -> Array:
        """Where moving by (N, L, B, K) leads, (N, L, B, R)."""
        return shown.gathered(evaluated({name: moves[..., at] for name, at in moving.items()}), (len(moves), *lead))

    half = halves.together[..., movers]
    with np.errstate(all="ignore"):
        # Row 0 moves nothing: effects are differences to it, and not to values that were freed of noise since.
        moves = np.zeros((len(places) + 1, *halves.together.shape))
        moves[np.arange(1, len(places) + 1), ..., movers] = half.transpose(2, 0, 1)
        found = reached(moves)
        still = found[0]
        single = found[1:] - still
        spread: Array = np.abs(single).sum(axis=0)
        # Effects bend: move everything at once, each way that its single effect pointed, and keep what reaches further.
        targets = np.flatnonzero(single.any(axis=(0, 1, 2)))
        count = len(targets)
        if not count:
            return spread
        signs = np.sign(single[..., targets])
        together = np.zeros((2 * count, *halves.together.shape))
        together[:count, ..., movers] = np.where(np.isnan(signs), 0.0, signs).transpose(3, 1, 2, 0) * half
        np.negative(together[:count], out=together[count:])
        ends = reached(together)[np.arange(2 * count), ..., np.concatenate([targets, targets])]
        still = still[..., targets].transpose(2, 0, 1)
        further = np.maximum(np.abs(ends[:count] - still), np.abs(ends[count:] - still))
        spread[..., targets] = np.maximum(spread[..., targets], further.transpose(1, 2, 0))
    return spread


def _halves(
    problem: Problem,
    values: Mapping[str, Array],
    lead: tuple[int, ...],
    given: Mapping[str, Given] | None,
    typed_rounding: Mapping[str, Array] | None,
) -> Table:
    """By how much each value that a later step refers to may be off, (L, B, n)."""
    value = side_by_side(values, [step.name for step in problem.passed_on], lead)
    for name, typed in (given or {}).items():
        if name in value:
            np.copyto(value[name], typed.values, where=typed.present)
    halves = value.alike(rounding_of(value.together, problem.working))
    for name, rounding in (typed_rounding or {}).items():
        if name in halves and given is not None:
            half = halves[name]
            np.copyto(half, np.maximum(half, rounding), where=given[name].present)
    return halves
