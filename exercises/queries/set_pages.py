"""What stands on the pages of one problem set: its items, who has begun it, its extensions, what could be put in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from exercises import catalogue
from exercises.courses.rights import Right, roles_with
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Enrolment,
    Extension,
    Group,
    Pool,
    Problem,
    ProblemSet,
    ProblemVersion,
    SetItem,
    User,
)
from exercises.queries.grade_roster import name_of
from exercises.queries.people import by_name, learners_in
from exercises.queries.set_items import items_of
from exercises.queries.set_obstacles import item_obstacle, version_of
from exercises.set_rows import base_of

#: Names that are told of those who have begun, and rows of what can be chosen from.
MOST_NAMES = 12
MOST_CANDIDATES = 60
MOST_LOOKED_THROUGH = 2000
MOST_MEMBERS = 3000
EXTENSIONS_A_PAGE = 50
MOST_VERSIONS = 50
MOST_COURSES = 100
#: Anything else that is sent as one is no slug, and might be what no database can look for.
SLUG = re.compile(r"[A-Za-z0-9_-]{1,80}")


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


@dataclass(frozen=True)
class Begun:
    """Who has begun a set: how many learners, and the names of the first of them."""

    count: int
    names: list[str]


@dataclass(frozen=True)
class ExtensionRow:
    """One extension with the name of whom it is for; ``member`` is their enrolment if it is for one learner."""

    extension: Extension
    whom: str
    member: Enrolment | None


@dataclass(frozen=True)
class PracticeItem:
    """One item of a practice set as its learner has it; ``position`` in their attempt, None before it is begun."""

    item: SetItem
    position: int | None
    score: Fraction | None
    tries: int


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


def pools_of(problem_set: ProblemSet) -> list[Pool]:
    """The pools of a set. One query."""
    return list(problem_set.pools.all())


def pool_in(problem_set: ProblemSet, pk: int) -> Pool | None:
    """A pool of the set, with it, or None. One query."""
    return problem_set.pools.filter(pk=pk).first()


def versions_of(problem: Problem) -> list[ProblemVersion]:
    """The versions of its author, latest first. One query."""
    return list(problem.versions.filter(adapted_from=None).order_by("-number")[:MOST_VERSIONS])


def places(items: Sequence[SetItem], pools: Sequence[Pool]) -> int:
    """How many variants a learner is given altogether. No query."""
    there = [item for item in items if not item.retired]
    alone = sum(item.variants for item in there if item.pool_id is None)
    inside = {pool.pk: [item.variants for item in there if item.pool_id == pool.pk] for pool in pools}
    return alone + sum(pool.choose * max(inside[pool.pk], default=0) for pool in pools)


def begun_by(problem_set: ProblemSet) -> Begun:
    """Who has begun the set, previews aside. Two queries."""
    own = Attempt.objects.filter(problem_set=problem_set, is_preview=False)
    learners = own.order_by().values("learner").distinct()
    count = learners.count()
    if not count:
        return Begun(0, [])
    members = Enrolment.objects.select_related("user").filter(course=problem_set.course_id, user__in=learners)
    return Begun(count, [name_of(member) for member in by_name(members)[:MOST_NAMES]])


def extension_rows(problem_set: ProblemSet, *, page: int = 1) -> tuple[Page[Any], list[ExtensionRow]]:
    """One page of the extensions of a set, those of groups first. Three queries; a page there is not is the nearest."""
    ordered = problem_set.extensions.annotate(is_own=Q(group=None)).order_by("is_own", "pk")
    shown = Paginator(ordered.select_related("learner", "group"), EXTENSIONS_A_PAGE).get_page(page)
    found = list(shown)
    learners = [row.learner_id for row in found if row.learner_id]
    rows = Enrolment.objects.select_related("user").filter(course=problem_set.course_id, user__in=learners)
    members = {member.user_id: member for member in rows}
    listed = []
    for row in found:
        member = members.get(row.learner_id or 0)
        whom = name_of(member) if member else row.learner.get_username() if row.learner else f"Group {row.group}"
        listed.append(ExtensionRow(row, whom, member))
    return shown, listed


def learner_choices(course: Course) -> list[tuple[int, str]]:
    """Those who learn in a course now, by name: the primary key of the enrolment and what they are called. One query.

    Values and not rows: a page that offers a thousand to choose from makes no thousand objects.
    """
    named = by_name(learners_in(course)).values_list("pk", "name", "user__username")[:MOST_MEMBERS]
    return [(pk, name or username) for pk, name, username in named]


def candidates(usable: QuerySet[Problem], *, words: str = "", skill: str = "") -> list[Problem]:
    """Problems of those that an author may use (``access.usable_problems``) in the order of the map: those in whose
    title, summary or slug every one of the words stands, and that train the skill; at most 60. One query."""
    wanted = words.casefold().split()[:10]
    rows = usable.select_related("owner").order_by("position", "title", "pk")[:MOST_LOOKED_THROUGH]
    found = []
    for problem in rows:
        text = f"{problem.title} {problem.summary} {problem.slug}".casefold()
        if all(word in text for word in wanted) and (not skill or skill in problem.skills):
            found.append(problem)
    return found[:MOST_CANDIDATES]


def chosen_problems(usable: QuerySet[Problem], slugs: Sequence[str]) -> list[Problem]:
    """Those of the problems that an author may use which have these slugs, in the order of these. One query."""
    known = [slug for slug in slugs if SLUG.fullmatch(slug)]
    return sorted(usable.filter(slug__in=known), key=lambda problem: known.index(problem.slug))


def skills_of(problem: Problem) -> list[str]:
    """The titles of the skills that a problem trains. No query."""
    titles = {skill.id: skill.title for skill in catalogue.skills()}
    return [titles.get(skill, skill) for skill in problem.skills]


def practice_items(problem_set: ProblemSet, attempt: Attempt | None) -> list[PracticeItem]:
    """What a learner practises in a practice set: the places of their attempt with the best so far, or before it the
    items that everybody gets; what a pool gives is not known until then. One query."""
    if attempt is not None:
        rows = AttemptItem.objects.select_related("item__problem").filter(attempt=attempt).order_by("position")
        return [PracticeItem(row.item, row.position, row.score, row.tries) for row in rows]
    items = problem_set.items.select_related("problem").filter(retired=False, pool=None)
    return [PracticeItem(item, None, None, 0) for item in items.order_by("position", "pk")]


def position_of(attempt: Attempt, item_pk: int) -> int | None:
    """The first place in an attempt where that item of the set stands, or None. One query."""
    rows = attempt.items.filter(item=item_pk).order_by("position")
    return rows.values_list("position", flat=True).first()


def count_places(problem_set: ProblemSet) -> int:
    """How many variants whoever begins now is given. Two queries."""
    return places(list(problem_set.items.filter(retired=False)), pools_of(problem_set))


def groups_for(problem_set: ProblemSet) -> list[str]:
    """The names of the groups that a set is for; none is everybody. One query."""
    return list(problem_set.groups.order_by("name").values_list("name", flat=True))


def member_at(course: Course, pk: int) -> Enrolment | None:
    """Somebody who learns in a course now, or None. One query."""
    return learners_in(course).select_related("user", "course").filter(pk=pk).first()


def group_at(course: Course, pk: int) -> Group | None:
    """A group of a course, or None. One query."""
    return course.groups.filter(pk=pk).first()


def extension_for(problem_set: ProblemSet, *, member: Enrolment | None, group: Group | None) -> Extension | None:
    """The extension that is there already for a learner or a group, or None. One query."""
    whom = {"learner": member.user} if member else {"group": group}
    return problem_set.extensions.filter(**whom).first()


def extensions_of(problem_set: ProblemSet) -> QuerySet[Extension]:
    """The extensions of a set, with whom they are for. No query."""
    return problem_set.extensions.select_related("learner", "group", "given_by")


def extension_at(problem_set: ProblemSet, pk: int) -> Extension | None:
    """An extension of the set, with it and whom it is for, or None. One query."""
    return extensions_of(problem_set).filter(pk=pk).first()


def managed_by(person: User) -> list[Course]:
    """The courses into which somebody may copy a set, the latest first. One query."""
    own = Enrolment.objects.filter(user=person, dropped_at=None, role__in=roles_with(Right.MANAGE))
    return list(Course.objects.filter(pk__in=own.values("course"), archived_at=None)[:MOST_COURSES])
