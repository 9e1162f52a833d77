"""Somebody in a course by what programs call them: a user name, or ``ext:`` and a number of the institution."""

from django.http import Http404

from exercises.access import has_right, member_named, member_numbered
from exercises.courses.rights import Right
from exercises.models import Course, Enrolment
from server.api.addresses import PREFIX


def sitting_member(course: Course, who: str) -> Enrolment:
    """Somebody who learns in a course now, whose roster the caller may read. One query. Raises Http404."""
    plain = who.replace("\x00", "")
    numbered = plain.startswith(PREFIX)
    found = member_numbered(course, plain.removeprefix(PREFIX)) if numbered else member_named(course, plain)
    if not has_right(found, Right.SIT):
        raise Http404("Nobody of that name learns in this course.")
    return found
