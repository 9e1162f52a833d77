"""Finding what belongs to a learning platform: for whoever was launched from it, and for who keeps its registration."""

import uuid

from django.db.models import QuerySet
from django.http import Http404

from exercises.access.found import first_or_404
from exercises.models import (
    Context,
    Course,
    Deployment,
    LineItem,
    Membership,
    PlatformUser,
    Registration,
    ResourceLink,
    Role,
    User,
)

NOTHING = "There is no such page."


def link_and_membership(user: User, link_id: uuid.UUID) -> tuple[ResourceLink, Membership]:
    """A link of a context that the user is in by a launch, and what they are there; else Http404. Two queries."""
    rows = ResourceLink.objects.select_related("context__course", "context__deployment__registration", "problem_set")
    found = first_or_404(rows.filter(public_id=link_id, context__memberships__platform_user__user=user).distinct())
    return found, _membership(user, found.context)


def context_and_membership(user: User, context_id: uuid.UUID) -> tuple[Context, Membership]:
    """A context that the user is in by a launch, and what they are there; else Http404. Two queries."""
    rows = Context.objects.select_related("course", "deployment__registration")
    found = first_or_404(rows.filter(public_id=context_id, memberships__platform_user__user=user).distinct())
    return found, _membership(user, found)


def context_taught(user: User, context_id: uuid.UUID) -> tuple[Context, PlatformUser]:
    """A context that the user teaches, as its platform says; else Http404. Two queries."""
    found, membership = context_and_membership(user, context_id)
    if membership.role != Role.INSTRUCTOR or membership.status != Membership.Status.ACTIVE:
        raise Http404(NOTHING)
    return found, membership.platform_user


def is_let_in(registration: int | None, deployment_id: str) -> bool:
    """Whether launches of a deployment are taken now: it is approved, and its platform switched on. One query."""
    rows = Deployment.objects.filter(registration=registration, deployment_id=deployment_id)
    is_on = {"state": Deployment.State.APPROVED, "registration__state": Registration.State.ACTIVE}
    return rows.filter(**is_on).exists()


def connections_keeper(user: User) -> User:
    """The user, if they may connect platforms: who teaches, and who runs the service; else Http404."""
    if not (user.is_staff or user.is_instructor):
        raise Http404(NOTHING)
    return user


def registrations_kept_by(user: User) -> QuerySet[Registration]:
    """The registrations that the user may see and change: their own, and all of them for who runs the service."""
    return Registration.objects.all() if user.is_staff else Registration.objects.filter(made_by=user)


def registration_kept_by(user: User, registration_id: uuid.UUID) -> Registration:
    """One of them; else Http404. One query."""
    rows = registrations_kept_by(connections_keeper(user)).select_related("made_by", "switched_by")
    return first_or_404(rows.filter(public_id=registration_id))


def deployment_in(registration: Registration, pk: int) -> Deployment:
    """A deployment of a registration that was found already; else Http404. One query."""
    return first_or_404(Deployment.objects.filter(registration=registration, pk=pk))


def context_in(registration: Registration, context_id: uuid.UUID) -> Context:
    """A context of a registration that was found already; else Http404. One query."""
    rows = Context.objects.select_related("course", "deployment")
    return first_or_404(rows.filter(deployment__registration=registration, public_id=context_id))


def _membership(user: User, context: Context) -> Membership:
    """What the user is there; of several people of the platform who share an account, the one seen last."""
    rows = Membership.objects.select_related("platform_user__user", "platform_user__registration")
    return first_or_404(rows.filter(context=context, platform_user__user=user).order_by("-seen_at"))


def context_of(course: Course, context_id: uuid.UUID) -> Context:
    """A context that leads to a course that was found already; else Http404. One query."""
    rows = Context.objects.select_related("course", "deployment__registration")
    return first_or_404(rows.filter(course=course, public_id=context_id))


def column_of(course: Course, pk: int) -> LineItem:
    """A column of such a context for a set of this course; else Http404. One query.

    What a context led to before is none of the course that it leads to now.
    """
    rows = LineItem.objects.select_related("context__deployment__registration", "problem_set", "set_item__problem")
    return first_or_404(rows.filter(context__course=course, problem_set__course=course, pk=pk))
