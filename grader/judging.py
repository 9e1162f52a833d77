"""Judging one learner's answers, step by step, from what the comparison found to match."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from grader import remarks
from grader.at_once import AtOnce
from grader.comparing import Compared, coarse_entries
from grader.functions import Array
from grader.graph import Mistake, Problem, Step
from grader.reading import Reading, read
from grader.sheet import Sheet
from grader.template import Drawn
from grader.verdict import Mark

FULL, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)


class _Entries:
    """One row of one step: which of its n entries are right, follow from own values, and both."""

    def __init__(self, at_once: AtOnce, row: int, own: Array | None) -> None:
        """``own`` where it is not what the comparison found to follow."""
        self.at_once = at_once
        self.row = row
        self.is_usual = own is None
        self.right: Array = at_once.of.right[row]
        self.own: Array = at_once.of.own[row] if own is None else own

    @property
    def size(self) -> int:
        return int(self.right.shape[0])

    @property
    def follow(self) -> bool:
        """Whether every entry is right or follows from own values."""
        return self.at_once.follows[self.row] if self.is_usual else bool((self.right | self.own).all())

    @property
    def lanes(self) -> Sequence[int]:
        """The mistakes that explain the answer."""
        if self.is_usual:
            return self.at_once.lanes.get(self.row, ())
        return self.at_once.lanes_given(self.row, self.own)


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
        self.order = {step.name: place for place, step in enumerate(problem.steps)}
        self.asked = [(step, sheet.readings.get(step.name)) for step in problem.asked]
        self.at_once = {name: AtOnce(problem.step(name), compared) for name in compared.steps}
        self._present = {name: given.present[:, 0].tolist() for name, given in sheet.carried.items()}
        self._upstream: dict[tuple[str, frozenset[str]], tuple[list[str], set[str]]] = {}

    def marks(self, row: int) -> dict[str, Mark]:
        """The mark of every step that can be asked."""
        return _Row(self, row).marks()

    def typed(self, row: int) -> frozenset[str]:
        """The steps whose typed value stands in for them in later ones."""
        return frozenset(name for name, present in self._present.items() if present[row])

    def upstream(self, step: Step, typed: frozenset[str]) -> tuple[list[str], set[str]]:
        """The typed steps that flow into this one, not passing through another typed one, and the steps not typed in
        between, this one among them."""
        key = step.name, typed
        if key not in self._upstream:
            found: set[str] = set()
            between = {step.name}
            waiting = set(step.needs)
            while waiting:
                name = waiting.pop()
                if name in typed:
                    found.add(name)
                elif name in self.order and name not in between:
                    between.add(name)
                    waiting |= self.problem.step(name).needs
            self._upstream[key] = sorted(found, key=self.order.__getitem__), between
        return self._upstream[key]


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
        for step, readings in self.judge.asked:
            mark = Mark(step.name, "blank") if readings is None else self._judged(step, readings[self.row])
            self.done[step.name] = mark
            if mark.outcome not in ("right", "carried"):
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
        return Mark(mark.step, mark.outcome, mark.note, mark.credit, mark.message, reading.shown, mark.entries)

    def _judged_text(self, step: Step, reading: Reading) -> Mark:
        if any(read("text", form).value == reading.value for form in step.accept):
            return Mark(step.name, "right", credit=FULL)
        for mistake in step.mistakes:
            if any(read("text", form).value == reading.value for form in mistake.accept):
                return self._mistaken(step, [mistake], NOTHING)
        return Mark(step.name, "wrong")

    def _judged_value(self, step: Step, reading: Reading) -> Mark:
        at_once, row = self.judge.at_once[step.name], self.row
        # "Undefined" is the only value that is not itself.
        if reading.value != reading.value:
            if at_once.is_undefined[row]:
                return Mark(step.name, "right", credit=FULL)
            return Mark(step.name, "wrong", "not-undefined", message=remarks.NOT_UNDEFINED)
        if at_once.is_right[row]:
            return Mark(step.name, "right", credit=FULL, entries=_told(step, at_once.of.right[row]))
        entries = _Entries(at_once, row, self._own_entries(step, at_once))
        if not at_once.is_finite[row]:
            return Mark(step.name, "wrong", message=remarks.wrong_size(entries.size) if step.kind == "shape" else "")
        return (
            self._carried(step, entries)
            or self._named(step, entries)
            or self._universal(step, entries)
            or self._wrong(step, entries)
        )

    def _own_entries(self, step: Step, at_once: AtOnce) -> Array | None:
        """Which entries (n,) follow from own values, and do not rather show a mistake that lies nearer and matches.

        None where that is what the comparison found.
        Only mistakes at this step and at those between it and what was typed count: what went wrong further up stands
        in the typed values, and following from those is what carrying means.
        """
        if not at_once.is_suspect[self.row]:
            return None
        between = self.judge.upstream(step, self._typed)[1]
        suspect = at_once.suspect[:, self.row] & np.array(
            [[not between.isdisjoint(mistake.formulas)] for mistake in self.problem.mistakes], dtype=bool
        )
        if not suspect.any():
            return None
        shown = suspect & at_once.fits[0].matching[1:, self.row]
        return np.asarray(at_once.of.own[self.row] & ~shown.any(axis=0))

    @cached_property
    def _typed(self) -> frozenset[str]:
        return self.judge.typed(self.row)

    # Right by own rounding, and error carried forward

    def _carried(self, step: Step, entries: _Entries) -> Mark | None:
        if not entries.follow:
            return None
        sources = self._own_sources(step)
        wrong = [name for name in sources if self.done[name].outcome != "right"]
        if not sources:
            return None
        if not wrong:
            near = entries.at_once.of.near_side[self.row]
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
        return self.judge.upstream(step, self._typed)[0]

    def _wrong_sources(self, step: Step) -> list[str]:
        return [name for name in self._own_sources(step) if self.done[name].outcome != "right"]

    def _refusal(self, step: Step, entries: _Entries, wrong: Sequence[str]) -> str:
        """Why a value that follows from wrong ones is not carried; empty if it is."""
        if not entries.at_once.is_something[self.row]:
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
        matching = [self.problem.mistakes[lane] for lane in entries.lanes]
        if not matching:
            return None
        nearest = max(self.judge.order[mistake.step] for mistake in matching)
        chosen = [mistake for mistake in matching if self.judge.order[mistake.step] == nearest]
        return self._mistaken(step, chosen, self._entry_credit(step, entries), entries)

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
        of = entries.at_once.of
        targets = [(of.values[0, self.row], entries.at_once.notes[self.row])]
        wrong = self._wrong_sources(step)
        if wrong and not self._refusal(step, entries, wrong):
            targets.append((of.own_key[self.row], entries.at_once.own_notes[self.row]))
        floor = self._entry_credit(step, entries)
        for target, note in targets:
            coarse = self._coarse(step, entries, target)
            if coarse is not None:
                return coarse
            if note:
                return Mark(
                    step.name, "mistake", note, floor, remarks.UNIVERSAL[note], entries=_told(step, entries.right)
                )
        return None

    def _coarse(self, step: Step, entries: _Entries, target: Array) -> Mark | None:
        of, earned = entries.at_once.of, entries.right | entries.own
        active = of.active[:, self.row]
        coarse = coarse_entries(step, self.judge.sheet, self.row, of.values[:, self.row], active, target)
        if coarse is None or not (coarse & ~earned).any() or not (coarse | earned).all():
            return None
        count = Fraction(int(earned.sum())) + HALF * int((coarse & ~earned).sum())
        message = remarks.coarse(step.digits)
        return Mark(step.name, "mistake", "coarse", count / entries.size, message, entries=_told(step, entries.right))

    # Wrong

    def _wrong(self, step: Step, entries: _Entries) -> Mark:
        note, message = "", ""
        if entries.at_once.is_undefined[self.row]:
            note, message = "undefined-here", remarks.UNDEFINED_HERE if step.undefined else ""
        wrong = self._wrong_sources(step)
        if wrong and entries.follow:
            note, message = "carry-refused", self._refusal(step, entries, wrong)
        credit = self._entry_credit(step, entries)
        return Mark(step.name, "wrong", note, credit, message, entries=_told(step, entries.right))

    def _entry_credit(self, step: Step, entries: _Entries) -> Fraction:
        """What single entries earn: right entries / n for a vector, hits less false picks for several choices."""
        if step.kind == "vector":
            return Fraction(int(entries.right.sum()), entries.size)
        if step.kind == "choices":
            key = entries.at_once.of.values[0, self.row] > 0
            given = entries.at_once.of.given[self.row] > 0
            hits, false = int((key & given).sum()), int((~key & given).sum())
            return max(NOTHING, Fraction(hits - false, max(1, int(key.sum()))))
        return NOTHING


def _told(step: Step, right: Array) -> tuple[bool, ...]:
    """Which entries were right, told for vectors only."""
    return tuple(bool(entry) for entry in right) if step.kind == "vector" else ()
