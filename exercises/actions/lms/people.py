"""People of a platform: their account here, what they are in a context, and in the course that it leads to.

An account is found by registration and ``sub`` alone. An e-mail address is only what a platform says: it finds nobody,
and is not written into the account, by which others would find it.
"""

import secrets
from collections.abc import Collection, Iterable

from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from redis import RedisError

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.courses.exams import follow_exam_now
from exercises.actions.courses.following import follow_people
from exercises.actions.courses.locks import lock_course
from exercises.actions.lms.refusals import LinkRefused
from exercises.actions.second_step import check_code
from exercises.limits import MOST_PASSWORDS, PASSWORD_WINDOW, count, password_counter
from exercises.lti.launch import Person
from exercises.lti.refusals import LaunchRefused
from exercises.lti.roles import course_role, most
from exercises.models import (
    Attempt,
    Context,
    Course,
    Enrolment,
    Membership,
    PlatformUser,
    Registration,
    Role,
    Submission,
    User,
)
from exercises.refusals import TooMuchAtOnce

#: Without letters and digits that are taken for one another.
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
#: Passwords that somebody may try within ten minutes to link an account.
MOST_TRIES, WINDOW = 5, 600
NOT_COUNTED = "Accounts cannot be linked just now. Try it again in a minute."
Status = Membership.Status


def person_of(registration: Registration, said: Person) -> PlatformUser:
    """The person of a platform with their account; an account without a password is made for whoever is new. Raises
    LaunchRefused where the account was closed, or runs the service. Inside the caller's transaction; two queries for
    whoever is known."""
    rows = PlatformUser.objects.select_related("user", "registration").filter(registration=registration, sub=said.sub)
    found = rows.first()
    if found is None:
        try:
            with transaction.atomic():
                found = PlatformUser.objects.create(
                    registration=registration, sub=said.sub, user=_new_account(said), name=said.name, email=said.email
                )
        except IntegrityError:  # they launched twice at once
            found = rows.get()
    if not found.user.is_active:
        raise LaunchRefused("account-closed", "Your account here was closed.")
    if found.user.is_staff:
        # Whoever runs a platform can be anybody there: they would run this service as well.
        raise LaunchRefused(
            "account-kept", "Your account here runs this service, so no platform opens it.", "Sign in by its password."
        )
    found.name, found.email, found.seen_at = said.name or found.name, said.email or found.email, clock.now()
    found.save(update_fields=["name", "email", "seen_at"])
    return found


def keep_membership(
    context: Context, person: PlatformUser, *, roles: Iterable[str], status: str = Status.ACTIVE
) -> Membership:
    """Write down what somebody is in a context now, as the platform says it, in place of what it said before. Inside
    the caller's transaction. Where the context leads to a course, ``follow_roles`` is next."""
    said = list(roles)
    found, _ = Membership.objects.update_or_create(
        context=context,
        platform_user=person,
        defaults={"roles": said, "role": course_role(said), "status": status, "seen_at": clock.now()},
    )
    _keep_teaching(person)
    return found


def follow_roles(context: Context, person: PlatformUser) -> Enrolment | None:
    """Make somebody in the course of a context what the platform says they are, more or less than they were; None where
    that is nothing, or no course is connected. Inside the caller's transaction.

    Where several contexts lead to one course, it is the most of what they are in any. The platform alone decides: also
    the last instructor of a course becomes a learner when it says so. Work is never lost: who is nothing there any more
    is dropped, and finds everything again when they come back. At most twelve queries, two where nothing changes.
    """
    if context.course_id is None or context.course is None:
        return None
    role, found = _standing(context.course, person)
    if not _is_to_change(role, found, person):
        # Most launches: a class that comes in at once does not queue for the row of its course.
        return found if role else None
    course = lock_course(context.course)
    role, found = _standing(course, person, is_held=True)
    if not role:
        if found is not None and found.dropped_at is None:
            _drop(found)
        return None
    if found is not None:
        return _change(found, role, person) if _is_to_change(role, found, person) else found
    if course.archived_at is not None:
        return None
    return _add(Enrolment(course=course, user=person.user, role=role, name=person.name[:200]))


def link_account(*, person: PlatformUser, name: str, password: str, code: str = "") -> PlatformUser:
    """Let somebody who has an account here, which its password proves, with a ``code`` where it has a second step, come
    into it from the platform from now on.

    The account that the launch made is closed; it must hold no work yet, which would be lost to its owner. Raises
    LinkRefused, CodeWanted, and TooMuchAtOnce for one try too many.
    """
    _refuse_guessing(person, name)
    found = authenticate(None, username=name, password=password)
    if not isinstance(found, User):
        raise LinkRefused("There is no account of this name with this password.", "password")
    if found.is_staff:
        raise LinkRefused("An account that runs this service is opened by its password alone.")
    _check_code(found, code)
    with transaction.atomic():
        row = (
            PlatformUser.objects.select_for_update(of=("self",))
            .select_related("user", "registration")
            .get(pk=person.pk)
        )
        before = row.user
        if before.pk == found.pk:
            return row
        if not row.is_made_here:
            raise LinkRefused("You have linked another account already.")
        if Attempt.objects.filter(learner=before).exists() or Submission.objects.filter(author=before).exists():
            raise LinkRefused("You have worked here already with the account that the launch made: it stays yours.")
        row.user, row.is_made_here, row.is_teacher_by_launch = found, False, False
        row.save(update_fields=["user", "is_made_here", "is_teacher_by_launch"])
        before.is_active = before.is_instructor = False
        before.save(update_fields=["is_active", "is_instructor"])
        for enrolment in Enrolment.objects.select_related("course", "user").filter(user=before, dropped_at=None):
            lock_course(enrolment.course)
            _drop(enrolment)
        _keep_teaching(row)
        for membership in row.memberships.select_related("context__course").exclude(context__course=None):
            follow_roles(membership.context, row)
    return row


