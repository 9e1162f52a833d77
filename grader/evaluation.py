"""Evaluating the solution graph: the answer, and with wrong rules or typed values put in, every other candidate.

Values have a leading batch axis: a scalar is (B, 1), a vector (B, n). A *lane* is one road through the graph: lane 0 is
the true one, each further lane replaces the rules of one named mistake; with lanes a value is (L, B, n). Where values
are also moved to see how rounding spreads (``grader.allowance``), another axis stands in front: (N, L, B, n).
An axis that nothing depends on yet is left out or has length 1, so that shared work is done once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.errors import FormulaError
from grader.formula import Env, Formula
from grader.functions import Array
from grader.graph import Mistake, Problem, Step, lanes_by_step

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
    changes = problem.replaced if lanes is problem.mistakes else lanes_by_step(lanes)
    laned: set[str] = set()
    with np.errstate(all="ignore"):
        for step in problem.steps:
            value = _computed(step, known, laned, changes.get(step.name), len(lanes) + 1)
            found[step.name] = value
            typed = given.get(step.name) if given else None
            if typed is not None:
                value = np.where(typed.present, typed.values, value)
            if moved and step.name in moved:
                value = value + moved[step.name]
            known[step.name] = value
            if value.ndim > 2 and value.shape[-3] > 1:
                laned.add(step.name)
    return found


_ZERO = np.zeros((1, 1))
_Changes = Sequence[tuple[int, Formula]]


def _computed(step: Step, known: Env, laned: set[str], changes: _Changes | None, lanes: int) -> Array:
    if step.formula is None:
        return _ZERO
    value = np.asarray(step.formula(known), dtype=float)
    if not changes:
        return value
    size = value.shape[-1]
    wrong = [np.asarray(rule(_on_lane(rule, known, laned, lane)), dtype=float) for lane, rule in changes]
    spread = np.empty((*_lead(lanes, value, *wrong), size))
    spread[...] = value
    for (lane, _), v in zip(changes, wrong, strict=True):
        # A wrong rule of another length cannot be told apart entry by entry: it is not defined here.
        spread[..., lane : lane + 1, :, :] = v if v.shape[-1] == size else np.nan
    return spread


def _lead(lanes: int, *values: Array) -> tuple[int, ...]:
    """The leading axes that hold all of these and a lane axis; short, since it is asked for at every step."""
    shapes = {value.shape[:-1] for value in values}
    if len(shapes) == 1 and len(values[0].shape) <= 3:
        return (lanes, values[0].shape[-2])
    lead = [1] * max(2, *[len(shape) for shape in shapes])
    for shape in shapes:
        for axis, size in enumerate(reversed(shape), start=1):
            if size != 1:
                lead[-axis] = size
    lead[-2] = lanes
    return tuple(lead)


def _on_lane(formula: Formula, known: Env, laned: set[str], lane: int) -> Env:
    """The arrays a formula needs, cut to one lane; its axis is kept, so that results put back in place broadcast.

    ``laned`` are the steps that differ between lanes, on the third axis from the end.
    """
    if formula.names.isdisjoint(laned):
        return known
    return {name: known[name][..., lane : lane + 1, :, :] if name in laned else known[name] for name in formula.names}


class Table(dict[str, Array]):
    """The values of several steps by name, (…, n) each, which are views of one array with the steps side by side.

    A numpy call on short arrays costs the same for one step and for all of them: ``together`` (…, R) is for that.
    """

    def __init__(self, places: Mapping[str, slice], together: Array) -> None:
        self.places = places
        self.together = together
        super().__init__({name: together[..., place] for name, place in places.items()})

    @property
    def widths(self) -> list[int]:
        """How many entries each step has."""
        return [place.stop - place.start for place in self.places.values()]

    def alike(self, together: Array) -> "Table":
        """Other numbers (…, R) of the same steps, in the same order."""
        return Table(self.places, together)

    def gathered(self, found: Mapping[str, Array], lead: tuple[int, ...]) -> Array:
        """What was found for these steps side by side, written out to (*lead, R)."""
        together = np.empty((*lead, self.together.shape[-1]))
        for name, place in self.places.items():
            together[..., place] = found[name]
        return together


def side_by_side(values: Mapping[str, Array], names: Sequence[str], lead: tuple[int, ...]) -> Table:
    """The values of some steps as a table with their leading axes written out."""
    places = places_of(values, names)
    table = Table(places, np.empty((*lead, max((place.stop for place in places.values()), default=0))))
    for name, view in table.items():
        view[...] = values[name]
    return table


def places_of(values: Mapping[str, Array], names: Sequence[str]) -> dict[str, slice]:
    """Which columns each step has when these stand side by side."""
    places, end = {}, 0
    for name in names:
        start, end = end, end + values[name].shape[-1]
        places[name] = slice(start, end)
    return places


#: More values than this in one variant nobody works out by hand; the work of marking grows with their square.
MAX_VALUES = 256


def spread(values: Mapping[str, Array], lanes: int, rows: int) -> Table:
    """Every value with its lane and batch axes written out, (L, B, n). Raises FormulaError for too many values."""
    if sum(value.shape[-1] for value in values.values()) > MAX_VALUES:
        raise FormulaError(f"the steps of a variant have at most {MAX_VALUES} values in all")
    return side_by_side(values, list(values), (lanes, rows))


def scales(problem: Problem, env: Env, values: Table) -> Array:
    """For every column the largest magnitude among its step's value and what is added up in its rule, (B, R).

    Noise is measured by it. Where nothing is added or subtracted nothing can cancel, and the smallest probability is no
    noise.
    """
    found = np.empty(values.together.shape[1:])
    magnitudes = {name: _magnitude(value[0]) for name, value in values.items()}
    for step in problem.steps:
        size = magnitudes[step.name]
        for name in step.needs if step.may_cancel else ():
            size = np.maximum(size, magnitudes[name] if name in magnitudes else _magnitude(env[name]))
        found[:, values.places[step.name]] = size
    return found


def _magnitude(operand: Array) -> Array:
    """The largest magnitude of each row, (B, 1). What is undefined or infinite has none to measure by."""
    size = np.abs(operand.reshape(operand.shape[0], -1)).max(axis=-1, keepdims=True, initial=0.0)
    return np.where(np.isfinite(size), size, 0.0)


def without_noise(values: Table, scale: Array) -> Table:
    """The values with what is only rounding noise of its operands as a plain 0."""
    noisy = np.abs(values.together) < NOISE * scale
    return values.alike(np.where(noisy, 0.0, values.together)) if noisy.any() else values


def differs(candidate: Array, key: Array) -> Array:
    """Entry by entry: whether a finite candidate is another value than the key; an undefined key differs from any."""
    with np.errstate(all="ignore"):
        near = np.abs(candidate - key) <= SAME * np.maximum(np.abs(key), np.abs(candidate)) + NOISE * SAME
        return np.asarray(np.isfinite(candidate) & ~(near & np.isfinite(key)))
