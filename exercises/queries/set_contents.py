"""What is in a problem set as its author sees it: items with what keeps them from learners, pools, how many places."""

from collections.abc import Sequence
from dataclasses import dataclass

from exercises.models import Pool, Problem, ProblemSet, ProblemVersion, SetItem
from exercises.queries.set_items import items_of
from exercises.queries.set_obstacles import item_obstacle, version_of
from exercises.set_rows import base_of

#: Versions of a problem that an item can be pinned to.
MOST_VERSIONS = 50


@dataclass(frozen=True)
class ItemRow:
    """One item as its author sees it.

    version    that whoever begins now is given; None where there is none
    newer      the problem's current version where this item is pinned to an older one
    checking   what was adapted is not checked yet
    obstacle   why nobody can be given it; empty when they can
    """

    item: SetItem
    version: ProblemVersion | None
    newer: ProblemVersion | None
    checking: bool
    obstacle: str


def item_rows(problem_set: ProblemSet) -> list[ItemRow]:
    """The items of a set in order, also those that were taken out, last. One query."""
    return [item_row(item) for item in sorted(items_of(problem_set), key=lambda item: item.retired)]


def item_row(item: SetItem) -> ItemRow:
    """One item that comes from ``set_items.items_of``. No query."""
    version, base, current = version_of(item), base_of(item), item.problem.current
    is_old = base is not None and current is not None and base.pk != current.pk
    checking = bool(item.adaptation) and version is not None and version.report is None
    obstacle = "" if item.retired else item_obstacle(item)
    return ItemRow(item, version, current if is_old else None, checking, obstacle)


def item_at(problem_set: ProblemSet, pk: int) -> SetItem | None:
    """An item of the set, with everything that ``item_row`` needs, or None. One query."""
    return items_of(problem_set).filter(pk=pk).first()


def versions_of(problem: Problem) -> list[ProblemVersion]:
    """The versions of its author, latest first. One query."""
    return list(problem.versions.filter(adapted_from=None).order_by("-number")[:MOST_VERSIONS])


def pools_of(problem_set: ProblemSet) -> list[Pool]:
    """The pools of a set. One query."""
    return list(problem_set.pools.all())


def pool_in(problem_set: ProblemSet, pk: int) -> Pool | None:
    """A pool of the set, with it, or None. One query."""
    return problem_set.pools.filter(pk=pk).first()


def places(items: Sequence[SetItem], pools: Sequence[Pool]) -> int:
    """How many variants a learner is given altogether. No query."""
    there = [item for item in items if not item.retired]
    alone = sum(item.variants for item in there if item.pool_id is None)
    inside = {pool.pk: [item.variants for item in there if item.pool_id == pool.pk] for pool in pools}
    return alone + sum(pool.choose * max(inside[pool.pk], default=0) for pool in pools)


def count_places(problem_set: ProblemSet) -> int:
    """How many variants whoever begins now is given. Two queries."""
    return places(list(problem_set.items.filter(retired=False)), pools_of(problem_set))
