"""Wrong answers that no named mistake explains, and that many give alike: what a new named mistake might be.

The numbers differ from variant to variant, so answers are compared by what they are to the key: their ratio to it, or
their difference from it. Answers have three significant digits or more, so what lies within one in a hundred is alike.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, log
from statistics import median
from typing import Literal

#: Of a cluster: so many learners, on so many variants, with so large a part of the wrong answers.
LEARNERS, VARIANTS, PART = 3, 2, 0.1
ALIKE = 0.01
#: Fractions that a wrong mean or a wrong count gives, as far as denominators go.
LARGEST_DENOMINATOR = 9

Kind = Literal["ratio", "difference"]
KINDS: tuple[Kind, ...] = ("ratio", "difference")
KNOWN = (
    (-1.0, "the sign is lost"),
    (1 / log(10), "log₁₀ was used instead of ln"),
    (1 / log(2), "log₂ was used instead of ln"),
    (log(10), "ln was used instead of log₁₀"),
    (log(2), "ln was used instead of log₂"),
    (100.0, "it is given in percent"),
    (0.01, "percent were taken for a share"),
    (10.0, "it is ten times too large"),
    (0.1, "it is ten times too small"),
)
SHARES = sorted(
    {Fraction(over, under) for over in range(1, LARGEST_DENOMINATOR + 1) for under in range(1, LARGEST_DENOMINATOR + 1)}
    - {Fraction(1)}
)


@dataclass(frozen=True)
class WrongAnswer:
    """One wrong answer without a note: whose, on which variant, what was read, and the key."""

    learner: int
    variant: str
    answer: float
    key: float


@dataclass(frozen=True)
class Cluster:
    """Answers that are alike: by ``kind``, at ``value``; so many answers of so many learners on so many variants.

    ``says`` explains the value where it is a known one, else it is empty; ``examples`` are (answer, key), the first.
    """

    kind: Kind
    value: float
    answers: int
    learners: int
    variants: int
    part: float
    says: str
    examples: tuple[tuple[float, float], ...]


def clusters(wrong: Iterable[WrongAnswer], *, all_wrong: int) -> list[Cluster]:
    """The clusters among the unexplained answers at one step, the largest first; ``all_wrong`` are all that were wrong
    there, explained or not. What lies in a cluster by its ratio is not counted again by its difference."""
    left = [row for row in wrong if isfinite(row.answer) and isfinite(row.key)]
    found: list[Cluster] = []
    for kind in KINDS:
        compared = [(value, row) for row in left if (value := _compared(kind, row)) is not None]
        whole = [group for group in _groups(compared) if _is_cluster([row for _, row in group], all_wrong)]
        found += [_cluster(kind, group, all_wrong) for group in whole]
        taken = {id(row) for group in whole for _, row in group}
        left = [row for row in left if id(row) not in taken]
    return sorted(found, key=lambda one: (-one.answers, one.kind, one.value))


def explanation(ratio: float) -> str:
    """What a ratio of answer to key may come from; empty for one that says nothing."""
    known = min(KNOWN, key=lambda one: _distance(one[0], ratio))
    if _distance(known[0], ratio) <= ALIKE:
        return known[1]
    share = min(SHARES, key=lambda one: _distance(float(one), abs(ratio)))
    if _distance(float(share), abs(ratio)) > ALIKE:
        return ""
    sign = " and its sign is lost" if ratio < 0 else ""
    return f"it is {share} of the key{sign}: a wrong count, or a mean over something else"


def _distance(known: float, ratio: float) -> float:
    return abs(ratio - known) / abs(known)


def _compared(kind: Kind, row: WrongAnswer) -> float | None:
    """What an answer is to its key; None where that says nothing: no ratio to 0, and no difference from itself."""
    if kind == "difference":
        return row.answer - row.key or None
    ratio = row.answer / row.key if row.key else 0.0
    return ratio if ratio and isfinite(ratio) else None


def _groups(compared: Iterable[tuple[float, WrongAnswer]]) -> list[list[tuple[float, WrongAnswer]]]:
    """What lies together, in order: a group reaches so far from its first value as answers that are alike may."""
    found: list[list[tuple[float, WrongAnswer]]] = []
    for value, row in sorted(compared, key=lambda one: one[0]):
        if found and value - found[-1][0][0] <= ALIKE * abs(value):
            found[-1].append((value, row))
        else:
            found.append([(value, row)])
    return found


def _is_cluster(group: list[WrongAnswer], all_wrong: int) -> bool:
    return (
        len({row.learner for row in group}) >= LEARNERS
        and len({row.variant for row in group}) >= VARIANTS
        and len(group) >= PART * all_wrong
    )


def _cluster(kind: Kind, group: list[tuple[float, WrongAnswer]], all_wrong: int) -> Cluster:
    value = median(value for value, _ in group)
    rows = [row for _, row in group]
    return Cluster(
        kind=kind,
        value=value,
        answers=len(rows),
        learners=len({row.learner for row in rows}),
        variants=len({row.variant for row in rows}),
        part=len(rows) / all_wrong if all_wrong else 0.0,
        says=explanation(value) if kind == "ratio" else "",
        examples=tuple((row.answer, row.key) for row in rows[:3]),
    )
