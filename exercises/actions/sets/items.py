"""The items of a set: put in, changed, moved, taken out. Who has begun keeps what they began with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db import transaction

from exercises.actions.audit import noted
from exercises.actions.sets.locking import locked_set
from exercises.actions.sets.refusals import CHANGED, SetChanged, SetRefused
from exercises.actions.sets.versions import adapted_version, admit_adaptation
from exercises.courses.item_details import MOST_VARIANTS, ItemError, asked_steps, sound_weight, weight_text
from exercises.loading import loaded
from exercises.models import Pool, Problem, ProblemSet, ProblemVersion, SetItem, User
from exercises.queries.set_obstacles import item_obstacle
from exercises.refusals import ProblemBroken
from exercises.set_rows import has_passed, state_of

MOST_ITEMS = 60


@dataclass(frozen=True)
class ItemDetails:
    """Everything on an item that its form writes.

    asked       the names of the steps that are asked; None is all of them
    base        the version of its author that it is drawn from; None is whichever is current when somebody begins
    adaptation  what is changed of it, as ``exercises.courses.adaptation`` reads it; it pins the version
    """

    weight: Decimal = Decimal(1)
    variants: int = 1
    asked: Sequence[str] | None = None
    base: ProblemVersion | None = None
    pool: Pool | None = None
    adaptation: Mapping[str, Any] = field(default_factory=dict)


def add_items(*, actor: User, problem_set: ProblemSet, problems: Sequence[Problem]) -> list[SetItem]:
    """Put problems at the end of a set, each as an item of weight 1 that asks everything. ``problems`` were found by
    ``access.usable_problem``. Raises SetRefused."""
    with transaction.atomic():
        row = locked_set(problem_set)
        there = list(row.items.filter(retired=False).order_by("position", "pk"))
        if not problems:
            raise SetRefused("Choose at least one problem to put in.")
        if len(there) + len(problems) > MOST_ITEMS:
            raise SetRefused(f"A set has at most {MOST_ITEMS} items: make another set for the rest.")
        first = there[-1].position + 1 if there else 0
        made = [
            SetItem.objects.create(problem_set=row, problem=problem, position=first + place)
            for place, problem in enumerate(problems)
        ]
        about = f"{row.title}: " + ", ".join(problem.title for problem in problems)
        noted(course=row.course, actor=actor, deed="add-items", about=about, problem_set=row)
    return made


def change_item(*, actor: User, item: SetItem, seen: str, details: ItemDetails) -> SetItem:
    """Write these details on an item that still is as its editor saw it (``seen`` is ``set_rows.state_of`` then).

    They hold for whoever begins from now on. A version that was adapted is checked in the background. On a set that is
    published it must have passed before anything is kept: until then what stands there stays.

    Raises SetChanged where somebody else was faster, SetRefused with what is wrong by field, and while such a check
    goes on.
    """
    refused = ""
    _admit(details, item, actor)
    with transaction.atomic():
        row = locked_set(item.problem_set)
        now = locked_item(item, row)
        if state_of(now) != seen:
            raise SetChanged(CHANGED)
        before = said_item(now)
        base = _base(details, now)
        _refuse_pool_of_another(row, details.pool)
        now.weight, now.variants = _numbers(details, row)
        now.asked = _asked(base, details.asked)
        now.pool = details.pool
        now.adaptation = dict(details.adaptation)
        now.version = details.base
        if now.adaptation:
            now.version = adapted_version(base=base, adaptation=now.adaptation, author=actor)
            if now.version.pk == base.pk:
                now.adaptation, now.version = {}, details.base
        refused = _unpublishable(row, now)
        if not refused:
            now.save(update_fields=["weight", "variants", "asked", "pool", "adaptation", "version"])
            noted(
                course=row.course, actor=actor, deed="change-item", about=f"{row.title}: {now.problem.title}",
                problem_set=row, before=before, after=said_item(now),
            )  # fmt: skip
    # Only now: the version and its check are kept.
    if refused:
        is_checked = now.version is not None and now.version.report is not None
        raise SetRefused(refused, {"adaptation" if is_checked else "checking": refused})
    return now


def _admit(details: ItemDetails, item: SetItem, actor: User) -> None:
    base = details.base or item.problem.current
    if details.adaptation and base is not None:
        admit_adaptation(base=base, adaptation=details.adaptation, author=actor)


def _refuse_pool_of_another(problem_set: ProblemSet, pool: Pool | None) -> None:
    if pool is not None and pool.problem_set_id != problem_set.pk:
        raise SetRefused("This pool is not there any more: choose again.", {"pool": "This pool is not there."})


def _base(details: ItemDetails, item: SetItem) -> ProblemVersion:
    base = details.base or item.problem.current
    if base is None or base.problem_id != item.problem_id or base.adapted_from_id is not None:
        words = "This version of the problem is not there: choose another one."
        raise SetRefused(words, {"version": words})
    return base


def move_item(*, actor: User, item: SetItem, by: int) -> None:
    """Move an item so many places down, up where ``by`` is negative; not past the ends. Raises SetRefused."""
    with transaction.atomic():
        row = locked_set(item.problem_set)
        rows = list(row.items.select_related("problem").filter(retired=False).order_by("position", "pk"))
        place = next((place for place, each in enumerate(rows) if each.pk == item.pk), None)
        if place is None:
            raise SetRefused("This item was taken out meanwhile: nothing was moved.")
        to = max(0, min(len(rows) - 1, place + by))
        moved = rows.pop(place)
        rows.insert(to, moved)
        for position, each in enumerate(rows):
            each.position = position
        SetItem.objects.bulk_update(rows, ["position"])
        about = f"{row.title}: {moved.problem.title}, place {place + 1} to {to + 1}"
        noted(course=row.course, actor=actor, deed="move-item", about=about, problem_set=row)


def take_out_item(*, actor: User, item: SetItem, seen: str | None = None) -> None:
    """Take an item out: nobody who begins from now on meets it, and who has begun keeps it. Raises SetRefused, and
    SetChanged where it is another than was ``seen``, as of ``change_item``."""
    _set_retired(actor, item, retired=True, deed="take-out-item", seen=seen)


def put_back_item(*, actor: User, item: SetItem, seen: str | None = None) -> None:
    """Put an item back that was taken out. Raises as ``take_out_item``."""
    _set_retired(actor, item, retired=False, deed="put-back-item", seen=seen)


def locked_item(item: SetItem, problem_set: ProblemSet) -> SetItem:
    """The item as it is now, with problem, versions and pool, of a set that is locked. Raises SetRefused. One query."""
    rows = SetItem.objects.select_related("problem__current", "version__adapted_from", "pool")
    row = rows.filter(pk=item.pk, problem_set=problem_set).first()
    if row is None:
        raise SetRefused("This item is not in the set any more.")
    return row


def said_item(item: SetItem) -> dict[str, Any]:
    """An item for the audit trail."""
    return {
        "weight": weight_text(item.weight),
        "variants": item.variants,
        "asked": item.asked,
        "version": item.version.number if item.version else "current",
        "pool": item.pool.name if item.pool else None,
        "adaptation": item.adaptation,
    }


def _set_retired(actor: User, item: SetItem, *, retired: bool, deed: str, seen: str | None) -> None:
    with transaction.atomic():
        row = locked_set(item.problem_set)
        now = locked_item(item, row)
        if seen is not None and state_of(now) != seen:
            raise SetChanged(CHANGED)
        if now.retired == retired:
            return
        if not retired and row.items.filter(retired=False).count() >= MOST_ITEMS:
            raise SetRefused(f"A set has at most {MOST_ITEMS} items: take another one out first.")
        if not retired and row.published_at is not None and (reason := item_obstacle(now)):
            raise SetRefused(f"It cannot be put back while the set is published: {reason}")
        now.retired = retired
        now.save(update_fields=["retired"])
        about = f"{row.title}: {now.problem.title}"
        noted(course=row.course, actor=actor, deed=deed, about=about, problem_set=row)


def _unpublishable(problem_set: ProblemSet, item: SetItem) -> str:
    """Why learners cannot be given this item of a set as it is now; empty where they can, and in a draft."""
    if problem_set.published_at is None or item.version is None or has_passed(item.version):
        return ""
    if item.version.report is None:
        return (
            "Nothing is changed yet: this set is published, and what you changed of the problem is being checked over "
            "1,000 seeds first. Keep it again in some seconds; until then learners get what stood here before."
        )
    return f"Nothing is changed: {item_obstacle(item)}"


def _numbers(details: ItemDetails, problem_set: ProblemSet) -> tuple[Decimal, int]:
    try:
        weight = sound_weight(details.weight)
    except ItemError as error:
        raise SetRefused(str(error), {"weight": str(error)}) from error
    if not 1 <= details.variants <= MOST_VARIANTS:
        words = f"Between 1 and {MOST_VARIANTS} variants can be asked."
        raise SetRefused(words, {"variants": words})
    # In practice there are as many as one likes.
    return weight, 1 if problem_set.mode == ProblemSet.Mode.PRACTICE else details.variants


def _asked(base: ProblemVersion, asked: Sequence[str] | None) -> list[str] | None:
    if asked is None:
        return None
    try:
        return asked_steps(loaded(base), asked)
    except (ItemError, ProblemBroken) as error:
        raise SetRefused(str(error), {"asked": str(error)}) from error
