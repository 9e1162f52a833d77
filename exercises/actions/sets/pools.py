"""Pools: of their items each learner gets some, and all weigh the same, so that the maximum is the same for all."""

from decimal import Decimal

from django.db import transaction

from exercises.actions.audit import noted
from exercises.actions.sets.items import MOST_ITEMS
from exercises.actions.sets.locking import locked_set
from exercises.actions.sets.refusals import CHANGED, SetChanged, SetRefused
from exercises.courses.item_details import ItemError, sound_weight, weight_text
from exercises.models import Pool, ProblemSet, User
from exercises.set_rows import state_of_pool

MOST_POOLS = 20
MOST_NAME = 80


def keep_pool(
    *,
    actor: User,
    problem_set: ProblemSet,
    name: str,
    choose: int,
    weight: Decimal,
    pool: Pool | None = None,
    seen: str | None = None,
) -> Pool:
    """Make a pool of a set, or change ``pool``: of its items ``choose`` are put to each learner, each of this weight.

    Raises SetRefused with what is wrong by field, SetChanged where the pool is another than was ``seen``
    (``set_rows.state_of_pool``). Whoever has begun keeps what they have.
    """
    words = " ".join(name.split())
    if faults := _faults(words, choose, weight):
        raise SetRefused("The pool is not kept yet: mend what is marked.", faults)
    with transaction.atomic():
        row = locked_set(problem_set)
        others = row.pools.exclude(pk=pool.pk) if pool else row.pools.all()
        if others.filter(name=words).exists():
            raise SetRefused("There is a pool of this name.", {"name": "Another pool of this set has this name."})
        if pool is None and others.count() >= MOST_POOLS:
            raise SetRefused(f"A set has at most {MOST_POOLS} pools.")
        kept = row.pools.filter(pk=pool.pk).first() if pool else Pool(problem_set=row)
        if kept is None:
            raise SetRefused("This pool was taken away meanwhile.")
        _require_seen(kept, seen)
        before = _said(kept) if pool else None
        kept.name, kept.choose, kept.weight = words, choose, weight
        kept.save()
        noted(
            course=row.course, actor=actor, deed="keep-pool", about=f"{row.title}: pool {words}",
            problem_set=row, before=before, after=_said(kept),
        )  # fmt: skip
    return kept


def drop_pool(*, actor: User, pool: Pool, seen: str | None = None) -> None:
    """Take a pool away; its items stay in the set, each asked by itself with its own weight. Raises SetChanged as
    ``keep_pool``. Does nothing for one that is gone."""
    with transaction.atomic():
        row = locked_set(pool.problem_set)
        there = row.pools.filter(pk=pool.pk).first()
        if there is None:
            return
        _require_seen(there, seen)
        before = _said(there)
        there.delete()
        about = f"{row.title}: pool {pool.name}"
        noted(course=row.course, actor=actor, deed="drop-pool", about=about, problem_set=row, before=before)


def _require_seen(pool: Pool, seen: str | None) -> None:
    if seen is not None and state_of_pool(pool) != seen:
        raise SetChanged(CHANGED)


def _faults(name: str, choose: int, weight: Decimal) -> dict[str, str]:
    found = {}
    if not name or len(name) > MOST_NAME:
        found["name"] = f"Give the pool a name of up to {MOST_NAME} characters."
    if not 1 <= choose <= MOST_ITEMS:
        found["choose"] = "At least one of its items is put to each learner: write how many."
    try:
        sound_weight(weight)
    except ItemError as error:
        found["weight"] = str(error)
    return found


def _said(pool: Pool) -> dict[str, str | int]:
    return {"name": pool.name, "choose": pool.choose, "weight": weight_text(pool.weight)}
