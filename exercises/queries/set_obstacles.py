"""What stands in the way of publishing a set, as a list of sentences that each say what to do."""

from collections.abc import Iterable, Sequence

from exercises.courses.item_details import missing_steps
from exercises.courses.set_details import faults_of
from exercises.loading import loaded
from exercises.models import Pool, ProblemSet, ProblemVersion, SetItem
from exercises.queries.set_items import items_in_use
from exercises.refusals import ProblemBroken
from exercises.set_rows import details_of

#: Of what a check found, as much as fits a line.
LONGEST_REASON = 240


def obstacles(
    problem_set: ProblemSet, items: Sequence[SetItem] | None = None, pools: Sequence[Pool] | None = None
) -> list[str]:
    """Why this set cannot be published; empty when it can. Two queries, none where items and pools were read already.

    Every item has a version that loads, asks steps that are there, and if adapted passed its check; a pool has as many
    items as are chosen of it; something weighs something; the times fit together.
    """
    there = items_in_use(problem_set) if items is None else [item for item in items if not item.retired]
    found = list(faults_of(details_of(problem_set)).values())
    if not there:
        return [*found, "It has no items: put at least one problem in."]
    for place, item in enumerate(there, start=1):
        if reason := item_obstacle(item):
            found.append(f"Item {place}, {item.problem.title}: {reason}")
    found += _pool_obstacles(problem_set.pools.all() if pools is None else pools, there)
    if not any(item.share for item in there):
        found.append("Everything weighs 0, so there is nothing to score: give at least one item a weight.")
    return found


def version_of(item: SetItem) -> ProblemVersion | None:
    """The version that whoever begins now is given."""
    return item.version or item.problem.current


def item_obstacle(item: SetItem) -> str:
    """Why nobody can be given this item; empty when they can. ``item`` comes from ``set_items``. No query."""
    version = version_of(item)
    if version is None or (item.problem.retired and item.version is None):
        return "there is no version of it to draw from any more. Take it out."
    try:
        problem = loaded(version)
    except ProblemBroken:
        return f"version {version.number} cannot be read any more. Choose another version or take it out."
    if missing := missing_steps(problem, item.asked):
        return f"it asks {', '.join(missing)}, which version {version.number} does not have. Choose the steps again."
    if version.adapted_from_id is not None and version.report is None:
        return "what was changed of it is still being checked over 1,000 seeds. Try again in a moment."
    if version.adapted_from_id is not None and not (version.report or {}).get("passed"):
        failures = (version.report or {}).get("failures") or ["it failed."]
        return f"what was changed of it does not pass the check: {str(failures[0])[:LONGEST_REASON]}"
    return ""


def _pool_obstacles(pools: Iterable[Pool], items: Sequence[SetItem]) -> list[str]:
    found = []
    for pool in pools:
        inside = [item for item in items if item.pool_id == pool.pk]
        if len(inside) < pool.choose:
            found.append(
                f"The pool {pool.name} gives {pool.choose} of its items to each learner and has {len(inside)}: put "
                "more in, or choose fewer."
            )
        if len({item.variants for item in inside}) > 1:
            # Else the maximum would depend on which of them somebody is given.
            found.append(f"The items of the pool {pool.name} differ in their number of variants: make it the same.")
    return found
