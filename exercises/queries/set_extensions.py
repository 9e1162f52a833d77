"""The extensions of a problem set, and who they can be given to."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from exercises.models import Course, Enrolment, Extension, Group, ProblemSet
from exercises.queries.grade_roster import name_of
from exercises.queries.people import by_name, learners_in

#: Learners that one can be chosen from.
MOST_MEMBERS = 3000
EXTENSIONS_A_PAGE = 50


@dataclass(frozen=True)
class ExtensionRow:
    """One extension with the name of whom it is for; ``member`` is their enrolment if it is for one learner."""

    extension: Extension
    whom: str
    member: Enrolment | None


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


def learner_choices(course: Course) -> list[tuple[int, str]]:
    """Those who learn in a course now, by name: the primary key of the enrolment and what they are called. One query.

    Values and not rows: a page that offers a thousand to choose from makes no thousand objects.
    """
    named = by_name(learners_in(course)).values_list("pk", "name", "user__username")[:MOST_MEMBERS]
    return [(pk, name or username) for pk, name, username in named]


def member_at(course: Course, pk: int) -> Enrolment | None:
    """Somebody who learns in a course now, or None. One query."""
    return learners_in(course).select_related("user", "course").filter(pk=pk).first()


def group_at(course: Course, pk: int) -> Group | None:
    """A group of a course, or None. One query."""
    return course.groups.filter(pk=pk).first()
