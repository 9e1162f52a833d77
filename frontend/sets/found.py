"""Finding the set of an address, with what its pages need of the course."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from exercises import access
from exercises.actions.sets.refusals import CourseAway
from exercises.course_rules import zone_of
from exercises.courses.rights import Right
from exercises.models import Course, Enrolment, ProblemSet
from frontend.signed_in import reader

AWAY = (
    "Everything in it stays to be read, and no set is made or changed. Take the course up again first, under Edit the "
    "course, or copy it to another term."
)


@dataclass(frozen=True)
class Found:
    """A set and the reader's place in its course."""

    problem_set: ProblemSet
    enrolment: Enrolment

    @property
    def course(self) -> Course:
        """The course of the set."""
        return self.problem_set.course

    @property
    def zone(self) -> str:
        """The zone by which its times go."""
        return zone_of(self.problem_set.course)

    def context(self, **more: Any) -> dict[str, Any]:
        """What every page of a set is rendered with, and more. In a course that is put away nothing is offered."""
        is_used = self.course.archived_at is None
        return {
            "problem_set": self.problem_set,
            "course": self.course,
            "enrolment": self.enrolment,
            "zone": self.zone,
            "may_manage": is_used and access.has_right(self.enrolment, Right.MANAGE),
            "may_grade": is_used and access.has_right(self.enrolment, Right.GRADE),
            **more,
        }


def found_with(request: HttpRequest, set_id: uuid.UUID, right: Right) -> Found:
    """The set of an address for somebody with that right in its course; else Http404. Two queries."""
    return Found(*access.set_and_enrolment_with(reader(request), set_id, right))


def found_to_change(request: HttpRequest, set_id: uuid.UUID) -> Found:
    """The same for whoever manages its course. Raises CourseAway where that is put away. Two queries."""
    found = found_with(request, set_id, Right.MANAGE)
    refuse_away(found.course)
    return found


def refuse_away(course: Course) -> None:
    """Raises CourseAway in a course that is put away: its forms would be refused. No query."""
    if course.archived_at is not None:
        raise CourseAway(AWAY)
