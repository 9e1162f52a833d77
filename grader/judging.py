"""Judging one learner's answers, step by step, from what the comparison found to match."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from grader import remarks
from grader.comparing import Compared, Comparison, Fits, coarse_entries
from grader.functions import Array
from grader.graph import Mistake, Problem, Step
from grader.reading import Reading, read
from grader.sheet import Sheet
from grader.template import Drawn
from grader.verdict import Mark

FULL, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)


@dataclass(frozen=True)
class _Entries:
    """One row of one step: which of its n entries are right, follow from own values, and both."""

    right: Array
    own: Array
    compared: Comparison
    row: int

    @property
    def size(self) -> int:
        return int(self.right.shape[0])


@dataclass(frozen=True)
class _Shown:
    """How far each lane explains one row of a step."""

    step: Step
    fits: Fits
    row: int

    def explaining(self, earned: Array) -> tuple[Array, Array]:
        """Which lanes (L,) match at every entry, and which, for a vector, at every entry that is not earned."""
        fits: Array = self.fits.matching[:, self.row]
        shown: Array = fits & self.fits.active[:, self.row] & ~earned
        is_shown: Array = np.asarray(shown.any(axis=-1))
        whole: Array = is_shown & fits.all(axis=-1)
        if self.step.kind != "vector":
            return whole, np.zeros_like(whole)
        return whole, is_shown & ~whole & (shown | earned).all(axis=-1)


class Judge:
    """Marks the rows of one batch. Steps are judged in order, since a carried step depends on how earlier ones did."""

    def __init__(
        self,
        problem: Problem,
        drawn: Sequence[Drawn],
        sheet: Sheet,
        compared: Compared,
    ) -> None:
        self.problem = problem
        self.drawn = drawn
        self.sheet = sheet
        self.compared = compared
        self.order = {step.name: place for place, step in enumerate(problem.steps)}

    def marks(self, row: int) -> dict[str, Mark]:
        """The mark of every step that can be asked."""
        return _Row(self, row).marks()


class _Row:
    """The judgement of one submission.

    ``slips`` tells for each step that is not right where it went wrong: there, or where it was carried from. ``owed``
    remembers, for each step, the slips at weightless steps that it follows from; ``paid`` those that a step with a
    weight has paid for.
    """

    def __init__(self, judge: Judge, row: int) -> None:
        self.judge = judge
        self.problem = judge.problem
        self.row = row
        self.done: dict[str, Mark] = {}
        self.slips: dict[str, list[str]] = {}
        self.owed: dict[str, set[str]] = {}
        self.paid: set[str] = set()

    def marks(self) -> dict[str, Mark]:
        for step in self.problem.asked:
            readings = self.judge.sheet.readings.get(step.name)
            mark = Mark(step.name, "blank") if readings is None else self._judged(step, readings[self.row])
            self.done[step.name] = mark
            if mark.outcome != "carried":
                self.slips[step.name] = [step.name]
            if mark.outcome in ("wrong", "mistake") and not step.weight:
                self.owed[step.name] = {step.name}
        return self.done

    def _judged(self, step: Step, reading: Reading) -> Mark:
        if reading.status == "blank":
            return Mark(step.name, "blank")
        if reading.status == "unreadable":
            return Mark(step.name, "unreadable", message=reading.message)
        mark = self._judged_text(step, reading) if step.kind == "text" else self._judged_value(step, reading)
        # Written out: ``replace`` takes longer than to judge a step that is right.
        return Mark(mark.step, mark.outcome, mark.note, mark.credit, mark.message, reading.shown, mark.entries)

    def _judged_text(self, step: Step, reading: Reading) -> Mark:
        if any(read("text", form).value == reading.value for form in step.accept):
            return Mark(step.name, "right", credit=FULL)
        for mistake in step.mistakes:
            if any(read("text", form).value == reading.value for form in mistake.accept):
                return self._mistaken(step, [mistake], NOTHING)
        return Mark(step.name, "wrong")

    def _judged_value(self, step: Step, reading: Reading) -> Mark:
        compared = self.judge.compared.steps[step.name]
        key = compared.values[0, self.row]
        says_undefined = isinstance(reading.value, float) and np.isnan(reading.value)
        if says_undefined:
            if np.isnan(key).any():
                return Mark(step.name, "right", credit=FULL)
            return Mark(step.name, "wrong", "not-undefined", message=remarks.NOT_UNDEFINED)
        right = compared.right[self.row]
        if compared.is_right[self.row]:
            return Mark(step.name, "right", credit=FULL, entries=_told(step, right))
        entries = _Entries(right, self._own_entries(step, compared), compared, self.row)
        if not np.isfinite(compared.given[self.row]).all():
            return Mark(step.name, "wrong", message=remarks.wrong_size(entries.size) if step.kind == "shape" else "")
        return (
            self._carried(step, entries)
            or self._named(step, entries)
            or self._universal(step, entries)
            or self._wrong(step, entries)
        )

    def _own_entries(self, step: Step, compared: Comparison) -> Array:
        """Which entries (n,) follow from own values, and do not rather show a mistake that lies nearer and matches.

        Only mistakes at this step and at those between it and what was typed count: what went wrong further up stands
        in the typed values, and following from those is what carrying means.
        """
        own: Array = compared.own[self.row]
        if not compared.is_suspect[self.row]:
            return own
        between = self._upstream(step)[1]
        suspect = compared.suspect[:, self.row] & np.array(
            [[not between.isdisjoint(mistake.formulas)] for mistake in self.problem.mistakes], dtype=bool
        )
        if not suspect.any():
            return own
        shown = suspect & self.judge.compared.fits(step)[0].matching[1:, self.row]
        return np.asarray(own & ~shown.any(axis=0))

    def _is_carried(self, name: str) -> bool:
        """Whether the value typed at a step stands in for it in later ones."""
        given = self.judge.sheet.carried.get(name)
        return name in self.done and given is not None and bool(given.present[self.row, 0])

    # Right by own rounding, and error carried forward

    def _carried(self, step: Step, entries: _Entries) -> Mark | None:
        if not (entries.right | entries.own).all():
            return None
        sources = self._own_sources(step)
        wrong = [name for name in sources if self.done[name].outcome != "right"]
        if not sources:
            return None
        if not wrong:
            near = entries.compared.near_side[self.row]
            if not (entries.right | near).all():
                return None
            return Mark(step.name, "right", "own-rounding", FULL, entries=(True,) * len(_told(step, entries.right)))
        if self._refusal(step, entries, wrong):
            return None
        credit = HALF if self._pays(step, wrong) else FULL
        slips = list(dict.fromkeys(slip for name in wrong for slip in self.slips[name]))
        self.slips[step.name] = slips
        told = (True,) * len(_told(step, entries.right))
        return Mark(
            step.name, "carried", "", credit, remarks.carried(self._symbols(slips), paid=credit == HALF), entries=told
        )

    def _symbols(self, names: Sequence[str]) -> list[str]:
        """Steps as the page calls them."""
        return [f"${self.problem.step(name).symbol}$" for name in names]

    def _pays(self, step: Step, wrong: Sequence[str]) -> bool:
        """Whether a carried step pays for a slip that cost nothing where it was made; the first with a weight does."""
        owed = set().union(*(self.owed.get(name, set()) for name in wrong)) - self.paid
        if not step.weight:
            self.owed[step.name] = owed
            return False
        self.paid |= owed
        return bool(owed)

    def _own_sources(self, step: Step) -> list[str]:
        """The earlier steps whose typed value flows into this one, not passing through another typed one."""
        return self._upstream(step)[0]

    def _upstream(self, step: Step) -> tuple[list[str], set[str]]:
        """The typed steps that flow into this one, and the steps not typed in between, this one among them."""
        typed: set[str] = set()
        between = {step.name}
        waiting = set(step.needs)
        while waiting:
            name = waiting.pop()
            if self._is_carried(name):
                typed.add(name)
            elif name in self.judge.order and name not in between:
                between.add(name)
                waiting |= self.problem.step(name).needs
        return sorted(typed, key=self.judge.order.__getitem__), between

    def _refusal(self, step: Step, entries: _Entries, wrong: Sequence[str]) -> str:
        """Why a value that follows from wrong ones is not carried; empty if it is."""
        own = entries.compared.own_key[self.row]
        # The first option stands at place 0 and is a value like any other.
        may_be_zero = step.kind in ("choice", "choices")
        if not np.isfinite(own).all() or not (own.any() or may_be_zero):
            return remarks.CARRIED_TO_NOTHING
        for name in wrong:
            if not self.problem.step(name).carry:
                return remarks.not_carried_on(self._symbols([name])[0])
            interval = self.problem.step(name).interval
            typed = self.judge.sheet.carried[name].values[self.row]
            if interval is not None and not all(interval.holds(float(value)) for value in typed):
                return remarks.outside(self._symbols([name])[0], interval.low, interval.high)
        return ""

    # Named mistakes

    def _named(self, step: Step, entries: _Entries) -> Mark | None:
        matching = self._matching(step, entries)
        if not matching:
            return None
        nearest = max(self.judge.order[mistake.step] for mistake in matching)
        chosen = [mistake for mistake in matching if self.judge.order[mistake.step] == nearest]
        return self._mistaken(step, chosen, self._entry_credit(step, entries), entries)

    def _matching(self, step: Step, entries: _Entries) -> list[Mistake]:
        """The mistakes that explain the answer; one that fits at every entry rules out those that fit at some."""
        true, own = (_Shown(step, fits, self.row) for fits in self.judge.compared.fits(step))
        earned = entries.right | entries.own
        whole_true, part_true = true.explaining(entries.right)
        whole_own, part_own = own.explaining(earned)
        whole = whole_true | (whole_own & ~part_true)
        part = part_true | part_own
        lanes = np.flatnonzero(whole[1:] if whole[1:].any() else part[1:])
        return [self.problem.mistakes[lane] for lane in lanes]

    def _mistaken(
        self, step: Step, chosen: Sequence[Mistake], floor: Fraction, entries: _Entries | None = None
    ) -> Mark:
        drawn = self.judge.drawn[self.row]
        note = chosen[0].note if len(chosen) == 1 else "ambiguous"
        message = remarks.either([mistake.says.fill(drawn) for mistake in chosen])
        credit = max(min(mistake.credit for mistake in chosen), floor)
        told = _told(step, entries.right) if entries is not None else ()
        return Mark(step.name, "mistake", note, min(credit, FULL), message, entries=told)

    # Mistakes that every numeric step may show

    def _universal(self, step: Step, entries: _Entries) -> Mark | None:
        if not step.rounded:
            return None
        targets = [entries.compared.values[0, self.row]]
        sources = self._own_sources(step)
        wrong = [name for name in sources if self.done[name].outcome != "right"]
        if wrong and not self._refusal(step, entries, wrong):
            targets.append(entries.compared.own_key[self.row])
        given, room = entries.compared.given[self.row], entries.compared.room[self.row]
        floor = self._entry_credit(step, entries)
        for target in targets:
            coarse = self._coarse(step, entries, target)
            if coarse is not None:
                return coarse
            note = _universal_note(given, target, room)
            if note:
                return Mark(
                    step.name, "mistake", note, floor, remarks.UNIVERSAL[note], entries=_told(step, entries.right)
                )
        return None

    def _coarse(self, step: Step, entries: _Entries, target: Array) -> Mark | None:
        compared = entries.compared
        active = compared.active[:, self.row]
        coarse = coarse_entries(step, self.judge.sheet, self.row, compared.values[:, self.row], active, target)
        earned = entries.right | (entries.own if target is not compared.values[0, self.row] else entries.right)
        if not (coarse & ~earned).any() or not (coarse | earned).all():
            return None
        count = Fraction(int(earned.sum())) + HALF * int((coarse & ~earned).sum())
        message = remarks.coarse(step.digits)
        return Mark(step.name, "mistake", "coarse", count / entries.size, message, entries=_told(step, entries.right))

    # Wrong

    def _wrong(self, step: Step, entries: _Entries) -> Mark:
        note, message = "", ""
        if np.isnan(entries.compared.values[0, self.row]).any():
            note, message = "undefined-here", remarks.UNDEFINED_HERE if step.undefined else ""
        wrong = [name for name in self._own_sources(step) if self.done[name].outcome != "right"]
        if wrong and (entries.right | entries.own).all():
            note, message = "carry-refused", self._refusal(step, entries, wrong)
        credit = self._entry_credit(step, entries)
        return Mark(step.name, "wrong", note, credit, message, entries=_told(step, entries.right))

    def _entry_credit(self, step: Step, entries: _Entries) -> Fraction:
        """What single entries earn: right entries / n for a vector, hits less false picks for several choices."""
        if step.kind == "vector":
            return Fraction(int(entries.right.sum()), entries.size)
        if step.kind == "choices":
            key = entries.compared.values[0, self.row] > 0
            given = entries.compared.given[self.row] > 0
            hits, false = int((key & given).sum()), int((~key & given).sum())
            return max(NOTHING, Fraction(hits - false, max(1, int(key.sum()))))
        return NOTHING


def _told(step: Step, right: Array) -> tuple[bool, ...]:
    """Which entries were right, told for vectors only."""
    return tuple(bool(entry) for entry in right) if step.kind == "vector" else ()


def _universal_note(given: Array, target: Array, room: Array) -> str:
    """The note of a mistake that any number may show, by comparing with the target changed in that way."""
    with np.errstate(all="ignore"):
        if not np.isfinite(target).all() or not target.any():
            return ""
        if (np.abs(given + target) <= room).all():
            return "lost-sign"
        for power in (-2, 2, -1, 1, -3, 3):
            factor = 10.0**power
            if (np.abs(given - target * factor) <= room * factor).all():
                return "percent" if abs(power) == 2 else "power-of-ten"
        if len(given) > 1:
            order, rank = np.argsort(given), np.argsort(target)
            if (np.abs(given[order] - target[rank]) <= room[rank]).all():
                return "other-order"
    return ""
