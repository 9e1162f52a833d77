"""Comparing a batch of answers with every candidate: key, carried value, and each named mistake on both.

A candidate is compared with the allowance derived at that candidate. Allowances are the costly part, so they are worked
out for the key and the carried value, and else only where an answer lies near a candidate at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.allowance import allowances, half_unit
from grader.evaluation import NOISE, Given, differs, evaluate, scale, spread
from grader.formula import Env
from grader.functions import Array
from grader.graph import Problem, Step
from grader.separation import variant_lanes, without_noise
from grader.sheet import Sheet, typed_rounding

#: A candidate is looked at more closely if it is nearer to the answer than this share of the larger of both, or than
#: this share of the largest number it is made from: what rounding does to a difference goes by its operands.
NEAR = 0.25
NEAR_OPERANDS = 0.05
#: Up to this many lanes × rows go through the graph at once; beyond, lane by lane over the rows concerned.
AT_ONCE = 256


@dataclass(frozen=True)
class Comparison:
    """For one step: which entries of which rows match which candidates, all (L, B, n); lane 0 is the key.

    ``true`` are the lanes computed from the drawn numbers, ``own`` those computed from what was typed earlier;
    ``*_active`` tells where a mistake's value differs from lane 0.
    ``right`` (B, n) is a match with the key that does not lie nearer to an active mistake.
    """

    given: Array
    values: Array
    true: Array
    true_active: Array
    own_values: Array
    own: Array
    own_active: Array
    right: Array
    near_side: Array
    room: Array


class Roads:
    """The batch's variants on all lanes, true and from the learners' own values."""

    def __init__(self, problem: Problem, env: Env, rows: int) -> None:
        self.problem = problem
        self.env = env
        self.rows = rows
        self.lanes = problem.mistakes
        self.kept = variant_lanes(problem, env) if rows == 1 else None
        self.values: Mapping[str, Array] = (
            self.kept.values
            if self.kept
            else self._clean(spread(evaluate(problem, env, self.lanes), len(self.lanes) + 1, rows))
        )

    def _clean(self, values: dict[str, Array]) -> dict[str, Array]:
        return {name: without_noise(self.problem.step(name), self.env, values) for name in values}

    def compare(self, sheet: Sheet) -> dict[str, Comparison]:
        """The comparison of every step that anybody answered with a number."""
        steps = [self.problem.step(name) for name in sheet.numbers]
        scales = {step.name: scale(step, self.env, self.values) for step in steps}
        rooms: Mapping[str, Array] = self.kept.allowances if self.kept else self._key_rooms(steps)
        sides = {step.name: _near_side(sheet.numbers[step.name], self.values[step.name]) for step in steps}
        right = {
            step.name: _matches(step, sheet, self.values, rooms, scales, lanes=1)[0] & sides[step.name]
            for step in steps
        }
        if self.kept is None:
            self._fill_rooms(rooms, self.values, self._near(sheet, self.values, right), None, None)
        own_values, own_rooms = self._own(sheet, steps, right, rooms)
        return {
            step.name: Comparison(
                given=sheet.numbers[step.name],
                values=self.values[step.name],
                true=_matches(step, sheet, self.values, rooms, scales),
                true_active=differs(self.values[step.name], self.values[step.name][:1]),
                own_values=own_values[step.name],
                own=_matches(step, sheet, own_values, own_rooms, scales),
                own_active=differs(own_values[step.name], own_values[step.name][:1]),
                right=right[step.name],
                near_side=sides[step.name],
                room=rooms[step.name][0] if step.rounded else np.zeros_like(sheet.numbers[step.name]),
            )
            for step in steps
        }

    def _own(
        self, sheet: Sheet, steps: Sequence[Step], right: Mapping[str, Array], rooms: Mapping[str, Array]
    ) -> tuple[Mapping[str, Array], Mapping[str, Array]]:
        """Values and allowances with the typed values put in; the true ones where that can change nothing.

        It changes something only for a step that is not right and that a typed value flows into.
        """
        settled = all(
            bool((right[step.name].all(axis=-1) | np.isnan(sheet.numbers[step.name]).any(axis=-1)).all())
            for step in steps
        )
        if settled or not any(step.needs & sheet.carried.keys() for step in self.problem.steps):
            return self.values, rooms
        found = evaluate(self.problem, self.env, self.lanes, sheet.carried)
        values = self._clean(spread(found, len(self.lanes) + 1, self.rows))
        rounding = {
            name: typed_rounding(self.problem.step(name), sheet, right[name])
            for name in sheet.carried
            if self.problem.step(name).rounded
        }
        own_rooms = _no_rooms(steps, values)
        self._fill_rooms(own_rooms, values, self._near(sheet, values, right, key=True), sheet.carried, rounding)
        return values, own_rooms

    def _key_rooms(self, steps: Sequence[Step]) -> dict[str, Array]:
        """The allowance of the key of every row."""
        rooms = _no_rooms(steps, self.values)
        wanted = np.zeros((len(self.lanes) + 1, self.rows), dtype=bool)
        wanted[0] = True
        self._fill_rooms(rooms, self.values, wanted, None, None)
        return rooms

    def _near(
        self, sheet: Sheet, values: Mapping[str, Array], right: Mapping[str, Array], *, key: bool = False
    ) -> Array:
        """The lanes (L, B) that lie near an answer that is not right; lane 0 only if asked for."""
        near = np.zeros((len(self.lanes) + 1, self.rows), dtype=bool)
        for name, given in sheet.numbers.items():
            step = self.problem.step(name)
            if step.rounded and not right[name].all():
                open_entries = np.where(right[name], np.nan, given)
                near |= _is_near(step, open_entries, values).any(axis=-1)
                near[0] |= np.isfinite(open_entries).any(axis=-1)
        if not key:
            near[0] = False
        return near

    def _fill_rooms(
        self,
        rooms: Mapping[str, Array],
        values: Mapping[str, Array],
        wanted: Array,
        given: Mapping[str, Given] | None,
        rounding: Mapping[str, Array] | None,
    ) -> None:
        """Puts the allowances of the wanted lanes and rows, (L, B), in their places."""
        lanes = np.flatnonzero(wanted.any(axis=1))
        if not rooms or not len(lanes):
            return
        every = np.arange(self.rows)
        at_once = len(lanes) * self.rows <= AT_ONCE
        blocks = (
            [(lanes, every)]
            if at_once
            else [(lanes[k : k + 1], np.flatnonzero(wanted[lanes[k]])) for k in range(len(lanes))]
        )
        for some_lanes, some_rows in blocks:
            found = self._block(values, some_lanes, some_rows, given, rounding)
            for name in rooms:
                rooms[name][np.ix_(some_lanes, some_rows)] = found[name]

    def _block(
        self,
        values: Mapping[str, Array],
        lanes: Array,
        rows: Array,
        given: Mapping[str, Given] | None,
        rounding: Mapping[str, Array] | None,
    ) -> dict[str, Array]:
        env: Env = self.env
        if len(rows) < self.rows:
            env = {name: array[rows] for name, array in self.env.items()}
            given = {n: Given(g.values[rows], g.present[rows]) for n, g in given.items()} if given is not None else None
            rounding = {name: array[rows] for name, array in rounding.items()} if rounding is not None else None
        mistakes = [self.lanes[lane - 1] for lane in lanes if lane]
        picked = lanes if lanes[0] == 0 else np.concatenate([[0], lanes])
        cut = {name: value[np.ix_(picked, rows)] for name, value in values.items()}
        found = allowances(self.problem, env, mistakes, cut, given, rounding)
        return found if lanes[0] == 0 else {name: room[1:] for name, room in found.items()}


def _no_rooms(steps: Sequence[Step], values: Mapping[str, Array]) -> dict[str, Array]:
    """Allowances (L, B, n) still to be worked out: NaN, which matches nothing."""
    return {step.name: np.full(values[step.name].shape, np.nan) for step in steps if step.rounded}


def _is_near(step: Step, given: Array, values: Mapping[str, Array]) -> Array:
    """Which candidates may match at all, (L, B, n): rounding moves no value further than this."""
    candidates = values[step.name]
    operands = [np.abs(values[name]).max(axis=-1, keepdims=True, initial=0) for name in step.operands if name in values]
    with np.errstate(all="ignore"):
        distance = np.abs(given - candidates)
        near = distance <= NEAR * np.maximum(np.abs(given), np.abs(candidates)) + NOISE
        for operand in operands:
            near |= distance <= NEAR_OPERANDS * operand
    return np.asarray(near)


def _matches(
    step: Step,
    sheet: Sheet,
    values: Mapping[str, Array],
    rooms: Mapping[str, Array],
    scales: Mapping[str, Array],
    lanes: int | None = None,
) -> Array:
    given, candidates = sheet.numbers[step.name], values[step.name][:lanes]
    with np.errstate(all="ignore"):
        if not step.rounded:
            # Only what floating point leaves of a whole number is forgiven, however large it is.
            room = np.minimum(1e-9 * np.maximum(1.0, np.abs(candidates)), 1e-3)
            return np.asarray(np.abs(given - candidates) <= room)
        room = rooms[step.name][:lanes] * (1 + 1e-9) + NOISE * scales[step.name]
        matching = (np.abs(given - candidates) <= room) & np.isfinite(candidates)
        # One answer alone has every allowance at hand, a batch only those that may match: both must say the same.
        if len(matching) > 1:
            matching[1:] &= _is_near(step, given, values)[1:]
        return np.asarray(matching)


def _near_side(given: Array, values: Array) -> Array:
    """Where no active mistake lies nearer to the answer than the key does, (B, n)."""
    with np.errstate(all="ignore"):
        nearer = np.abs(given - values) < np.abs(given - values[0]) * (1 - 1e-9)
        return np.asarray(~(nearer & differs(values, values[:1])).any(axis=0))


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
