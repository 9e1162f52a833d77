"""Comparing a batch of answers with every candidate: key, carried value, and each named mistake on both.

A candidate is compared with the allowance derived at that candidate. Allowances are the costly part, so they are worked
out for the key and the carried value, and else only where an answer that neither explains lies near a candidate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grader.allowance import allowances, half_unit
from grader.evaluation import NOISE, Given, Table, differs, evaluate, scales, spread, without_noise
from grader.formula import Env
from grader.functions import Array
from grader.graph import Mistake, Problem, Step
from grader.separation import is_near, rounded_columns, variant_lanes
from grader.sheet import Sheet, typed_rounding

#: Up to this many lanes × rows go through the graph at once; beyond, lane by lane over the rows concerned.
AT_ONCE = 256


@dataclass(frozen=True)
class Comparison:
    """One step of a batch: which entries of which rows are right, and which follow from what was typed earlier.

    ``values`` (L, B, n) are the candidates on every lane, the key on lane 0, and ``active`` where they differ from it.
    ``right`` (B, n) is a match with the key that does not lie nearer to an active mistake; ``own_key`` (B, n) is the
    value that follows from the typed ones, ``own`` a match with it. ``room`` is the allowance of the key.
    """

    given: Array
    values: Array
    active: Array
    right: Array
    near_side: Array
    room: Array
    own_key: Array
    own: Array


@dataclass(frozen=True)
class Fits:
    """For one step, which entries match which lanes, (L, B, n), and where the lane differs from its own lane 0."""

    matching: Array
    active: Array


class _Side:
    """All lanes of a batch, from the drawn numbers alone or with the typed values put in, and what matches them."""

    def __init__(
        self,
        roads: "Roads",
        values: Table,
        scale: Array,
        given: Mapping[str, Given] | None = None,
        rounding: Mapping[str, Array] | None = None,
    ) -> None:
        self.roads = roads
        self.values = values
        self.scale = scale
        self.given = given
        self.rounding = rounding
        self.rooms = roads.no_rooms(len(values.together))
        self._filled: Array = np.zeros(values.together.shape[:-1], dtype=bool)

    @cached_property
    def near(self) -> Array:
        """Which candidates (L, B, R) the typed numbers may match at all."""
        return is_near(self.roads.problem, self.roads.typed, self.values)

    @cached_property
    def active(self) -> Array:
        return differs(self.values.together, self.values.together[:1])

    def keep(self, rooms: Table) -> None:
        """Take over allowances that are there already."""
        self.rooms = rooms.alike(rooms.together.copy())
        self._filled = np.asarray(np.isfinite(rooms.together).any(axis=-1))

    def fits(self, place: slice) -> Fits:
        """What matches at one step, once the allowances are there of all lanes that may explain its open entries."""
        # Of one answer, few steps are ever asked about; of many, nearly all, and then lanes are best filled once.
        concerned = place if self.roads.rows == 1 else slice(None)
        self.fill((self.near & self.active & self.roads.is_open)[..., concerned].any(axis=-1))
        return Fits(
            (self.matches(self.values.together) & (self.near | ~self.roads.rounded))[..., place],
            self.active[..., place],
        )

    def matches(self, candidates: Array) -> Array:
        """Which of the first lanes (L, B, R) the typed numbers match."""
        rounded, typed = self.roads.rounded, self.roads.typed
        with np.errstate(all="ignore"):
            # A count is exact: only what floating point leaves of a whole number is forgiven, however large it is.
            room = np.minimum(1e-9 * np.maximum(1.0, np.abs(candidates)), 1e-3)
            allowed = self.rooms.together[: len(candidates)] * (1 + 1e-9) + NOISE * self.scale[:, rounded]
            room[..., rounded] = allowed
            return np.asarray((np.abs(typed - candidates) <= room) & (np.isfinite(candidates) | ~rounded))

    def fill(self, wanted: Array) -> None:
        """Put the allowances of the wanted lanes and rows, (L, B), in their places, if they are not there yet."""
        rows = self.roads.rows
        wanted = wanted & ~self._filled
        self._filled |= wanted
        lanes = np.flatnonzero(wanted.any(axis=1))
        if len(lanes) * rows <= AT_ONCE:
            blocks = [(lanes, np.arange(rows))] if len(lanes) else []
        else:
            blocks = [(lanes[k : k + 1], np.flatnonzero(wanted[lanes[k]])) for k in range(len(lanes))]
        for some_lanes, some_rows in blocks:
            self.rooms.together[some_lanes[:, None], some_rows] = self._block(some_lanes, some_rows)

    def _block(self, lanes: Array, rows: Array) -> Array:
        env, given, rounding = self.roads.env, self.given, self.rounding
        if len(rows) < self.roads.rows:
            env = {name: array[rows] for name, array in env.items()}
            given = {n: Given(g.values[rows], g.present[rows]) for n, g in given.items()} if given is not None else None
            rounding = {name: array[rows] for name, array in rounding.items()} if rounding is not None else None
        mistakes = [self.roads.problem.mistakes[lane - 1] for lane in lanes if lane]
        picked = lanes if lanes[0] == 0 else np.concatenate([[0], lanes])
        cut = self.values.alike(self.values.together[picked[:, None], rows])
        found = allowances(self.roads.problem, env, mistakes, cut, given, rounding).together
        return found if lanes[0] == 0 else found[1:]


class Roads:
    """The batch's variants on all lanes, true and from the learners' own values."""

    def __init__(self, problem: Problem, env: Env, rows: int) -> None:
        self.problem = problem
        self.env = env
        self.rows = rows
        self._kept = variant_lanes(problem, env) if rows == 1 else None
        kept = (self._kept.values, self._kept.scales) if self._kept else self._evaluated(problem.mistakes)
        self.values, self._scale = kept
        self.rounded = rounded_columns(problem, self.values)

    def _evaluated(self, lanes: Sequence[Mistake], given: Mapping[str, Given] | None = None) -> tuple[Table, Array]:
        values = spread(evaluate(self.problem, self.env, lanes, given), len(lanes) + 1, self.rows)
        # Noise goes by the drawn numbers: an absurd value that was typed must not turn others into noise.
        scale = scales(self.problem, self.env, values) if given is None else self._scale
        return without_noise(values, scale), scale

    def no_rooms(self, lanes: int) -> Table:
        """Allowances (L, B, n) still to be worked out: NaN, which matches nothing."""
        names = [step.name for step in self.problem.rounded]
        widths = [self.values[name].shape[-1] for name in names]
        return Table(names, widths, np.full((lanes, self.rows, sum(widths)), np.nan))

    def compare(self, sheet: Sheet) -> dict[str, Comparison]:
        """The comparison of every step that anybody answered with a number."""
        self._carried = sheet.carried
        self._fits: dict[str, tuple[Fits, Fits]] = {}
        self.typed = np.full(self.values.together.shape[1:], np.nan)
        for name, numbers in sheet.numbers.items():
            self.typed[:, self.values.places[name]] = numbers
        true = self._true = _Side(self, self.values, self._scale)
        if self._kept:
            true.keep(self._kept.allowances)
        every = np.zeros(true.rooms.together.shape[:-1], dtype=bool)
        every[0] = True
        true.fill(every)
        matching = true.matches(self.values.together[:1])[0]
        sides = _near_side(self.typed, self.values.together, true.active)
        right = self.values.alike(matching & sides)
        self.is_open = self.rounded & ~right.together & np.isfinite(self.typed)
        key = self._own_key(sheet, right)
        own_key = key.values.together[0] if key else self.values.together[0]
        own = key.matches(key.values.together)[0] if key else matching
        return {
            name: Comparison(
                given=numbers,
                values=self.values[name],
                active=true.active[..., place],
                right=right[name],
                near_side=sides[:, place],
                room=true.rooms[name][0] if name in true.rooms else np.zeros_like(numbers),
                own_key=own_key[:, place],
                own=own[:, place],
            )
            for name, numbers in sheet.numbers.items()
            for place in (self.values.places[name],)
        }

    def _own_key(self, sheet: Sheet, right: Table) -> _Side | None:
        """The key with the typed values put in; None where that can change nothing.

        It changes something only for a step that is not right and that a typed value flows into.
        """
        settled = all(
            (right[name].all(axis=-1) | np.isnan(numbers).any(axis=-1)).all() for name, numbers in sheet.numbers.items()
        )
        self._is_moved = not settled and any(step.needs & sheet.carried.keys() for step in self.problem.steps)
        if not self._is_moved:
            return None
        self._rounding = {
            name: typed_rounding(self.problem.step(name), sheet, right[name])
            for name in sheet.carried
            if self.problem.step(name) in self.problem.passed_on
        }
        key = _Side(self, self._evaluated((), sheet.carried)[0], self._scale, sheet.carried, self._rounding)
        key.fill(self.is_open.any(axis=-1)[None, :])
        return key

    @cached_property
    def _own(self) -> _Side:
        """All lanes with the typed values put in: costly, and asked for only where nothing else explains an answer."""
        values, _ = self._evaluated(self.problem.mistakes, self._carried)
        return _Side(self, values, self._scale, self._carried, self._rounding)

    def fits(self, step: Step) -> tuple[Fits, Fits]:
        """What matches at a step from the drawn numbers, and from the typed values put in; worked out once a batch."""
        if step.name not in self._fits:
            place = self.values.places[step.name]
            true = own = self._true.fits(place)
            if self._is_moved and self.problem.upstream[step.name] & self._carried.keys():
                own = self._own.fits(place)
            self._fits[step.name] = (true, own)
        return self._fits[step.name]


def _near_side(given: Array, values: Array, active: Array) -> Array:
    """Where no active mistake lies nearer to the answer than the key does, (B, R)."""
    with np.errstate(all="ignore"):
        nearer = np.abs(given - values) < np.abs(given - values[0]) * (1 - 1e-9)
        return np.asarray(~(nearer & active).any(axis=0))


def coarse_entries(step: Step, sheet: Sheet, row: int, candidates: Array, active: Array, target: Array) -> Array:
    """Which entries (n,) are the target value with fewer digits than asked, and no active mistake rounded the same.

    ``candidates`` (L, n) are the values on every lane, ``active`` (L, n) where they differ from the key.
    """
    reading = sheet.readings[step.name][row]
    parts: Sequence[object] = reading.entries or (reading,)
    found = np.zeros(target.shape, dtype=bool)
    for entry, part in enumerate(parts):
        digits = getattr(part, "digits", None)
        if digits is None or digits >= step.digits or entry >= len(found):
            continue
        given = sheet.numbers[step.name][row, entry]
        lanes = np.append(candidates[active[:, entry], entry], target[entry])
        with np.errstate(all="ignore"):
            rounds_here = np.abs(lanes - given) <= half_unit(lanes, digits) * (1 + 1e-9)
        found[entry] = rounds_here[-1] and not rounds_here[:-1].any()
    return found
