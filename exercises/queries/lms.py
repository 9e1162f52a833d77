"""Connections to learning platforms, and where a launch leads to."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.db.models import Count, Q, QuerySet

from exercises.courses.rights import Right, may, roles_with
from exercises.limits import MOST_ROWS
from exercises.models import (
    Attempt,
    Context,
    Course,
    Deployment,
    Enrolment,
    LaunchTicket,
    PlatformUser,
    ProblemSet,
    Registration,
    ResourceLink,
    Role,
    ToolKey,
    User,
)

Kind = Literal["connect", "choose", "staff", "attempt", "set", "wait-course", "wait-role", "wait-set", "wait-open"]


@dataclass(frozen=True)
class Landing:
    """Where a link leads somebody: to a page, or to words that say what it waits for."""

    kind: Kind
    problem_set: ProblemSet | None = None
    attempt: Attempt | None = None


def landing(user: User, link: ResourceLink, *, enrolment: Enrolment | None, role: str) -> Landing:
    """Where a link leads the user, whose place in its course is ``enrolment``, and who is ``role`` in its context. At
    most two queries."""
    if link.context.course_id is None:
        return Landing("connect" if role == Role.INSTRUCTOR else "wait-course")
    if enrolment is None:
        return Landing("wait-role")
    if link.problem_set is None:
        return Landing("choose" if may(enrolment.role, Right.MANAGE) else "wait-set")
    if may(enrolment.role, Right.READ_WORK):
        return Landing("staff", link.problem_set)
    found = link.problem_set
    open_to = Q(groups=None) | Q(groups__members=enrolment)
    seen = ProblemSet.objects.filter(open_to, pk=found.pk, retired=False, published_at__isnull=False)
    if not seen.exists():
        return Landing("wait-open", found)
    going_on = Attempt.objects.filter(problem_set=found, learner=user, is_preview=False, handed_in_at=None).first()
    if going_on is not None and found.mode != ProblemSet.Mode.PRACTICE:
        return Landing("attempt", found, going_on)
    return Landing("set", found)


def courses_to_connect(user: User) -> QuerySet[Course]:
    """The courses that somebody manages and that go on: a course of a platform may lead to one of them. No query."""
    own = Enrolment.objects.filter(user=user, dropped_at=None, role__in=roles_with(Right.MANAGE))
    return Course.objects.filter(pk__in=own.values("course"), archived_at=None).order_by("-pk")


def sets_to_choose(course: Course) -> QuerySet[ProblemSet]:
    """The sets of a course that a link may open, drafts among them, in their order. No query."""
    return ProblemSet.objects.filter(course=course, retired=False).order_by("position", "pk")


def connections(kept: QuerySet[Registration]) -> list[Registration]:
    """Registrations for a list, each with its numbers ``waiting`` (deployments), ``courses`` and ``people``. One
    query."""
    return list(
        kept.annotate(
            waiting=Count("deployments", Q(deployments__state=Deployment.State.PENDING), distinct=True),
            courses=Count("deployments__contexts", distinct=True),
            launched=Count("people", distinct=True),
        ).order_by("name", "pk")[:MOST_ROWS]
    )


@dataclass(frozen=True)
class ConnectionRows:
    """What there is of one registration; of each kind no more than the first hundred."""

    deployments: Sequence[Deployment]
    contexts: Sequence[Context]


def connection_rows(registration: Registration) -> ConnectionRows:
    """Deployments, those that wait first, and contexts with the courses that they lead to. Two queries."""
    rows = Deployment.objects.filter(registration=registration).select_related("decided_by")
    waiting_first = sorted(rows[:MOST_ROWS], key=lambda row: (row.state != Deployment.State.PENDING, row.pk))
    contexts = Context.objects.filter(deployment__registration=registration).select_related("course", "deployment")
    counted = contexts.annotate(people=Count("memberships")).order_by("-seen_at")
    return ConnectionRows(waiting_first, list(counted[:MOST_ROWS]))


def tool_keys(owner: uuid.UUID | None = None) -> list[ToolKey]:
    """The keys of ours that are of one registration, or that are shared, the oldest first. One query."""
    return list(ToolKey.objects.filter(key_set=owner)[:MOST_ROWS])


def sharing() -> list[Registration]:
    """The registrations that are signed for by the shared keys. One query."""
    return list(Registration.objects.filter(has_own_keys=False)[:MOST_ROWS])


def name_on(ticket: LaunchTicket) -> str:
    """What the platform calls whoever a ticket is for. One query."""
    rows = PlatformUser.objects.filter(user=ticket.user_id, registration=ticket.registration_id)
    return rows.values_list("name", flat=True).first() or ""
