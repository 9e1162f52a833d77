"""Evaluating the solution graph: the answer, and with wrong rules or typed values put in, every other candidate.

Values have a leading batch axis: a scalar is (B, 1), a vector (B, n). A *lane* is one road through the graph: lane 0 is
the true one, each further lane replaces the rules of one named mistake; with lanes a value is (L, B, n). Where values
are also moved to see how rounding spreads (``grader.allowance``), another axis stands in front: (N, L, B, n).
An axis that nothing depends on yet is left out or has length 1, so that shared work is done once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.formula import Env, Formula
from grader.functions import Array
from grader.graph import Mistake, Problem, Step

#: Two values of one variant closer than this, relatively, are the same value.
SAME = 1e-9
#: A value below this share of the largest number it is made from is rounding noise and counts as 0.
NOISE = 1e-12


@dataclass(frozen=True)
class Given:
    """What learners typed at one step: values (B, n), and for which rows there is one, (B, 1)."""

    values: Array
    present: Array


def evaluate(
    problem: Problem,
    env: Env,
    lanes: Sequence[Mistake] = (),
    given: Mapping[str, Given] | None = None,
    moved: Mapping[str, Array] | None = None,
) -> dict[str, Array]:
    """The value of every step on every lane.

    ``given`` replaces a step's value for the steps after it (error carried forward); the value returned for a step is
    always the one computed, before it is replaced. ``moved`` is added for the steps after it in the same way.
    Raises FormulaError if sizes do not fit.
    """
    known = dict(env)
    found: dict[str, Array] = {}
    changes = _changes(lanes)
    with np.errstate(all="ignore"):
        for step in problem.steps:
            value = _computed(step, known, frozenset(found), changes.get(step.name), len(lanes) + 1)
            found[step.name] = value
            typed = given.get(step.name) if given else None
            if typed is not None:
                value = np.where(typed.present, typed.values, value)
            if moved and step.name in moved:
                value = value + moved[step.name]
            known[step.name] = value
    return found


_ZERO = np.zeros((1, 1))
_Changes = list[tuple[int, Formula]]


def _changes(lanes: Sequence[Mistake]) -> dict[str, _Changes]:
    """For each step, which lanes replace its rule and by what."""
    changes: dict[str, _Changes] = {}
    for lane, mistake in enumerate(lanes, start=1):
        for name, formula in mistake.formulas.items():
            changes.setdefault(name, []).append((lane, formula))
    return changes


def _computed(step: Step, known: Env, steps: frozenset[str], changes: _Changes | None, lanes: int) -> Array:
    if step.formula is None:
        return _ZERO
    value = np.asarray(step.formula(known), dtype=float)
    if not changes:
        return value
    wrong = [
        (lane, np.asarray(formula(_on_lane(formula, known, steps, lane)), dtype=float)) for lane, formula in changes
    ]
    size = value.shape[-1]
    # A wrong rule of another length cannot be told apart entry by entry: it is not defined here.
    wrong = [(lane, v if v.shape[-1] == size else np.full_like(v[..., :1], np.nan)) for lane, v in wrong]
    lead = np.broadcast_shapes((lanes, 1), value.shape[:-1], *[v.shape[:-1] for _, v in wrong])
    spread = np.empty((*lead, size))
    spread[...] = value
    for lane, v in wrong:
        spread[..., lane : lane + 1, :, :] = v
    return spread


def _on_lane(formula: Formula, known: Env, steps: frozenset[str], lane: int) -> Env:
    """The arrays a formula needs, cut to one lane; its axis is kept, so that results put back in place broadcast.

    Only steps have lanes, on the third axis from the end; one of length 1 is shared by all.
    """
    return {
        name: known[name][..., lane : lane + 1, :, :]
        if name in steps and known[name].ndim > 2 and known[name].shape[-3] > 1
        else known[name]
        for name in formula.names
    }


def spread(values: Mapping[str, Array], lanes: int, rows: int) -> dict[str, Array]:
    """Every value with its lane and batch axes written out, (L, B, n); views, not to be written to."""
    return {name: np.broadcast_to(value, (lanes, rows, value.shape[-1])) for name, value in values.items()}


def scale(step: Step, env: Env, values: Mapping[str, Array]) -> Array:
    """The largest magnitude among a step's value and what is added up in its rule, (B, 1), to measure noise by.

    Where nothing is added or subtracted nothing can cancel, and the smallest probability is no noise.
    """
    names = step.needs if step.may_cancel else ()
    operands = [values[step.name][0], *(values[name][0] if name in values else env[name] for name in names)]
    largest: Array = np.zeros((1, 1))
    for operand in operands:
        size = np.abs(operand.reshape(operand.shape[0], -1)).max(axis=-1, keepdims=True, initial=0.0)
        # What is undefined or infinite has no magnitude to measure by.
        largest = np.maximum(largest, np.where(np.isfinite(size), size, 0.0))
    return largest


def differs(candidate: Array, key: Array) -> Array:
    """Entry by entry: whether a finite candidate is another value than the key; an undefined key differs from any."""
    with np.errstate(all="ignore"):
        near = np.abs(candidate - key) <= SAME * np.maximum(np.abs(key), np.abs(candidate)) + NOISE * SAME
        return np.asarray(np.isfinite(candidate) & ~(near & np.isfinite(key)))
