"""What somebody is in a course: their role, their time factor, their groups, and whether they are still in it."""

from collections.abc import Collection, Mapping
from decimal import Decimal

from django.db import transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.courses.exams import follow_exam_now
from exercises.actions.courses.following import follow_people
from exercises.actions.courses.locks import AWAY, lock_member, refuse_last_instructor
from exercises.actions.courses.refusals import CourseRefused
from exercises.courses.roster import LEAST_FACTOR, MOST_FACTOR, factor_text
from exercises.models import Enrolment, Group, Role, User


def change_role(*, actor: User, enrolment: Enrolment, role: str) -> None:
    """Make somebody in a course something else there. Raises CourseRefused for a role there is not, for whoever was
    dropped, and for the last instructor."""
    if role not in Role.values:
        raise CourseRefused(f"Choose one of the roles: {', '.join(Role.values)}.", "role")
    with transaction.atomic():
        found = lock_member(enrolment)
        if found.dropped_at is not None:
            raise CourseRefused("They are not in the course any more: bring them back first.", "role")
        if found.role == role:
            return
        refuse_last_instructor(found)
        _note(actor, found, "role", before={"role": found.role}, after={"role": role})
        found.role = role
        found.save(update_fields=["role"])
        follow_exam_now(found)


def set_time_factor(*, actor: User, enrolment: Enrolment, time_factor: Decimal, reason: str = "") -> None:
    """Let every time limit of somebody be so many times as long, from 1 to 10; it applies at once, also to an attempt
    that is going on. Raises CourseRefused."""
    if not LEAST_FACTOR <= time_factor <= MOST_FACTOR or time_factor != round(time_factor, 2):
        raise CourseRefused("Choose a time factor from 1 to 10 with at most two decimals, such as 1.25.", "time_factor")
    with transaction.atomic():
        found = lock_member(enrolment)
        if found.time_factor == time_factor:
            return
        before, after = factor_text(found.time_factor), factor_text(time_factor)
        found.time_factor = time_factor
        found.save(update_fields=["time_factor"])
        follow_people(found.course, [found.user_id])
        _note(actor, found, "time-factor", before={"time factor": before}, after={"time factor": after}, reason=reason)


def set_groups(*, actor: User, enrolment: Enrolment, groups: Collection[int]) -> None:
    """Put somebody into just these groups of their course, by primary key. What is different for a group applies at
    once. Raises CourseRefused for a group of another course, and in a course that is put away."""
    with transaction.atomic():
        found = lock_member(enrolment)
        _refuse_away(found)
        known = {group.pk: group.name for group in Group.objects.filter(course=found.course)}
        if not known.keys() >= set(groups):
            raise CourseRefused("One of these groups is no longer there: load the page again.", "groups")
        before = set(found.groups.values_list("pk", flat=True))
        if before == set(groups):
            return
        found.groups.set(groups)
        follow_people(found.course, [found.user_id])
        told = [{"groups": sorted(known[pk] for pk in chosen)} for chosen in (before, set(groups))]
        _note(actor, found, "groups", before=told[0], after=told[1])


def drop_member(*, actor: User, enrolment: Enrolment, reason: str = "") -> None:
    """Take somebody out of a course. They see it no longer and count in nothing; their work stays, and is theirs again
    when they come back. Raises CourseRefused for the last instructor. Pressed twice, it is done once."""
    _out(actor, enrolment, "dropped", reason)


def leave_course(*, enrolment: Enrolment) -> None:
    """Go out of a course by oneself, whichever way one came in; otherwise as ``drop_member``."""
    _out(enrolment.user, enrolment, "left")


def bring_back(*, actor: User, enrolment: Enrolment) -> None:
    """Let somebody into a course again, as what they were, with all their work. Pressed twice, it is done once.
    Raises CourseRefused in a course that is put away."""
    with transaction.atomic():
        found = lock_member(enrolment)
        if found.dropped_at is None:
            return
        _refuse_away(found)
        found.dropped_at = None
        found.save(update_fields=["dropped_at"])
        # Rules may have changed while nobody looked after their attempts.
        follow_people(found.course, [found.user_id])
        _note(actor, found, "brought-back", before={"dropped": True}, after={"dropped": False, "role": found.role})
        follow_exam_now(found)


def _out(actor: User, enrolment: Enrolment, deed: str, reason: str = "") -> None:
    with transaction.atomic():
        found = lock_member(enrolment)
        if found.dropped_at is not None:
            return
        refuse_last_instructor(found)
        found.dropped_at = clock.now()
        found.save(update_fields=["dropped_at"])
        _note(actor, found, deed, before={"dropped": False}, after={"dropped": True}, reason=reason)
        follow_exam_now(found)


def _refuse_away(enrolment: Enrolment) -> None:
    """Behind ``lock_member``, which has taken the course and read it."""
    if enrolment.course.archived_at is not None:
        raise CourseRefused(AWAY)


def _note(
    actor: User, enrolment: Enrolment, deed: str, *, before: Mapping[str, object], after: Mapping[str, object],
    reason: str = "",
) -> None:  # fmt: skip
    noted(
        course=enrolment.course, actor=actor, deed=deed, about=enrolment.name or enrolment.user.username,
        learner=enrolment.user, before=before, after=after, reason=reason,
    )  # fmt: skip
