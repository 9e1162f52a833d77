"""Copying a set, within its course or into another one: items, pools and rules; no learners, no work, no groups."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from exercises.access import usable_problems
from exercises.actions.audit import noted
from exercises.actions.sets.editing import locked_course, next_position
from exercises.courses.set_details import MOST_TITLE
from exercises.models import Course, Pool, ProblemSet, SetItem, User
from exercises.set_rows import details_of, values_of


@dataclass(frozen=True)
class Copied:
    """The copy, and the titles of the problems that stayed behind, since their authors do not share them."""

    problem_set: ProblemSet
    left_behind: list[str]


def copy_set(*, actor: User, problem_set: ProblemSet, into: Course, title: str = "") -> Copied:
    """A copy as a draft at the end of a course's list.

    Within its course it keeps its times; into another course it comes without them, and without the problems that the
    actor could not put in there by themselves. Raises SetRefused for a course that is archived. As many queries as
    pools, and ten.
    """
    with transaction.atomic():
        course = locked_course(into)
        is_here = course.pk == problem_set.course_id
        usable = set() if is_here else set(usable_problems(actor).values_list("pk", flat=True))
        rows = problem_set.items.filter(retired=False).select_related("problem").order_by("position", "pk")
        items = list(rows)
        kept = [item for item in items if is_here or item.problem_id in usable]
        made = ProblemSet.objects.create(**_values(problem_set, course, title, is_here=is_here))
        pools = {pool.pk: _copied_pool(pool, made) for pool in problem_set.pools.all()}
        SetItem.objects.bulk_create([_copied_item(item, made, pools) for item in kept])
        noted(
            course=course, actor=actor, deed="copy-set", about=made.title, problem_set=made,
            before={"copied_from": str(problem_set.public_id), "title": problem_set.title},
        )  # fmt: skip
    return Copied(made, [item.problem.title for item in items if item not in kept])


def _values(problem_set: ProblemSet, course: Course, title: str, *, is_here: bool) -> dict[str, Any]:
    words = " ".join(title.replace("\x00", " ").split()) or (
        f"{problem_set.title} (copy)" if is_here else problem_set.title
    )
    # Late days are counted from due.
    times: dict[str, Any] = {} if is_here else {"opens_at": None, "due_at": None, "closes_at": None, "late": []}
    place = {"course": course, "position": next_position(course), "copied_from": problem_set}
    return {**values_of(details_of(problem_set)), **times, **place, "title": words[:MOST_TITLE]}


def _copied_pool(pool: Pool, into: ProblemSet) -> Pool:
    return Pool.objects.create(problem_set=into, name=pool.name, choose=pool.choose, weight=pool.weight)


def _copied_item(item: SetItem, into: ProblemSet, pools: dict[int, Pool]) -> SetItem:
    pool = pools[item.pool_id] if item.pool_id else None
    return SetItem(
        problem_set=into, position=item.position, problem_id=item.problem_id, version_id=item.version_id, pool=pool,
        weight=item.weight, variants=item.variants, asked=item.asked, adaptation=item.adaptation,
    )  # fmt: skip
