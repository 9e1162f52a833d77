"""What the answers of a class say about items and variants: facility, discrimination, fairness. No clock, no tables.

Everything here is of first tries without help, so that it is about the item and not about what followed. Nothing is
flagged on fewer learners than can bear it. Formulas: docs/statistics.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from statistics import NormalDist, fmean
from typing import Literal

#: Learners below which nothing is flagged, and below which discrimination is not even shown.
ENOUGH, FEW = 30, 10
#: Fewer learners than this are told to nobody who may not read their work.
SMALL = 5
#: Bounds of facility and of discrimination.
HARD, EASY, WEAK = 0.2, 0.95, 0.2
#: Of those who did best and worst, for the index of upper and lower group (Kelley 1939).
TAIL = 0.27
#: Standard deviation of what a variant may add to an item, in logits, before anything is known of it.
PRIOR = 0.3
#: Effect on the logit scale and deviation from which a variant is B or C: 1 and 1.5 ETS delta units are 0.43 and 0.64.
B_EFFECT, B_DEVIATION, C_EFFECT, C_DEVIATION = 0.43, 2.0, 0.64, 3.0
#: Of the variants that are flagged, so many may be fair ones.
FALSE_DISCOVERIES = 0.05

Flag = Literal["too-hard", "too-easy", "weak", "check-the-key"]
Class = Literal["A", "B", "C"]


@dataclass(frozen=True)
class ItemFigures:
    """One item over the learners who tried it.

    facility        mean share earned, in [0, 1], with a 95 % interval; None without learners
    discrimination  correlation of the item with the rest of the set, in [-1, 1]; None where it cannot be told
    upper_lower     facility in the best less that in the worst 27 %, by the rest of the set
    flags           only where the learners are enough
    """

    learners: int
    facility: float | None
    low: float | None
    high: float | None
    discrimination: float | None
    upper_lower: float | None
    flags: tuple[Flag, ...]


def item_figures(scores: Mapping[int, float], rest: Mapping[int, float]) -> ItemFigures:
    """Figures of an item: ``scores`` its share in [0, 1] by learner, ``rest`` what each earned on all other items."""
    learners = len(scores)
    facility = fmean(scores.values()) if scores else None
    low, high = _interval(list(scores.values()))
    both = sorted(scores.keys() & rest.keys())
    pairs = [(scores[learner], rest[learner]) for learner in both]
    discrimination = correlation(pairs) if len(pairs) >= FEW else None
    upper_lower = _upper_lower(pairs) if len(pairs) >= FEW else None
    flags = _flags(facility, discrimination) if learners >= ENOUGH else ()
    return ItemFigures(learners, facility, low, high, discrimination, upper_lower, flags)


def rests(scores: Mapping[int, Mapping[int, float]], weights: Mapping[int, float]) -> dict[int, dict[int, float]]:
    """For each item and learner what they earned on all *other* items, by weight; ``scores`` are by item and learner.

    A learner who tried no other item is left out of it: there is nothing to compare with.
    """
    found: dict[int, dict[int, float]] = {}
    for item in scores:
        sums: dict[int, list[float]] = {}
        for other, by_learner in scores.items():
            if other == item:
                continue
            for learner, share in by_learner.items():
                earned = sums.setdefault(learner, [0.0, 0.0])
                earned[0] += weights[other] * share
                earned[1] += weights[other]
        found[item] = {learner: earned / weight for learner, (earned, weight) in sums.items() if weight > 0}
    return found


def correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's r; None for fewer than three pairs, or where one side is the same for all."""
    if len(pairs) < 3:
        return None
    xs, ys = zip(*pairs, strict=True)
    mx, my = fmean(xs), fmean(ys)
    dx, dy = [x - mx for x in xs], [y - my for y in ys]
    size = sqrt(sum(d * d for d in dx)) * sqrt(sum(d * d for d in dy))
    # Differences that are nothing but the rounding of their means are no spread.
    if size < 1e-9 * len(pairs):
        return None
    return float(max(-1.0, min(1.0, sum(a * b for a, b in zip(dx, dy, strict=True)) / size)))


@dataclass(frozen=True)
class VariantFigures:
    """One variant against what its learners were expected to do.

    effect     how much harder (< 0) or easier it is, in logits, shrunk towards 0
    deviation  of its sum of surprises, in standard deviations
    grade      A fair · B · C; one that may be chance among so many variants stays A
    """

    learners: int
    effect: float
    deviation: float
    grade: Class


