"""Comparing a batch of answers with every candidate: key, carried value, and each named mistake on both.

A candidate is compared with the allowance derived at that candidate. Allowances are the costly part, so they are worked
out for the key and the carried value, and else only where an answer that neither explains lies near a candidate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grader.allowance import allowances, half_unit
from grader.evaluation import NOISE, Given, Table, differs, evaluate, places_of, scales, spread, without_noise
from grader.formula import Env
from grader.functions import Array
from grader.graph import Mistake, Problem, Step
from grader.separation import Lanes, half_units, is_near, rounded_columns, variant_lanes
from grader.sheet import Sheet, typed_rounding

#: Rounding on the way may move a candidate by this share of its size: five times what a drawn key is allowed.
NEAR_ANSWER = 0.1
#: Up to this many lanes × rows go through the graph at once; beyond, lane by lane over the rows concerned.
AT_ONCE = 256
#: Numbers that one walk over moved values may hold at once: 32 MB.
MOST_NUMBERS = 4_000_000


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


class Roads:
    """The variants of a batch on all lanes, before anybody answered."""

    def __init__(self, problem: Problem, env: Env, rows: int) -> None:
        self.problem = problem
        self.env = env
        self.rows = rows
        self.kept = variant_lanes(problem, env) if rows == 1 else None
        if self.kept:
            self.values, self.scale = self.kept.values, self.kept.scales
        else:
            found = spread(evaluate(problem, env, problem.mistakes), len(problem.mistakes) + 1, rows)
            self.scale = scales(problem, env, found)
            self.values = without_noise(found, self.scale)
        self.rounded = rounded_columns(problem, self.values)

    def following(self, lanes: Sequence[Mistake], given: Mapping[str, Given]) -> Table:
        """The values on these lanes with the typed values put in.

        Noise goes by the drawn numbers: an absurd value that was typed must not turn others into noise.
        """
        found = evaluate(self.problem, self.env, lanes, given)
        return without_noise(spread(found, len(lanes) + 1, self.rows), self.scale)

    def no_rooms(self, lanes: int) -> Table:
        """Allowances (L, B, n) still to be worked out: NaN, which matches nothing."""
        places = places_of(self.values, [step.name for step in self.problem.rounded])
        width = sum(self.values[name].shape[-1] for name in places)
        return Table(places, np.full((lanes, self.rows, width), np.nan))


class _Side:
    """All lanes of a batch, from the drawn numbers alone or with the typed values put in, and what matches them."""

    def __init__(
        self,
        roads: Roads,
        typed: Array,
        values: Table,
        given: Mapping[str, Given] | None = None,
        rounding: Mapping[str, Array] | None = None,
    ) -> None:
        self.roads = roads
        self.typed = typed
        self.values = values
        self.given = given
        self.rounding = rounding
        self.rooms = roads.no_rooms(len(values.together))
        self.filled: Array = np.zeros(values.together.shape[:-1], dtype=bool)
        self._matching: Array | None = None

    @cached_property
    def near(self) -> Array:
        """Which candidates (L, B, R) the typed numbers may match at all."""
        return is_near(self.roads.problem, self.typed, self.values, self.units, NEAR_ANSWER)

    @cached_property
    def units(self) -> Array:
        """Half a unit of the last digit asked for, of every candidate, (L, B, R)."""
        return half_units(self.roads.problem, self.values)

    @cached_property
    def active(self) -> Array:
        return differs(self.values.together, self.values.together[:1])

    def keep(self, lanes: Lanes) -> None:
        """Take over what was worked out already when the variant was drawn."""
        self.rooms = lanes.allowances.alike(lanes.allowances.together.copy())
        self.filled = np.asarray(np.isfinite(self.rooms.together).any(axis=-1))
        self.units, self.active = lanes.units, lanes.differing

    def explaining(self, place: slice, is_open: Array) -> Array:
        """The lanes and rows, (L, B), whose allowances decide on an open entry; they differ from lane 0 there."""
        return np.asarray((self.unsettled() & self.active & is_open)[..., place].any(axis=-1))

    def unsettled(self) -> Array:
        """Which candidates (L, B, R) are near, but match for certain only if their whole allowance says so."""
        return self.near & ~self.matching

    def fits(self, place: slice, is_open: Array) -> Fits:
        """What matches at one step, once the allowances are there of all lanes that may explain its open entries."""
        # Of one answer, few steps are ever asked about; of many, nearly all, and then lanes are best filled once.
        concerned = place if self.roads.rows == 1 else slice(None)
        self.fill(self.explaining(concerned, is_open))
        return Fits(
            (self.matching & (self.near | ~self.roads.rounded))[..., place],
            self.active[..., place],
        )

    @property
    def matching(self) -> Array:
        """Which candidates (L, B, R) the typed numbers match, as far as allowances were worked out.

        Half a unit of the last digit is always allowed; what rounding adds to that, where it was worked out.
        """
        if self._matching is None:
            rounded, typed, candidates = self.roads.rounded, self.typed, self.values.together
            with np.errstate(all="ignore"):
                # A count is exact: only what floating point leaves of a whole number is forgiven, however large it is.
                room = np.minimum(1e-9 * np.maximum(1.0, np.abs(candidates)), 1e-3)
                allowed = np.fmax(self.rooms.together, self.units[..., rounded])
                room[..., rounded] = allowed * (1 + 1e-9) + NOISE * self.roads.scale[:, rounded]
                found = (np.abs(typed - candidates) <= room) & (np.isfinite(candidates) | ~rounded)
            self._matching = np.asarray(found)
        return self._matching

    def fill(self, wanted: Array) -> None:
        """Put the allowances of the wanted lanes and rows, (L, B), in their places, if they are not there yet."""
        rows = self.roads.rows
        wanted = wanted & ~self.filled
        self.filled |= wanted
        lanes = np.flatnonzero(wanted.any(axis=1))
        if not len(lanes):
            return
        self._matching = None
        if len(lanes) * rows <= AT_ONCE:
            blocks = [(lanes, np.arange(rows))]
        else:
            blocks = [(lanes[k : k + 1], np.flatnonzero(wanted[lanes[k]])) for k in range(len(lanes))]
        columns = self.values.together.shape[-1]
        for some_lanes, some_rows in blocks:
            # Every value is moved once by itself and with all others: that many times the rows are in memory at once.
            most = max(1, MOST_NUMBERS // (2 * columns * columns * len(some_lanes)))
            for start in range(0, len(some_rows), most):
                few = some_rows[start : start + most]
                self.rooms.together[some_lanes[:, None], few] = self._block(some_lanes, few)

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


class Compared:
    """A batch's answers beside every candidate: ``steps`` by name, and ``fits`` where a mistake is to be found."""

    def __init__(self, roads: Roads, sheet: Sheet) -> None:
        self._roads = roads
        self._problem = roads.problem
        self._carried = sheet.carried
        self._fits: dict[str, tuple[Fits, Fits]] = {}
        self._typed: Array = np.full(roads.values.together.shape[1:], np.nan)
        for name, numbers in sheet.numbers.items():
            self._typed[:, roads.values.places[name]] = numbers
        self._true = _Side(roads, self._typed, roads.values)
        if roads.kept:
            self._true.keep(roads.kept)
        self._true.fill(_lane_zero(self._true.rooms.together.shape[:-1]))
        matching = self._true.matching[0]
        sides: Array = _near_side(self._typed, roads.values.together, self._true.active)
        right = roads.values.alike(matching & sides)
        self._is_open: Array = roads.rounded & ~right.together & np.isfinite(self._typed)
        self._is_moved = self._may_move(sheet, right)
        self._rounding = self._rounding_on_paper(sheet, right) if self._is_moved else {}
        self.steps = self._comparisons(sheet, matching, sides, right)

    def _may_move(self, sheet: Sheet, right: Table) -> bool:
        """Whether putting typed values in changes anything: for a step not right that a typed value flows into."""
        settled = all(
            (right[name].all(axis=-1) | np.isnan(numbers).any(axis=-1)).all() for name, numbers in sheet.numbers.items()
        )
        return not settled and any(step.needs & sheet.carried.keys() for step in self._problem.steps)

    def _rounding_on_paper(self, sheet: Sheet, right: Table) -> dict[str, Array]:
        return {
            name: typed_rounding(self._problem.step(name), sheet, right[name])
            for name in sheet.carried
            if self._problem.step(name) in self._problem.passed_on
        }

    def _comparisons(self, sheet: Sheet, matching: Array, sides: Array, right: Table) -> dict[str, Comparison]:
        values, rooms = self._roads.values, self._true.rooms
        own_key, own = values.together[0], matching
        if self._is_moved:
            key = self._side_of(())
            key.fill(np.asarray((key.unsettled() & self._is_open).any(axis=-1)))
            own_key, own = key.values.together[0], key.matching[0]
        return {
            name: Comparison(
                given=numbers,
                values=values[name],
                active=self._true.active[..., place],
                right=right[name],
                near_side=sides[:, place],
                room=rooms[name][0] if name in rooms else np.zeros_like(numbers),
                own_key=own_key[:, place],
                own=own[:, place],
            )
            for name, numbers in sheet.numbers.items()
            for place in (values.places[name],)
        }

    def _side_of(self, lanes: Sequence[Mistake]) -> _Side:
        values = self._roads.following(lanes, self._carried)
        return _Side(self._roads, self._typed, values, self._carried, self._rounding)

    @cached_property
    def _own(self) -> _Side:
        """All lanes with the typed values put in: costly, and asked for only where nothing else explains an answer."""
        return self._side_of(self._problem.mistakes)

    def fits(self, step: Step) -> tuple[Fits, Fits]:
        """What matches at a step from the drawn numbers, and from the typed values put in; worked out once a batch."""
        if step.name not in self._fits:
            place = self._roads.values.places[step.name]
            true = own = self._true.fits(place, self._is_open)
            if self._is_moved and self._problem.upstream[step.name] & self._carried.keys():
                own = self._own.fits(place, self._is_open)
            self._fits[step.name] = (true, own)
        return self._fits[step.name]


