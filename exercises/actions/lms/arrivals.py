"""What a verified launch brings: deployment, person, context, link, roles. Written down, with a ticket to a session."""

import datetime as dt
import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from django.db import transaction

from exercises import clock
from exercises.actions.lms.outbox import want_person
from exercises.actions.lms.people import follow_roles, keep_membership, person_of
from exercises.actions.lms.places import keep_context, keep_link
from exercises.lti.launch import Launch, Message
from exercises.lti.refusals import LaunchRefused
from exercises.models import Context, Deployment, LaunchTicket, PlatformUser, Registration, ResourceLink, User

#: How long a ticket opens a session: as long as somebody needs to press a button.
LIFETIME = dt.timedelta(minutes=5)
#: Deployments of one registration that wait to be approved; more are not even written down.
MOST_PENDING = 50
#: Links that one was copied from, of which the latest that is known counts.
MOST_HISTORY = 20
APPROVAL = (
    "Whoever looks after this service has to approve it first, under “LMS connections”: it waits there now. Then open "
    "the link once more."
)

#: Which address of ours a launch leads to, by what it brought: known to the door that it comes in by.
Lead = Callable[[Launch, Context | None, ResourceLink | None], str]
#: What the session is to keep of a launch, as plain data.
Keep = Callable[[Registration, Launch], dict[str, object]]


@dataclass(frozen=True)
class Arrival:
    """A launch that was taken. ``ticket`` is told this once; ``kept`` is for the session."""

    launch: Launch
    registration: Registration
    user: User
    ticket: str
    kept: dict[str, object]


def arrive(registration: Registration, launch: Launch, lead: Lead, kept: Keep) -> Arrival:
    """Write down what a launch of a registration brings, and make a ticket. Raises LaunchRefused for a deployment that
    is not approved and for an account that is closed."""
    if launch.message is Message.DEEP_LINKING and launch.context is None:
        raise LaunchRefused("claim-missing", "The platform asks for content without saying for which course.")
    deployment = _deployment_of(registration, launch)
    with transaction.atomic():
        person = person_of(registration, launch.person)
        context = keep_context(deployment, launch.context, launch.services) if launch.context else None
        link = None
        if context is not None:
            keep_membership(context, person, roles=launch.roles)
            if launch.link is not None:
                link = keep_link(
                    context, launch.link, lineitem_url=launch.services.lineitem_url, wanted=_wanted_set(launch),
                    history=_history(launch),
                )  # fmt: skip
            follow_roles(context, person)
            want_person(context, person)
        said = kept(registration, launch)
        ticket, row = _ticket(registration, person, context, link)
        row.target, row.kept = lead(launch, context, link), said
        row.save(force_insert=True)
    return Arrival(launch, registration, person.user, ticket, said)


def take_ticket(ticket: str) -> LaunchTicket:
    """The ticket, used up: whoever comes second with it gets nothing. Raises LaunchRefused."""
    found = ticket_of(ticket)
    deleted, _ = LaunchTicket.objects.filter(pk=found.pk).delete()
    if not deleted:
        raise used_ticket()
    return found


def ticket_of(ticket: str) -> LaunchTicket:
    """A ticket that is good still, without using it. Raises LaunchRefused. One query."""
    rows = LaunchTicket.objects.select_related("user", "registration", "context")
    found = rows.filter(digest=_digest(ticket), expires_at__gt=clock.now(), user__is_active=True).first()
    if found is None:
        raise used_ticket()
    return found


def used_ticket() -> LaunchRefused:
    """What is said of a ticket that opens nothing any more."""
    return LaunchRefused(
        "ticket",
        "This way in was used already, or it is older than five minutes.",
        "Go back to your course and open the link once more.",
    )


def clear_tickets() -> int:
    """Delete tickets that open nothing any more; how many."""
    deleted, _ = LaunchTicket.objects.filter(expires_at__lte=clock.now()).delete()
    return deleted


def _deployment_of(registration: Registration, launch: Launch) -> Deployment:
    rows = Deployment.objects.filter(registration=registration)
    found = rows.filter(deployment_id=launch.deployment_id).first()
    if found is None and rows.filter(state=Deployment.State.PENDING).count() < MOST_PENDING:
        seen_as = launch.platform_name or (launch.context.title if launch.context else "")
        found, _ = rows.get_or_create(
            registration=registration, deployment_id=launch.deployment_id, defaults={"seen_as": seen_as[:300]}
        )
    if found is None or found.state == Deployment.State.PENDING:
        raise LaunchRefused(
            "deployment", f"The deployment {launch.deployment_id[:100]!r} of {registration} is not approved.", APPROVAL
        )
    if found.state == Deployment.State.REFUSED:
        raise LaunchRefused("deployment", f"The deployment {launch.deployment_id[:100]!r} was refused here.")
    return found


def _wanted_set(launch: Launch) -> str:
    """The public id of the set that a link was made for, if it says one: deep links carry it."""
    said = launch.custom.get("problem_set", "") or parse_qs(urlsplit(launch.target).query).get("set", [""])[0]
    return said[:40]


def _history(launch: Launch) -> list[str]:
    """The links that the link was copied from, the latest first; none where the platform does not know them."""
    said = launch.custom.get("link_history", "").split(",")[:MOST_HISTORY]
    return [one for one in said if one and one.isprintable() and "$" not in one]


def _ticket(
    registration: Registration, person: PlatformUser, context: Context | None, link: ResourceLink | None
) -> tuple[str, LaunchTicket]:
    ticket, now = secrets.token_urlsafe(32), clock.now()
    return ticket, LaunchTicket(
        digest=_digest(ticket), user=person.user, context=context, link=link, registration=registration,
        created_at=now, expires_at=now + LIFETIME,
    )  # fmt: skip


def _digest(ticket: str) -> str:
    return hashlib.sha256(ticket.encode("utf-8", "replace")).hexdigest()
