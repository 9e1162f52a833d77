"""What people decided about scores, as it stands in the tables, or as it would stand if something else were decided."""

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from exercises.course_rules import Pair
from exercises.models import Override, Ruling

log = logging.getLogger(__name__)

#: (kind, step, note, read as, digest)
RulingSaid = tuple[str, str, str, str, str]


@dataclass(frozen=True)
class Supposed:
    """Decisions that are in no table, taken as if they were: for a dry run, which then writes and locks nothing.

    rulings, overrides    rows that are not saved; an override is in place of the one that holds there
    withdrawn             saved ones, taken as taken back
    counted_as            what attempts count as handed in at, by primary key; None is the real time
    """

    rulings: Sequence[Ruling] = ()
    overrides: Sequence[Override] = ()
    withdrawn: Sequence[Ruling | Override] = ()
    counted_as: Mapping[int, dt.datetime | None] = field(default_factory=dict)


NOTHING = Supposed()


def rulings_of(sets: Iterable[int], supposed: Supposed = NOTHING) -> dict[int, list[RulingSaid]]:
    """What holds for everybody, by item. One query."""
    found: dict[int, list[RulingSaid]] = defaultdict(list)
    rows = Ruling.objects.filter(problem_set__in=sets, withdrawn_at=None).order_by()
    if gone := [one.pk for one in supposed.withdrawn if isinstance(one, Ruling)]:
        rows = rows.exclude(pk__in=gone)
    for row in (*rows.only("item_id", "kind", "step", "note", "read_as", "digest"), *supposed.rulings):
        found[row.item_id].append((row.kind, row.step, row.note, row.read_as, row.digest))
    return found


def overrides_of(
    sets: Iterable[int], learners: Iterable[int], supposed: Supposed = NOTHING
) -> dict[Pair, dict[tuple[int | None, str], Fraction]]:
    """Scores by hand by (item, step), of each learner in each set; what cannot be read is logged. One query."""
    found: dict[Pair, dict[tuple[int | None, str], Fraction]] = defaultdict(dict)
    rows = Override.objects.filter(problem_set__in=sets, learner__any_of=sorted(learners), withdrawn_at=None)
    if gone := [one.pk for one in supposed.withdrawn if isinstance(one, Override)]:
        rows = rows.exclude(pk__in=gone)
    for row in (*rows, *supposed.overrides):
        try:
            share = row.share
        except (ValueError, ZeroDivisionError):
            log.error("Override %s: %r is no share, and does not count.", row.pk, row.score)
            continue
        found[row.problem_set_id, row.learner_id][row.item_id, row.step] = min(max(share, Fraction(0)), Fraction(1))
    return found
