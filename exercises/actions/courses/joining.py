"""Coming into a course by its code, and the code itself."""

import logging

from django.db import transaction
from redis import RedisError

from exercises.actions.audit import noted
from exercises.actions.courses.exams import follow_exam_now
from exercises.actions.courses.locks import lock_course
from exercises.actions.courses.making import give_code
from exercises.actions.courses.refusals import CodeRefused, CourseRefused
from exercises.actions.events import tell
from exercises.courses.codes import read_code
from exercises.limits import count
from exercises.models import Course, Enrolment, Role, User
from exercises.refusals import TooMuchAtOnce

log = logging.getLogger(__name__)

#: Codes that somebody may try out, and within how many seconds: nobody mistypes as often, and nobody guesses one so.
MOST_TRIES = 10
WINDOW = 600
NO_SUCH_CODE = (
    "No course is open under this code. Look at it again: it has eight letters and digits. Ask whoever teaches the "
    "course whether it has changed."
)


def join_course(*, user: User, code: str) -> Enrolment:
    """Come into the course of a code as a learner; whoever is in it already stays what they are.

    Who was dropped comes back as a learner and finds their work again. Capitals, blanks and hyphens do not matter.
    Raises CodeRefused for a code that opens nothing, and TooMuchAtOnce for one try too many. At most six queries.
    """
    _refuse_guessing(user)
    wanted = read_code(code)
    with transaction.atomic():
        # Locked, so that a door that is being closed is closed, and two presses of the button are one.
        course = Course.objects.select_for_update(no_key=True).filter(join_code=wanted, archived_at=None).first()
        if not wanted or course is None:
            raise CodeRefused(NO_SUCH_CODE)
        enrolment, is_new = Enrolment.objects.get_or_create(course=course, user=user, defaults={"role": Role.LEARNER})
        if is_new:
            follow_exam_now(enrolment)
            tell("enrolment.added", course=course.pk, actor=user.pk, learner=user.pk, data={"role": enrolment.role})
        if is_new or enrolment.dropped_at is None:
            return enrolment
        before = enrolment.role
        enrolment.dropped_at = None
        # A code makes nobody a teacher again.
        enrolment.role = Role.LEARNER
        enrolment.save(update_fields=["dropped_at", "role"])
        noted(
            course=course, actor=user, deed="came-back", about=user.username, learner=user,
            before={"role": before, "dropped": True}, after={"role": Role.LEARNER, "dropped": False},
        )  # fmt: skip
        follow_exam_now(enrolment)
    return enrolment


def renew_code(*, actor: User, course: Course) -> str:
    """A new join code in place of the old one, which opens nothing from then on. Raises CourseRefused for a course that
    is put away."""
    with transaction.atomic():
        found = lock_course(course)
        if found.archived_at is not None:
            raise CourseRefused("The course is put away: take it up again first, then let people in.")
        code = give_code(found)
        noted(course=found, actor=actor, deed="code-new", about=str(found))
    return code


def close_door(*, actor: User, course: Course) -> None:
    """No code opens the course any more; its roster still does. Pressed twice, it is done once."""
    with transaction.atomic():
        found = lock_course(course)
        if found.join_code is None:
            return
        found.join_code = None
        found.save(update_fields=["join_code"])
        noted(course=found, actor=actor, deed="code-closed", about=str(found))


def _refuse_guessing(user: User) -> None:
    try:
        tries = count(f"join:{user.pk}", WINDOW)
    except (RedisError, OSError) as error:
        # As with everything that is limited: what cannot be counted keeps nobody out.
        log.warning("Join codes are not limited: %s", error)
        return
    if tries > MOST_TRIES:
        raise TooMuchAtOnce("You have tried many codes within a short time. Wait ten minutes, then type it once more.")
