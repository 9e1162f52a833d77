"""Courses themselves: made, changed, put away."""

import datetime as dt
from dataclasses import asdict, dataclass
from typing import Any

from django.db import IntegrityError, transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.courses.exams import follow_course_exam
from exercises.actions.courses.following import follow_clocks
from exercises.actions.courses.locks import lock_course
from exercises.actions.courses.refusals import CourseRefused
from exercises.actions.unchanged import still_as_read
from exercises.courses.codes import new_code
from exercises.courses.roster import tidy
from exercises.mastery.study_day import zone_of
from exercises.models import Course, Enrolment, Role, User

MOST_TITLE, MOST_TERM = 200, 80
#: From the first day to the last.
MOST_DAYS = 3 * 366
#: Codes that are thrown before somebody gives up: two alike are as good as impossible.
THROWS = 5


@dataclass(frozen=True)
class CourseFields:
    """What somebody who teaches says of a course. Days are days of ``time_zone``."""

    title: str
    term: str = ""
    time_zone: str = "UTC"
    starts_on: dt.date | None = None
    ends_on: dt.date | None = None
    exam_on: dt.date | None = None


def create_course(*, author: User, fields: CourseFields) -> Course:
    """A new course, with its author as instructor and a join code. Raises CourseRefused, whose ``field`` names the
    field that will not do. About five queries."""
    if not author.is_instructor:
        raise CourseRefused("Only people who teach make courses: ask whoever runs this service to let you.")
    said = checked(fields)
    with transaction.atomic():
        course = Course.objects.create(created_by=author, **asdict(said))
        give_code(course)
        Enrolment.objects.create(course=course, user=author, role=Role.INSTRUCTOR)
        noted(course=course, actor=author, deed="course-made", about=str(course), after=_told(said))
    return course


def edit_course(*, actor: User, course: Course, fields: CourseFields, seen: dt.datetime | None = None) -> Course:
    """Change what a course is called, its days, and the clocks it goes by; attempts that are going on end by the new
    ones. ``seen`` is the ``updated_at`` that the change was made from. Raises CourseRefused as ``create_course``, and
    ChangedMeanwhile. Nothing is written where nothing changes."""
    said = checked(fields)
    with transaction.atomic():
        found = still_as_read(lock_course(course), seen)
        before = CourseFields(**{name: getattr(found, name) for name in asdict(said)})
        if before == said:
            return found
        for name, value in asdict(said).items():
            setattr(found, name, value)
        found.save(update_fields=list(asdict(said)))
        if before.time_zone != said.time_zone:
            follow_clocks(found, before.time_zone)
        if before.exam_on != said.exam_on:
            follow_course_exam(found, is_certain=True)
        noted(
            course=found, actor=actor, deed="course-edited", about=str(found), before=_told(before), after=_told(said)
        )
    return found


def change_course(
    *, actor: User, course: Course, fields: CourseFields, is_archived: bool | None, seen: dt.datetime | None
) -> None:
    """Change a course, and put it away or take it up again where that is said, both or neither. Raises as
    ``edit_course``."""
    with transaction.atomic():
        edit_course(actor=actor, course=course, fields=fields, seen=seen)
        if is_archived is not None:
            archive_course(actor=actor, course=course, is_archived=is_archived)


def archive_course(*, actor: User, course: Course, is_archived: bool = True) -> None:
    """Put a course away: nothing can be handed in and nobody comes in any more, everything stays to be read. Or take it
    up again, with ``is_archived`` false. Pressed twice, it is done once."""
    with transaction.atomic():
        found = lock_course(course)
        if (found.archived_at is not None) == is_archived:
            return
        found.archived_at = clock.now() if is_archived else None
        found.save(update_fields=["archived_at"])
        follow_course_exam(found)
        noted(course=found, actor=actor, deed="archived" if is_archived else "taken-up", about=str(found))


def give_code(course: Course) -> str:
    """Write a new join code on a course, in the transaction that is open. A query, and two for the savepoint."""
    for _ in range(THROWS):
        try:
            with transaction.atomic():
                course.join_code = new_code()
                course.save(update_fields=["join_code"])
                return course.join_code
        except IntegrityError:
            continue
    raise CourseRefused("No free join code was found: try it again.")


def checked(fields: CourseFields) -> CourseFields:
    """The fields as they are kept. Raises CourseRefused."""
    title, term = tidy(fields.title), tidy(fields.term)
    if not title or len(title) > MOST_TITLE:
        raise CourseRefused(f"Give the course a title of at most {MOST_TITLE} characters.", "title")
    if len(term) > MOST_TERM:
        raise CourseRefused(f"Write the term in at most {MOST_TERM} characters, such as Winter 2026.", "term")
    # EST, CET and their like are old abbreviations, some of them without summer time: a place is meant.
    if zone_of(fields.time_zone) is None or ("/" not in fields.time_zone and fields.time_zone != "UTC"):
        raise CourseRefused("Choose a time zone from the list, such as Europe/Berlin.", "time_zone")
    _check_days(fields)
    return CourseFields(title, term, fields.time_zone, fields.starts_on, fields.ends_on, fields.exam_on)


def _check_days(fields: CourseFields) -> None:
    first, last = fields.starts_on, fields.ends_on
    if first and last and not 0 <= (last - first).days <= MOST_DAYS:
        raise CourseRefused("The last day lies before the first, or more than three years after it.", "ends_on")
    if fields.exam_on and first and fields.exam_on < first:
        raise CourseRefused("The exam lies before the first day of the course.", "exam_on")


def _told(fields: CourseFields) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, dt.date) else value for name, value in asdict(fields).items()}
