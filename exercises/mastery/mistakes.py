"""What a learner's wrong answers have in common: named mistakes as a suspicion, a likelihood, or something overcome."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

#: How many of the latest variants are looked at, and how many right ones running resolve a mistake.
LATEST, RESOLVED_AFTER = 5, 3
LIKELY_FROM, LIKELY_SHARE = 2, 0.5
#: Of a normal distribution 95 % lie within so many standard deviations.
Z_95 = 1.959963984540054


class Label(StrEnum):
    """What the answers say. Never a fact about a person: work it out again each time, keep it nowhere."""

    SUSPECTED = "suspected"
    LIKELY = "likely"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class Seen:
    """One answered step at which a named mistake could have shown: the mistake was active in the variant.

    ``is_match``: some answer was the mistake's. ``is_right``: the answer that closed the step was right. Both may hold.
    """

    note: str
    problem: str
    variant: int
    closed_at: dt.datetime
    is_match: bool
    is_right: bool


@dataclass(frozen=True, slots=True)
class Labelled:
    """One named mistake: it was made in ``k`` of the latest ``n`` variants, at most 5, in which it could show.

    ``label`` is None where nothing is to be said of it. ``last_at`` is when it was made last, None if never;
    ``problem`` where that was, else where it could have shown last.
    """

    note: str
    label: Label | None
    k: int
    n: int
    problem: str
    last_at: dt.datetime | None


def labels(seen: Iterable[Seen]) -> dict[str, Labelled]:
    """Every note that was seen, with its label (docs/mastery.md).

    Resolved: it was made before, and the latest 3 variants in which it could show came out right without it. Likely:
    made in 2 or more of the latest 5, and in half of them. Suspected: made in any of them. Several rows of one variant
    are one: a match if any is, right if all are.
    """
    by_note: dict[str, dict[int, Seen]] = {}
    for row in sorted(seen, key=lambda one: (one.closed_at, one.variant, one.is_match, one.is_right, one.problem)):
        variants = by_note.setdefault(row.note, {})
        before = variants.pop(row.variant, row)
        variants[row.variant] = Seen(
            row.note,
            row.problem,
            row.variant,
            row.closed_at,
            is_match=row.is_match or before.is_match,
            is_right=row.is_right and before.is_right,
        )
    return {note: _labelled(note, list(variants.values())) for note, variants in sorted(by_note.items())}


def wilson(k: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share of k in n; (0, 1) for n = 0, where nothing is known.

    With p = k/n and z = 1.96: (p + z²/2n ± z·sqrt(p(1 − p)/n + z²/4n²)) / (1 + z²/n), from Wilson, Probable inference,
    the law of succession, and statistical inference, JASA 22 (1927). Raises ValueError unless 0 <= k <= n.
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no share: count k among the n.")
    if n == 0:
        return 0.0, 1.0
    p, z = k / n, Z_95
    middle = p + z * z / (2 * n)
    reach = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At k = 0 and k = n the ends are exactly 0 and 1; rounding would leave them a little beside it.
    return (0.0 if k == 0 else (middle - reach) / scale), (1.0 if k == n else (middle + reach) / scale)


def _labelled(note: str, variants: Sequence[Seen]) -> Labelled:
    latest = variants[-LATEST:]
    k, n = sum(one.is_match for one in latest), len(latest)
    made = [one for one in variants if one.is_match]
    last = made[-1] if made else variants[-1]
    return Labelled(note, _label(variants, k, n), k, n, last.problem, last.closed_at if made else None)


def _label(variants: Sequence[Seen], k: int, n: int) -> Label | None:
    running = variants[-RESOLVED_AFTER:]
    was_made = any(one.is_match for one in variants)
    if was_made and len(running) == RESOLVED_AFTER and all(one.is_right and not one.is_match for one in running):
        return Label.RESOLVED
    if k >= LIKELY_FROM and k >= LIKELY_SHARE * n:
        return Label.LIKELY
    return Label.SUSPECTED if k else None
