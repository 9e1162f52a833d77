"""Who stands in a grade book, in which order: the learners of a course, by group, by name, by what is searched for."""

from dataclasses import dataclass

from django.db.models import QuerySet

from exercises.courses.rights import Right, roles_with
from exercises.models import Course, Enrolment
from exercises.queries.people import by_name, searched

#: Learners on one page.
PAGE = 50


@dataclass(frozen=True)
class Wanted:
    """Which learners are wanted. ``group`` is a primary key; somebody who left is there only if asked for."""

    group: int | None = None
    search: str = ""
    is_descending: bool = False
    with_dropped: bool = False


def learners_of(course: Course, wanted: Wanted = Wanted()) -> QuerySet[Enrolment]:
    """The enrolments of the learners wanted, with their users, by name. No query.

    Who has no name on the roster stands where their user name does.
    """
    rows = Enrolment.objects.filter(course=course, role__in=roles_with(Right.SIT)).select_related("user")
    if not wanted.with_dropped:
        rows = rows.filter(dropped_at=None)
    if wanted.group is not None:
        rows = rows.filter(groups=wanted.group)
    rows = by_name(searched(rows, wanted.search))
    return rows.reverse() if wanted.is_descending else rows


def name_of(enrolment: Enrolment) -> str:
    """What somebody is called in a grade book. The user must be loaded."""
    return enrolment.name or enrolment.user.get_username()
