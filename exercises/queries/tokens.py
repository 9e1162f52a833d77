"""The keys a user has given to programs."""

from django.utils import timezone

from exercises.limits import MOST_ROWS
from exercises.models import AccessToken, User


def open_tokens(user: User) -> list[AccessToken]:
    """The user's tokens that still open, newest first. One query."""
    own = AccessToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())
    return list(own.order_by("-pk")[:MOST_ROWS])
