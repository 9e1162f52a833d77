"""The keys a user has given to programs."""

from django.utils import timezone

from exercises.limits import MOST_ROWS
from exercises.models import AccessToken, Client, Enrolment, User


def open_tokens(user: User) -> list[AccessToken]:
    """The user's tokens that still open, newest first. One query."""
    own = AccessToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())
    return list(own.select_related("course").order_by("-pk")[:MOST_ROWS])


def clients_of(user: User) -> list[Client]:
    """The systems that a user has let in, newest first. One query."""
    return list(Client.objects.filter(user=user).select_related("course").order_by("-pk")[:MOST_ROWS])


def present_in(user: User) -> list[Enrolment]:
    """Where a user is, with the courses, the latest first: what a key of theirs can be limited to. One query."""
    here = Enrolment.objects.filter(user=user, dropped_at=None, course__archived_at=None)
    return list(here.select_related("course").order_by("-course_id")[:MOST_ROWS])
