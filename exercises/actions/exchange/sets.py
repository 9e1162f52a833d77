"""A set of our own file as a draft in a course."""

from django.db import transaction

from exercises.actions.audit import noted
from exercises.actions.exchange.known import Known
from exercises.actions.sets.editing import create_set
from exercises.actions.sets.pools import keep_pool
from exercises.actions.sets.refusals import SetRefused
from exercises.actions.sets.versions import adapted_version
from exercises.exchange.own.bundle import BundledItem, BundledSet
from exercises.models import Course, Pool, Problem, ProblemSet, ProblemVersion, SetItem, User

NOT_ADAPTED = (
    "{title}: what this set changed of the problem is left out, since the problem is a draft here. Publish it, take "
    "this set away, and import the file again: then it is kept."
)
NOT_PINNED = "{title}: it is not pinned to that text, since the problem is a draft here."


def bring_set(*, actor: User, course: Course, bundled: BundledSet, known: Known) -> tuple[ProblemSet, tuple[str, ...]]:
    """A draft at the end of a course's list, and what was lost on the way. ``known`` has its problems. Raises
    SetRefused, and then nothing is kept."""
    lost: list[str] = []
    with transaction.atomic():
        made = create_set(actor=actor, course=course, details=bundled.details)
        pools = {
            pool.name: keep_pool(actor=actor, problem_set=made, name=pool.name, choose=pool.choose, weight=pool.weight)
            for pool in bundled.pools
        }
        SetItem.objects.bulk_create(
            [_item(actor, made, place, item, pools, known, lost) for place, item in enumerate(bundled.items)]
        )
        noted(
            course=made.course, actor=actor, deed="import-set", about=made.title, problem_set=made,
            after={"items": len(bundled.items)},
        )  # fmt: skip
    return made, tuple(lost)


def _item(
    actor: User,
    into: ProblemSet,
    place: int,
    item: BundledItem,
    pools: dict[str, Pool],
    known: Known,
    lost: list[str],
) -> SetItem:
    problem, base = _found(item, known)
    version: ProblemVersion | None = base if item.is_pinned else None
    adaptation = dict(item.adaptation)
    if base is None and item.is_pinned:
        lost.append((NOT_ADAPTED if adaptation else NOT_PINNED).format(title=problem.title))
        adaptation = {}
    elif adaptation and base is not None:
        version = adapted_version(base=base, adaptation=adaptation, author=actor)
    return SetItem(
        problem_set=into, position=place, problem=problem, version=version,
        pool=pools[item.pool] if item.pool else None, weight=item.weight, variants=item.variants,
        asked=None if item.asked is None else list(item.asked), adaptation=adaptation,
    )  # fmt: skip


def _found(item: BundledItem, known: Known) -> tuple[Problem, ProblemVersion | None]:
    """The problem of an item and the version that it is pinned to, as far as it is here. Raises SetRefused."""
    problem, version = known.current(item.digest), known.version(item.digest)
    if item.is_pinned and version is not None and not version.problem.retired:
        return version.problem, version
    if problem is None:
        raise SetRefused("One of its problems is not here.")
    return problem, None if problem.current is None else problem.current