def _lane_zero(shape: tuple[int, ...]) -> Array:
    """The key of every row, among lanes and rows (L, B)."""
    wanted = np.zeros(shape, dtype=bool)
    wanted[0] = True
    return wanted


def _near_side(given: Array, values: Array, active: Array) -> Array:
    """Where no active mistake lies nearer to the answer than the key does, (B, R)."""
    with np.errstate(all="ignore"):
        nearer = np.abs(given - values) < np.abs(given - values[0]) * (1 - 1e-9)
        return np.asarray(~(nearer & active).any(axis=0))


def coarse_entries(step: Step, sheet: Sheet, row: int, candidates: Array, active: Array, target: Array) -> Array | None:
    """Which entries (n,) are the target value with fewer digits than asked, and no active mistake rounded the same.

    None where no entry has fewer digits.
    ``candidates`` (L, n) are the values on every lane, ``active`` (L, n) where they differ from the key.
    """
    reading = sheet.readings[step.name][row]
    parts = [part.digits for part in reading.entries or (reading,)]
    coarse = {entry: digits for entry, digits in enumerate(parts) if digits is not None and digits < step.digits}
    if not coarse:
        return None
    found = np.zeros(target.shape, dtype=bool)
    for entry, digits in coarse.items():
        if entry >= len(found):
            continue
        given = sheet.numbers[step.name][row, entry]
        lanes = np.append(candidates[active[:, entry], entry], target[entry])
        with np.errstate(all="ignore"):
            rounds_here = np.abs(lanes - given) <= half_unit(lanes, digits) * (1 + 1e-9)
        found[entry] = rounds_here[-1] and not rounds_here[:-1].any()
    return found
