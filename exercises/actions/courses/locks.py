"""Who is in a course is changed by one at a time: joins, imports and changes of roles take turns here."""

from exercises.actions.courses.refusals import CourseRefused
from exercises.models import Course, Enrolment, Role

#: What is said wherever a course that is put away would take something in.
AWAY = "The course is put away and takes nothing in any more. Take it up again first, under Edit the course."
LAST = "The last instructor of a course stays: make somebody else instructor first."


def lock_course(course: Course) -> Course:
    """The course as it is now, its row taken for the transaction that is open. One query."""
    return Course.objects.select_for_update(no_key=True).get(pk=course.pk)


def lock_course_in_use(course: Course) -> Course:
    """The same, for what is not done in a course that is put away. Raises CourseRefused there. One query."""
    found = lock_course(course)
    if found.archived_at is not None:
        raise CourseRefused(AWAY)
    return found


def lock_member(enrolment: Enrolment) -> Enrolment:
    """Lock the course of an enrolment and the enrolment, as whoever begins an attempt does; as it is now. Two
    queries."""
    lock_course(enrolment.course)
    rows = Enrolment.objects.select_for_update(no_key=True, of=("self",)).select_related("course", "user")
    return rows.get(pk=enrolment.pk)


def hold_enrolments(course: Course) -> list[Enrolment]:
    """Everybody in a course, also who left, taken for the transaction in one order and before any attempt: whoever
    begins an attempt then comes before what is decided, or after it. One query."""
    rows = Enrolment.objects.select_for_update(no_key=True, of=("self",)).filter(course=course)
    return list(rows.order_by("pk"))


def refuse_last_instructor(enrolment: Enrolment) -> None:
    """Raises CourseRefused where nobody else teaches the course. Behind ``lock_member``. At most one query."""
    if enrolment.role != Role.INSTRUCTOR or enrolment.dropped_at is not None:
        return
    others = Enrolment.objects.filter(course=enrolment.course_id, role=Role.INSTRUCTOR, dropped_at=None)
    if not others.exclude(pk=enrolment.pk).exists():
        raise CourseRefused(LAST, "role")
