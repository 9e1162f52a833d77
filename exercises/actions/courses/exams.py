"""Reviews of flashcards are planned towards the exams of one's courses: they move when those do."""

import logging
import time

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError
from redis import RedisError

from exercises.actions.cards.aside import reschedule_cards
from exercises.courses.rights import Right, roles_with
from exercises.models import Course, Enrolment

log = logging.getLogger(__name__)

TASK = "exercises.tasks.follow_exam"
#: Seconds after which the rest is left to another message, so that marking never waits long.
LONGEST = 4.0


def follow_course_exam(course: Course, *, is_certain: bool = False) -> None:
    """After the commit, let a worker plan the cards of everybody who learns in a course anew; nothing where it has no
    exam, unless it is ``is_certain`` that it had one. No query."""
    if course.exam_on is not None or is_certain:
        transaction.on_commit(lambda: send(course.pk), robust=True)


def send(course_pk: int, after: int = 0) -> None:
    """Publish the task. It never raises: what is not told keeps its day until it is reviewed next."""
    try:
        current_app.send_task(TASK, args=[course_pk, after], retry=False, ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("Cards of course %s keep the days they were planned for: the broker says %s", course_pk, error)


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
