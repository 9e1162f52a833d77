"""Reviews of flashcards are planned towards the exams of one's courses: they move when those do."""

import datetime as dt
import time

from django.db import transaction
from django.utils import timezone

from exercises.actions.cards.aside import reschedule_cards
from exercises.actions.sending import is_sent
from exercises.courses.rights import Right, roles_with
from exercises.models import Course, Enrolment

TASK = "exercises.tasks.follow_exam"
#: Seconds after which the rest is left to another message, so that marking never waits long.
LONGEST = 4.0
#: For so long after a change of a course its exam is followed once more by every sweep: by then one has got through.
SWEPT = dt.timedelta(hours=26)


def follow_course_exam(course: Course, *, is_certain: bool = False) -> None:
    """After the commit, let a worker plan the cards of everybody who learns in a course anew; nothing where it has no
    exam, unless it is ``is_certain`` that it had one. No query."""
    if course.exam_on is not None or is_certain:
        transaction.on_commit(lambda: send(course.pk), robust=True)


def send(course_pk: int, after: int = 0) -> None:
    """Publish the task. It never raises: the sweep makes good what is not told."""
    is_sent(TASK, course_pk, after, otherwise=f"Cards of course {course_pk} keep their days until the next sweep")


def sweep() -> int:
    """Tell workers of the exams of all courses that were changed lately, since no row says that a message was lost; how
    many. Where the cards have followed already nothing is written. One query."""
    # By the clock of the database, which writes down when a row was changed.
    changed = Course.objects.filter(updated_at__gte=timezone.now() - SWEPT).order_by("pk")
    courses = list(changed.values_list("pk", flat=True))
    for course_pk in courses:
        send(course_pk)
    return len(courses)


def follow_exam_now(enrolment: Enrolment) -> None:
    """Plan the cards of one person anew, in the transaction that is open, where their course has an exam. It locks the
    learner: call it last."""
    if enrolment.course.exam_on is not None:
        reschedule_cards(learner=enrolment.user)


def follow_exam(course_pk: int, after: int = 0) -> int | None:
    """Plan the cards of those who learn, or learnt, in a course anew, in the order of their enrolments, from the one
    behind ``after`` on; the enrolment to go on from when time is up, None at the end. May be done twice."""
    ends = time.monotonic() + LONGEST
    rows = Enrolment.objects.filter(course=course_pk, role__in=roles_with(Right.SIT), pk__gt=after)
    for enrolment in rows.select_related("user").order_by("pk"):
        reschedule_cards(learner=enrolment.user)
        if time.monotonic() > ends:
            return enrolment.pk
    return None
