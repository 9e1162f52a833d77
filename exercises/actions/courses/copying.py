"""The same course in another term: its sets come along as drafts, its people and their work do not."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import models, transaction

from exercises.access import usable_problems
from exercises.actions.audit import noted
from exercises.actions.courses.making import CourseFields, create_course
from exercises.course_rules import zone_of
from exercises.courses.terms import moved
from exercises.models import Course, Group, Pool, ProblemSet, SetItem, User

Row = TypeVar("Row", bound=models.Model)

#: What a copy does not have of the row it was made from.
NOT_COPIED = ("id", "public_id", "published_at", "released_at", "created_at", "revision", "retired")
MOMENTS = ("opens_at", "due_at", "closes_at")


@dataclass(frozen=True)
class Copy:
    """The new course, how many sets came along, and how many of their items did not."""

    course: Course
    sets: int
    left_out: int


def copy_course(*, actor: User, course: Course, fields: CourseFields) -> Copy:
    """A new course of these fields with the sets, pools and items of another, and ``actor`` as its instructor.

    Every set is a draft. Its times move by as many calendar days as lie between the first days of both courses, at the
    same time of day; where either course has no first day, they are left out. A set that is for groups is for groups
    of the same names, with nobody in them. Items whose problem its author does not share with ``actor`` are left out,
    and nothing of any person comes along. Raises CourseRefused. As many queries
    for one set as for thirty.
    """
    with transaction.atomic():
        made = create_course(author=actor, fields=fields)
        made.copied_from = course
        made.save(update_fields=["copied_from"])
        rows = list(ProblemSet.objects.filter(course=course, retired=False).order_by("position", "pk"))
        sets = _copied(rows, lambda row: {"course": made, "copied_from": row, **_moments(row, course, made)})
        _copy_groups(course, made, sets)
        pools = _copied(
            Pool.objects.filter(problem_set__in=sets).order_by("pk"),
            lambda row: {"problem_set": sets[row.problem_set_id]},
        )
        items = SetItem.objects.filter(problem_set__in=sets, retired=False)
        kept = items.filter(problem__in=usable_problems(actor)).order_by("position", "pk")
        copies = _copied(
            kept,
            lambda row: {
                "problem_set": sets[row.problem_set_id],
                "pool": pools[row.pool_id] if row.pool_id is not None else None,
            },
        )
        left_out = items.count() - len(copies)
        told = {"from": str(course), "course": str(course.public_id), "sets": len(sets), "left out": left_out}
        noted(course=made, actor=actor, deed="course-copied", about=str(made), after=told)
    return Copy(made, len(sets), left_out)


def _moments(row: ProblemSet, course: Course, made: Course) -> dict[str, Any]:
    if course.starts_on is None or made.starts_on is None:
        # Late days are counted from due.
        return {**dict.fromkeys(MOMENTS), "late": []}
    days = (made.starts_on - course.starts_on).days
    return {
        name: moved(getattr(row, name), days=days, from_zone=zone_of(course), to_zone=made.time_zone)
        for name in MOMENTS
    }


def _copied(rows: Iterable[Row], changed: Callable[[Row], dict[str, Any]]) -> dict[int, Row]:
    """New rows like these, but for what is ``changed`` in each; by primary key of the row each was made from."""
    found = list(rows)
    if not found:
        return {}
    model: Any = type(found[0])
    fields = [field for field in model.objects.all().query.get_meta().concrete_fields if field.name not in NOT_COPIED]
    plain = [field.name for field in fields if not field.is_relation]
    # Of relations the key is enough: looked up, each would be a query.
    keys = [field.name for field in fields if field.is_relation]
    copies = []
    for row in found:
        values: dict[str, Any] = {name: getattr(row, name) for name in plain}
        values |= {f"{name}_id": getattr(row, f"{name}_id") for name in keys}
        for name, value in changed(row).items():
            values.pop(f"{name}_id", None)
            values[name] = value
        copies.append(model(**values))
    model.objects.bulk_create(copies)
    return {row.pk: copy for row, copy in zip(found, copies, strict=True)}


def _copy_groups(course: Course, made: Course, sets: dict[int, ProblemSet]) -> None:
    """The groups that sets are for, by name and empty. Four queries at most."""
    through = ProblemSet.groups.through
    links = list(through.objects.filter(problemset__in=sets).values_list("problemset_id", "group_id"))
    if not links:
        return
    wanted = {group for _, group in links}
    groups = _copied(Group.objects.filter(course=course, pk__in=wanted), lambda row: {"course": made})
    through.objects.bulk_create(
        [through(problemset_id=sets[source].pk, group_id=groups[group].pk) for source, group in links]
    )