def teachers_by(registration: Registration) -> list[int]:
    """The accounts that may make courses and write problems because a platform says so."""
    rows = PlatformUser.objects.filter(registration=registration, is_teacher_by_launch=True)
    return list(rows.values_list("user_id", flat=True))


def end_teaching(users: Collection[int]) -> None:
    """Of these, who could make courses because a platform said so, can only as long as another one does: that one is
    gone, or its teachers may not any more. Inside the caller's transaction."""
    still = Membership.objects.filter(
        platform_user__registration__lets_teach=True, role=Role.INSTRUCTOR, status=Status.ACTIVE
    ).values("platform_user__user")
    ended = list(User.objects.filter(pk__in=users).exclude(pk__in=still).values_list("pk", flat=True))
    User.objects.filter(pk__in=ended).update(is_instructor=False)
    PlatformUser.objects.filter(user__in=ended).update(is_teacher_by_launch=False)


def _standing(course: Course, person: PlatformUser, *, is_held: bool = False) -> tuple[str, Enrolment | None]:
    """What somebody is in the contexts of a course by what their platform says, and their enrolment. Two queries."""
    said = Membership.objects.filter(
        context__course=course, platform_user__user=person.user_id, status=Status.ACTIVE
    ).values_list("role", flat=True)
    rows = Enrolment.objects.select_related("course", "user").filter(course=course, user=person.user_id)
    return most(said), (rows.select_for_update(no_key=True, of=("self",)) if is_held else rows).first()


def _is_to_change(role: str, found: Enrolment | None, person: PlatformUser) -> bool:
    """Whether the enrolment is another than the platform says."""
    if found is None or found.dropped_at is not None:
        return bool(role)
    return found.role != role or found.name != (person.name[:200] or found.name)


def _new_account(said: Person) -> User:
    """An account that only launches open. Its name tells two people of one name apart."""
    head = slugify(said.name)[:30].strip("-") or "learner"
    user = User(username=f"{head}-{''.join(secrets.choice(_SIGNS) for _ in range(6))}")
    user.set_unusable_password()
    user.save(force_insert=True)
    return user


def _keep_teaching(person: PlatformUser) -> None:
    """Let whoever teaches in a platform whose teachers may, make courses and write problems here; as long as they do.
    Nobody who was made a teacher here is touched. At most three queries."""
    teaches = Membership.objects.filter(
        platform_user__user=person.user_id, platform_user__registration__lets_teach=True, role=Role.INSTRUCTOR,
        status=Status.ACTIVE,
    )  # fmt: skip
    user = person.user
    if not user.is_instructor:
        if person.registration.lets_teach and teaches.exists():
            _set_teaching(person, is_teacher=True)
    elif person.is_teacher_by_launch and not teaches.exists():
        _set_teaching(person, is_teacher=False)


def _set_teaching(person: PlatformUser, *, is_teacher: bool) -> None:
    person.user.is_instructor = is_teacher
    person.user.save(update_fields=["is_instructor"])
    person.is_teacher_by_launch = is_teacher
    PlatformUser.objects.filter(user=person.user_id).update(is_teacher_by_launch=is_teacher)


def _add(enrolment: Enrolment) -> Enrolment:
    enrolment.save(force_insert=True)
    _note(enrolment, "lms-added", before=None, after={"role": enrolment.role})
    follow_exam_now(enrolment)
    return enrolment


def _change(found: Enrolment, role: str, person: PlatformUser) -> Enrolment:
    was_gone = found.dropped_at is not None
    before, after = {"role": found.role, "dropped": was_gone}, {"role": role, "dropped": False}
    found.role, found.dropped_at, found.name = role, None, person.name[:200] or found.name
    found.save(update_fields=["role", "dropped_at", "name"])
    if was_gone:
        # Rules may have changed while nobody looked after their attempts.
        follow_people(found.course, [found.user_id])
    if before != after:
        _note(found, "lms-role", before=before, after=after)
        follow_exam_now(found)
    return found


def _drop(found: Enrolment) -> None:
    found.dropped_at = clock.now()
    found.save(update_fields=["dropped_at"])
    _note(found, "lms-dropped", before={"role": found.role, "dropped": False}, after={"dropped": True})
    follow_exam_now(found)


def _note(enrolment: Enrolment, deed: str, *, before: object, after: object) -> None:
    noted(
        course=enrolment.course, actor=None, deed=deed, about=enrolment.name or enrolment.user.username,
        learner=enrolment.user, before=before, after=after, reason="as the learning platform says",
    )  # fmt: skip


def _check_code(user: User, code: str) -> None:
    """Else whoever knows the password alone would come in by a platform from then on, which asks for no code."""
    try:
        check_code(user=user, code=code)
    except (RedisError, OSError):
        raise TooMuchAtOnce(NOT_COUNTED) from None


def _refuse_guessing(person: PlatformUser, name: str) -> None:
    """Unlike a join code, a password opens everything: where nothing can be counted, nothing is tried. Whoever runs a
    platform has as many people as they like, so tries are counted for the name as well."""
    try:
        is_over = [
            count(f"link:{person.pk}", WINDOW) > MOST_TRIES,
            count(password_counter(name), PASSWORD_WINDOW) > MOST_PASSWORDS,
        ]
    except (RedisError, OSError):
        raise TooMuchAtOnce(NOT_COUNTED) from None
    if any(is_over):
        raise TooMuchAtOnce("Many passwords were tried within a short time. Wait ten minutes.")
