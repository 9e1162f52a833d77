"""The rounding allowance: how far a right hand calculation may end from the exact value.

Every earlier intermediate value is moved by half a unit of its last working digit, one at a time, and the effects on a
step are added up; since effects bend, all are also moved together to both ends, and the larger wins. Half a unit of the
last digit asked for comes on top. Parameters, counts, and values that are exact at the working digits are not moved.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from grader.evaluation import Given, evaluate
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
        exact = np.abs(steps - np.round(steps)) <= 1e-9 * np.abs(steps)
        exact |= np.abs(value - np.round(value)) <= 1e-12 * np.abs(value)
    return np.where((half > 0) & ~exact, half, 0.0)


def allowances(
    problem: Problem,
    env: Env,
    lanes: Sequence[Mistake],
    values: Mapping[str, Array],
    given: Mapping[str, Given] | None = None,
    typed_rounding: Mapping[str, Array] | None = None,
) -> dict[str, Array]:
    """The allowance of every rounded step on every lane, (L, B, n); other steps, matched exactly, are left out.

    ``values`` are the values on these lanes, (L, B, n). ``typed_rounding`` gives, for steps whose typed value is
    carried on, by how much that value itself may be off, (B, n): a learner rounds on paper but works on with more
    digits.
    """
    spread = propagated(problem, env, lanes, values, given, typed_rounding)
    return {name: spread[name] + half_unit(values[name], problem.step(name).digits) for name in spread}


def propagated(
    problem: Problem,
    env: Env,
    lanes: Sequence[Mistake],
    values: Mapping[str, Array],
    given: Mapping[str, Given] | None = None,
    typed_rounding: Mapping[str, Array] | None = None,
) -> dict[str, Array]:
    """What the rounding of earlier values alone may do to every rounded step, (L, B, n)."""
    rounded = [step for step in problem.steps if step.rounded]
    halves = _halves(problem, values, given, typed_rounding)
    places = [(name, k) for name, half in halves.items() for k in range(half.shape[-1]) if half[..., k].any()]
    spread = {step.name: np.zeros(values[step.name].shape) for step in rounded}
    if not places:
        return spread
    single = _moves(places, halves, np.eye(len(places)))
    found = evaluate(problem, env, lanes, given, single)
    with np.errstate(all="ignore"):
        reached = {
            name: np.broadcast_to(found[name] - values[name], (len(places), *shown.shape))
            for name, shown in spread.items()
        }
        for name, effect in reached.items():
            spread[name] = np.abs(effect).sum(axis=0)
        _widen_to_both_ends(problem, env, lanes, values, given, places, halves, reached, spread)
    return spread


def _halves(
    problem: Problem,
    values: Mapping[str, Array],
    given: Mapping[str, Given] | None,
    typed_rounding: Mapping[str, Array] | None,
) -> dict[str, Array]:
    """By how much each value that a later step refers to may be off, (L, B, n)."""
    names = [step.name for step in problem.passed_on]
    if not names:
        return {}
    # One call over all entries: the digits are those of the whole problem.
    widths = [values[name].shape[-1] for name in names]
    together = np.concatenate([_substituted(values[name], given, name) for name in names], axis=-1)
    halves = dict(zip(names, _split(rounding_of(together, problem.working), widths), strict=True))
    for name, rounding in (typed_rounding or {}).items():
        if name in halves and given is not None:
            present = given[name].present
            halves[name] = np.where(present, np.maximum(halves[name], rounding), halves[name])
    return halves


def _substituted(value: Array, given: Mapping[str, Given] | None, name: str) -> Array:
    if given is None or name not in given:
        return value
    return np.where(given[name].present, given[name].values, value)


def _split(together: Array, widths: Sequence[int]) -> list[Array]:
    ends = np.cumsum(widths)
    return [together[..., end - width : end] for end, width in zip(ends, widths, strict=True)]


def _moves(places: list[tuple[str, int]], halves: Mapping[str, Array], share: Array) -> dict[str, Array]:
    """Displacements (N, L, B, n) of every step: ``share`` (N, K) or (N, K, L, B) says how much of each half goes in."""
    moves: dict[str, Array] = {}
    for at, (name, entry) in enumerate(places):
        half = halves[name]
        if name not in moves:
            moves[name] = np.zeros((share.shape[0], *half.shape))
        part = share[:, at]
        moves[name][..., entry] = (part[:, None, None] if part.ndim == 1 else part) * half[..., entry]
    return moves


def _widen_to_both_ends(
    problem: Problem,
    env: Env,
    lanes: Sequence[Mistake],
    values: Mapping[str, Array],
    given: Mapping[str, Given] | None,
    places: list[tuple[str, int]],
    halves: Mapping[str, Array],
    reached: Mapping[str, Array],
    spread: dict[str, Array],
) -> None:
    """Move everything at once, each way that its single effect pointed, and keep what reaches further."""
    targets = [
        (name, entry)
        for name, effect in reached.items()
        for entry in range(effect.shape[-1])
        # One mover has one effect, which the sum already holds at one end; the other end is still to be seen.
        if effect[..., entry].any()
    ]
    if not targets:
        return
    signs = np.stack([np.sign(reached[name][..., entry]) for name, entry in targets])
    signs = np.nan_to_num(signs)
    together = _moves(places, halves, np.concatenate([signs, -signs]))
    ends = evaluate(problem, env, lanes, given, together)
    for at, (name, entry) in enumerate(targets):
        shape = (2 * len(targets), *spread[name].shape)
        both = np.broadcast_to(ends[name], shape)[[at, at + len(targets)], ..., entry]
        further = np.abs(both - values[name][..., entry]).max(axis=0)
        spread[name][..., entry] = np.maximum(spread[name][..., entry], further)
