"""What judging asks of an answer, asked of all answers of a batch at once.

To ask numpy row by row takes longer than all else that is done for an answer. Each question is worked out when it is
first asked, and its answers are plain Python, a row each.
"""

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from grader.comparing import Compared, Comparison, Fits
from grader.functions import Array
from grader.graph import Step

#: The mistakes that any number may show, in the order in which they are looked for; by what each is off.
_POWERS = (-2, 2, -1, 1, -3, 3)
_FACTORS = np.array([10.0**power for power in _POWERS])[:, None, None]
_NOTES = ("lost-sign", *("percent" if abs(power) == 2 else "power-of-ten" for power in _POWERS), "other-order", "")


class AtOnce:
    """One step of a batch that somebody answered, by a value."""

    def __init__(self, step: Step, compared: Compared) -> None:
        self.step = step
        self.of: Comparison = compared.steps[step.name]
        self._compared = compared

    @cached_property
    def is_right(self) -> list[bool]:
        """Right at every entry."""
        return _told(self.of.right.all(axis=-1))

    @cached_property
    def is_undefined(self) -> list[bool]:
        """The key has no value, at some entry."""
        return _told(np.isnan(self.of.values[0]).any(axis=-1))

    @cached_property
    def is_finite(self) -> list[bool]:
        """A number was typed for every entry."""
        return _told(np.isfinite(self.of.given).all(axis=-1))

    @cached_property
    def follows(self) -> list[bool]:
        """Every entry is right, or follows from what was typed earlier."""
        return _told((self.of.right | self.of.own).all(axis=-1))

    @cached_property
    def is_something(self) -> list[bool]:
        """What follows from the typed values has a value at every entry, and is not nothing at all."""
        own = self.of.own_key
        is_finite = np.isfinite(own).all(axis=-1)
        # The first option stands at place 0 and is a value like any other.
        return _told(is_finite if self.step.kind in ("choice", "choices") else is_finite & own.any(axis=-1))

    @cached_property
    def suspect(self) -> Array:
        """Where an entry follows from what was typed, but lies nearer to an active mistake, (L - 1, B, n)."""
        of = self.of
        with np.errstate(all="ignore"):
            distance = np.abs(of.given - of.own_key) * (1 - 1e-9)
            nearer = np.abs(of.given - of.values[1:]) < distance
        return np.asarray(nearer & of.active[1:] & of.own & ~of.right)

    @cached_property
    def is_suspect(self) -> list[bool]:
        """Whether a row is so at any entry, by any mistake."""
        return _told(self.suspect.any(axis=(0, -1)))

    @cached_property
    def fits(self) -> tuple[Fits, Fits]:
        """What matches from the drawn numbers, and from the typed values put in."""
        return self._compared.fits(self.step)

    @cached_property
    def lanes(self) -> Mapping[int, list[int]]:
        """For each row that any named mistake explains, the places of these mistakes, given that all that follows from
        what was typed earlier is earned."""
        found: dict[int, list[int]] = {}
        shown = self._explaining(slice(None), self.of.own)
        for row, lane in np.argwhere(shown.T).tolist():
            found.setdefault(row, []).append(lane)
        return found

    def lanes_given(self, row: int, own: Array) -> list[int]:
        """The same for one row, by the entries (n,) that follow from what was typed earlier."""
        lanes: list[int] = np.flatnonzero(self._explaining(slice(row, row + 1), own[None])).tolist()
        return lanes

    def _explaining(self, rows: slice, own: Array) -> Array:
        """Which mistakes explain which of these rows, (L - 1, B); one that fits at every entry rules out those that fit
        at some."""
        right = self.of.right[rows]
        true, follows = self.fits
        whole_true, part_true = _shown(true, self.step, rows, right)
        whole_own, part_own = _shown(follows, self.step, rows, right | own)
        whole = (whole_true | (whole_own & ~part_true))[1:]
        return np.where(whole.any(axis=0), whole, (part_true | part_own)[1:])

    @cached_property
    def notes(self) -> list[str]:
        """The mistake that any number may show, by the key; empty where it is none of them."""
        return _notes(self.of.given, self.of.values[0], self.of.room)

    @cached_property
    def own_notes(self) -> list[str]:
        """The same by what follows from the typed values."""
        return _notes(self.of.given, self.of.own_key, self.of.room)


def _told(found: Array | np.bool) -> list[bool]:
    told: list[bool] = np.asarray(found).tolist()
    return told


def _shown(fits: Fits, step: Step, rows: slice, earned: Array) -> tuple[Array, Array]:
    """Which lanes (L, B) match at every entry, and which, for a vector, at every entry that is not earned."""
    matching = fits.matching[:, rows]
    shown = matching & fits.active[:, rows] & ~earned
    is_shown: Array = np.asarray(shown.any(axis=-1))
    whole: Array = is_shown & matching.all(axis=-1)
    if step.kind != "vector":
        return whole, np.zeros_like(whole)
    return whole, np.asarray(is_shown & ~whole & (shown | earned).all(axis=-1))


def _notes(given: Array, target: Array, room: Array) -> list[str]:
    """By comparing with the target (B, n) changed in each of these ways; the first that fits."""
    with np.errstate(all="ignore"):
        is_something = np.isfinite(target).all(axis=-1) & target.any(axis=-1)
        found = [
            (np.abs(given + target) <= room).all(axis=-1)[None],
            (np.abs(given - target * _FACTORS) <= room * _FACTORS).all(axis=-1),
        ]
        if given.shape[-1] > 1:
            typed, rank = np.sort(given, axis=-1), np.argsort(target, axis=-1)
            off = np.abs(typed - np.take_along_axis(target, rank, axis=-1))
            found.append((off <= np.take_along_axis(room, rank, axis=-1)).all(axis=-1)[None])
        fits = np.concatenate(found) & is_something
    first = np.where(fits.any(axis=0), fits.argmax(axis=0), -1)
    return [_NOTES[place] for place in first.tolist()]
