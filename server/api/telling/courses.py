"""Courses, people and jobs, a page of them at a time."""

from collections.abc import Sequence
from typing import Any

from exercises.models import Enrolment, ExternalId, Job, User
from exercises.queries.external_ids import external_ids
from server.api.shapes import courses as shapes

_OF_PERSON = (
    "user", "name", "role", "external_id", "time_factor", "created_at", "dropped_at", "updated_at",
)  # fmt: skip


def courses_told(user: User, rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Courses that come with ``role``, what the user is there. One query for all of them."""
    names = external_ids(user, ExternalId.Kind.COURSE, [row.pk for row in rows])
    for row in rows:
        row.external_id = names.get(row.pk)
    return list(shapes.Course(rows, many=True).data)


def course_told(enrolment: Enrolment) -> dict[str, Any]:
    """One course as its member meets it. One query."""
    course: Any = enrolment.course
    course.role = enrolment.role
    return courses_told(enrolment.user, [course])[0]


def people_told(rows: Sequence[Enrolment]) -> list[dict[str, Any]]:
    """People with their users and groups, which are loaded. No query."""
    return [
        shapes.CoursePerson(
            {
                **{name: getattr(row, name) for name in _OF_PERSON},
                "groups": sorted(group.name for group in row.groups.all()),
            }
        ).data
        for row in rows
    ]


def jobs_told(rows: Sequence[Job]) -> list[dict[str, Any]]:
    """Jobs with whoever asked for them. No query."""
    return list(shapes.CourseJob(rows, many=True).data)
