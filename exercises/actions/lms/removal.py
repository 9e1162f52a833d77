"""Taking a registration off for good, with all that is known of its platform; what people did here stays."""

from dataclasses import dataclass

from django.db import transaction

from exercises.actions.audit import noted
from exercises.actions.lms.guards import has_people, log_change
from exercises.actions.lms.people import end_teaching, teachers_by
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.actions.lms.tool_keys import forget_key_set
from exercises.models import Context, LineItem, LmsScore, PlatformUser, Registration, User

ASK = "People have come from this platform: only whoever runs this service removes it now. Ask there."
SWITCH_OFF = "Switch its launches off first: whoever is in the middle of something can end it then."


@dataclass(frozen=True)
class Goes:
    """What goes with a registration. ``shut_out``: accounts that only launches from it open."""

    people: int
    shut_out: int
    courses: int
    columns: int
    unsent: int


def what_goes(registration: Registration) -> Goes:
    """What is lost with it. Five queries."""
    people = PlatformUser.objects.filter(registration=registration)
    others = PlatformUser.objects.exclude(registration=registration)
    columns = LineItem.objects.filter(context__deployment__registration=registration)
    unsent = LmsScore.objects.filter(line_item__in=columns, state=LmsScore.State.PENDING)
    shut_out = people.filter(is_made_here=True).exclude(user__in=others.values("user"))
    return Goes(
        people=people.count(), shut_out=shut_out.count(), columns=columns.count(), unsent=unsent.count(),
        courses=Context.objects.filter(deployment__registration=registration).exclude(course=None).count(),
    )  # fmt: skip


def why_not(actor: User, registration: Registration) -> str:
    """Why somebody who keeps a registration may not remove it now, in words; "" where they may. One query at most."""
    if has_people(registration):
        if not actor.is_staff:
            return ASK
        if registration.state != Registration.State.OFF:
            return SWITCH_OFF
    return ""


def remove_platform(*, actor: User, registration: Registration, typed: str = "") -> None:
    """Delete a registration with its deployments, courses, links, columns, people and keys. Accounts, courses and sets
    here stay, and everybody's place, work and grades in them.

    One that others rely on is only removed by whoever runs the service, switched off, and once its name was ``typed``.
    Raises ConnectionRefused.
    """
    with transaction.atomic():
        found = Registration.objects.select_for_update().filter(pk=registration.pk).first()
        if found is None:
            return
        if why := why_not(actor, found):
            raise ConnectionRefused(why)
        if has_people(found) and typed.strip() != found.name:
            raise ConnectionRefused("Type the name of the platform as it stands here.", "name")
        for context in Context.objects.filter(deployment__registration=found).select_related("course"):
            if context.course is not None:
                noted(
                    course=context.course, actor=actor, deed="lms-disconnected", about=str(context),
                    reason=f"{found.name} was removed",
                )  # fmt: skip
        teachers = teachers_by(found)
        log_change(actor, found, f"removed ({found.name})")
        found.delete()
        forget_key_set(found.public_id)
        end_teaching(teachers)