@dataclass(frozen=True)
class Surprise:
    """What the first unaided tries at one variant add up to: how many, Σ(e − p̂), Σ p̂(1 − p̂)."""

    tries: int = 0
    total: float = 0.0
    spread: float = 0.0

    def with_try(self, e: float, foreseen: float) -> "Surprise":
        """One more: ``e`` in [0, 1] where ``foreseen`` was expected."""
        return Surprise(self.tries + 1, self.total + e - foreseen, self.spread + foreseen * (1 - foreseen))


def variant_figures(surprises: Mapping[str, Surprise]) -> dict[str, VariantFigures]:
    """Figures of every variant of an item, by variant.

    δ = Σ(e − p̂) / (Σ p̂(1 − p̂) + 1/0.3²) and z = Σ(e − p̂) / √Σ p̂(1 − p̂). With many variants some look unfair by
    chance: Benjamini and Hochberg (1995) keep the share of false alarms under 5 %.
    """
    raw = {name: _effect(one) for name, one in surprises.items()}
    kept = not_by_chance({name: chance_of(deviation) for name, (_, deviation) in raw.items()})
    return {
        name: VariantFigures(
            surprises[name].tries, effect, deviation, grade_of(effect, deviation) if name in kept else "A"
        )
        for name, (effect, deviation) in raw.items()
    }


def grade_of(effect: float, deviation: float) -> Class:
    """The class of a variant by its effect in logits and by how far that is from chance."""
    if abs(effect) >= C_EFFECT and abs(deviation) >= C_DEVIATION:
        return "C"
    return "B" if abs(effect) >= B_EFFECT and abs(deviation) >= B_DEVIATION else "A"


def chance_of(deviation: float) -> float:
    """How likely chance alone goes so far, either way: the two tails of the normal distribution."""
    return erfc(abs(deviation) / sqrt(2))


def not_by_chance(chances: Mapping[str, float], share: float = FALSE_DISCOVERIES) -> set[str]:
    """Those of many that stand out though many were looked at: all up to the last that is at most its place in the
    order, as a part of their number, times ``share``."""
    ordered = sorted(chances.items(), key=lambda one: one[1])
    last = max(
        (place for place, (_, chance) in enumerate(ordered, start=1) if chance <= share * place / len(ordered)),
        default=0,
    )
    return {name for name, _ in ordered[:last]}


def _effect(one: Surprise) -> tuple[float, float]:
    return one.total / (one.spread + 1 / PRIOR**2), one.total / sqrt(one.spread) if one.spread > 0 else 0.0


def _interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Of a mean, by Student's distribution, within [0, 1]; nothing for fewer values than can bear one."""
    if len(values) < FEW:
        return None, None
    mean = fmean(values)
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    reach = _student(len(values) - 1) * deviation / sqrt(len(values))
    return max(0.0, mean - reach), min(1.0, mean + reach)


def _student(freedom: int) -> float:
    """The 97.5 % point of Student's distribution, to three digits from nine degrees of freedom on: the expansion around
    the normal distribution of Abramowitz and Stegun, 26.7.5."""
    z = NormalDist().inv_cdf(0.975)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / freedom + second / freedom**2


def _upper_lower(pairs: Sequence[tuple[float, float]]) -> float | None:
    """By the rest of the set: who stands equal there is told apart by nothing, so equals share their places."""
    ordered = sorted(pairs, key=lambda pair: pair[1])
    size = max(1, round(TAIL * len(ordered)))
    if ordered[size - 1][1] >= ordered[-size][1]:
        return None
    lower = [score for score, rest in ordered if rest <= ordered[size - 1][1]]
    upper = [score for score, rest in ordered if rest >= ordered[-size][1]]
    return fmean(upper) - fmean(lower)


def _flags(facility: float | None, discrimination: float | None) -> tuple[Flag, ...]:
    found: list[Flag] = []
    if facility is not None and facility < HARD:
        found.append("too-hard")
    if facility is not None and facility > EASY:
        found.append("too-easy")
    if discrimination is not None and discrimination < 0:
        found.append("check-the-key")
    elif discrimination is not None and discrimination < WEAK:
        found.append("weak")
    return tuple(found)
