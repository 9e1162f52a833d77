"""Counting up what a class did at one item: a fold over first tries, and plain data so that it can be gone on with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any

from exercises.courses.clusters import Cluster, WrongAnswer, clusters
from exercises.courses.statistics import ItemFigures, Surprise, VariantFigures, item_figures, variant_figures
from exercises.mastery.mistakes import wilson

#: Unexplained answers kept of a step, and variants of an item: more of them tell no more.
MOST_WRONG, MOST_VARIANTS = 2_000, 2_000
#: Columns of the distribution of scores.
BINS = 10
RIGHT = ("right", "carried")


@dataclass(frozen=True)
class FirstTry:
    """What one learner did first at an item, before any help.

    share      of the item earned then, in [0, 1]; tries are all they took
    seconds    from the begin of the attempt, or from the answer before, to this one; None where that says nothing
    marks      (step, outcome, note), in the order of the problem
    active     notes of the mistakes that could show on their variant
    wrong      (step, answer, key) of numbers that no note explains
    """

    learner: int
    variant: str
    share: float
    tries: int
    seconds: float | None
    is_aided: bool
    marks: Sequence[tuple[str, str, str]]
    active: Sequence[str]
    wrong: Sequence[tuple[str, float, float]] = ()


@dataclass
class Tally:
    """All of it so far. Learners count once: whoever comes again, as after an interruption, is counted anew."""

    scores: dict[int, float] = field(default_factory=dict)
    aided: int = 0
    tries: dict[int, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    # In the order of the problem, which a database does not keep of the keys of an object.
    steps: list[str] = field(default_factory=list)
    first_wrong: dict[str, int] = field(default_factory=dict)
    answered: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)
    notes: dict[str, list[int]] = field(default_factory=dict)
    unexplained: dict[str, list[list[Any]]] = field(default_factory=dict)
    variants: dict[str, list[float]] = field(default_factory=dict)

    def take(self, one: FirstTry) -> None:
        """One more learner."""
        self.tries[one.learner] = one.tries
        if one.is_aided:
            # What somebody does with a hint in hand says little of the item.
            self.aided += 1
            return
        self.scores[one.learner] = one.share
        if one.seconds is not None:
            self.seconds.append(round(one.seconds, 1))
        self._take_marks(one)
        for step, answer, key in one.wrong:
            kept = self.unexplained.setdefault(step, [])
            if len(kept) < MOST_WRONG:
                kept.append([one.learner, one.variant, answer, key])

    def _take_marks(self, one: FirstTry) -> None:
        made = {note for _, outcome, note in one.marks if outcome == "mistake" and note}
        answered = {step for step, outcome, _ in one.marks if outcome != "blank"}
        self.steps += [step for step, _, _ in one.marks if step not in self.steps]
        for step, outcome, _ in one.marks:
            if outcome != "blank":
                self.answered[step] = self.answered.get(step, 0) + 1
            if outcome in ("mistake", "wrong"):
                self.wrong[step] = self.wrong.get(step, 0) + 1
        first = next((step for step, outcome, _ in one.marks if outcome in ("mistake", "wrong")), None)
        if first is not None:
            self.first_wrong[first] = self.first_wrong.get(first, 0) + 1
        # A mistake could show where it was active and its step was answered; those of any number wherever it was made.
        possible = {note for note in one.active if note.partition(".")[0] in answered} | made
        for note in possible:
            count = self.notes.setdefault(note, [0, 0])
            count[0] += note in made
            count[1] += 1

    def surprise(self, variant: str, e: float, foreseen: float) -> None:
        """One first unaided step on a variant: ``e`` in [0, 1] where ``foreseen`` was expected."""
        if variant not in self.variants and len(self.variants) >= MOST_VARIANTS:
            return
        before = self.variants.get(variant, [0, 0.0, 0.0])
        after = Surprise(int(before[0]), before[1], before[2]).with_try(e, foreseen)
        self.variants[variant] = [after.tries, after.total, after.spread]

    def to_json(self) -> dict[str, Any]:
        """Plain data, which ``from_json`` goes on from."""
        return {**vars(self), "scores": list(self.scores.items()), "tries": list(self.tries.items())}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Tally":
        """The tally that ``to_json`` wrote."""
        return cls(**{**data, "scores": dict(data["scores"]), "tries": dict(data["tries"])})


@dataclass(frozen=True)
class NoteFigures:
    """One named mistake: made by ``k`` of the ``n`` learners in whose first try it could show, with a 95 % interval."""

    note: str
    k: int
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class StepFigures:
    """One step: how many answered it, were wrong there, and were wrong there first; and what no mistake explains."""

    step: str
    answered: int
    wrong: int
    first_wrong: int
    clusters: tuple[Cluster, ...]


@dataclass(frozen=True)
class ItemReport:
    """Everything that is said of one item. ``seconds`` is the median, ``tries`` the mean; None where there is none."""

    figures: ItemFigures
    aided: int
    tries: float | None
    seconds: float | None
    scores: tuple[int, ...]
    steps: tuple[StepFigures, ...]
    notes: tuple[NoteFigures, ...]
    variants: Mapping[str, VariantFigures]


def report_of(tally: Tally, rest: Mapping[int, float]) -> ItemReport:
    """What a tally comes to; ``rest`` is what each learner earned on the other items."""
    bins = [0] * BINS
    for share in tally.scores.values():
        bins[min(int(share * BINS), BINS - 1)] += 1
    surprises = {name: Surprise(int(n), total, spread) for name, (n, total, spread) in tally.variants.items()}
    return ItemReport(
        figures=item_figures(tally.scores, rest),
        aided=tally.aided,
        tries=fmean(tally.tries.values()) if tally.tries else None,
        seconds=median(tally.seconds) if tally.seconds else None,
        scores=tuple(bins),
        steps=tuple(_step(tally, step) for step in tally.steps if step in tally.answered),
        notes=tuple(sorted((_note(note, k, n) for note, (k, n) in tally.notes.items() if k), key=_most_first)),
        variants=variant_figures(surprises),
    )


def _step(tally: Tally, step: str) -> StepFigures:
    wrong = tally.wrong.get(step, 0)
    rows = [WrongAnswer(int(who), str(on), answer, key) for who, on, answer, key in tally.unexplained.get(step, [])]
    return StepFigures(
        step=step,
        answered=tally.answered[step],
        wrong=wrong,
        first_wrong=tally.first_wrong.get(step, 0),
        clusters=tuple(clusters(rows, all_wrong=wrong)),
    )


def _note(note: str, k: int, n: int) -> NoteFigures:
    low, high = wilson(k, n)
    return NoteFigures(note, k, n, low, high)


def _most_first(one: NoteFigures) -> tuple[int, str]:
    return -one.k, one.note
