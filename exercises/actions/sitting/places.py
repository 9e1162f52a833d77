"""What stands in one attempt at a set: which items, in which order, by which versions, and what each weighs."""

import random
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal

from exercises.models import ProblemSet, ProblemVersion, SetItem
from exercises.queries.set_items import items_in_use
from exercises.set_rows import has_passed


@dataclass(frozen=True)
class Place:
    """One place of an attempt, or of a printed copy. ``asked`` names the steps that are asked; None is all."""

    item: SetItem
    version: ProblemVersion
    weight: Decimal
    asked: list[str] | None


def drawn_places(problem_set: ProblemSet, chance: random.Random, *, is_preview: bool = False) -> list[Place]:
    """The places of one attempt, in its order: of each pool so many items as it says, each item as often as it has
    variants. One query; items, versions and problems come loaded.

    An item goes by the version it is pinned to, else by its problem's current one; without either it is left out. What
    was changed of a problem and has not passed its check is met in previews alone: else the version counts that it was
    made from.
    """
    return chosen_places(items_in_use(problem_set), problem_set, chance, is_preview=is_preview)


def chosen_places(
    items: list[SetItem], problem_set: ProblemSet, chance: random.Random, *, is_preview: bool = False
) -> list[Place]:
    """``drawn_places`` from the items of the set in use, read once for many copies. No query."""
    taken = _taken(items, chance)
    places = []
    for item in items:
        version = item.version or item.problem.current
        if version is not None and not (is_preview or has_passed(version)):
            version = version.adapted_from
        if version is None or (item.pool_id is not None and item.pk not in taken):
            continue
        # Its problem is the item's: no query asks for it again.
        version.problem = item.problem
        weight = item.pool.weight if item.pool else item.weight
        places += [Place(item, version, weight, item.asked)] * item.variants
    if problem_set.shuffle:
        chance.shuffle(places)
    return places


def _taken(items: list[SetItem], chance: random.Random) -> set[int]:
    """The primary keys of the items that are chosen from their pools."""
    pools: dict[int, list[SetItem]] = defaultdict(list)
    chosen: set[int] = set()
    for item in items:
        if item.pool is not None:
            pools[item.pool.pk].append(item)
    for held in pools.values():
        most = held[0].pool.choose if held[0].pool else 0
        chosen |= {item.pk for item in chance.sample(held, min(most, len(held)))}
    return chosen
