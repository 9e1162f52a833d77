"""Giving programs a key to the REST door, and taking it away again."""

import datetime as dt
import secrets
import uuid

from django.utils import timezone

from exercises.models import AccessToken, User

LIFETIME = dt.timedelta(days=90)
#: How exactly it is kept when a token was used.
EXACTLY = dt.timedelta(minutes=1)
#: So that a token that was pasted somewhere public can be recognised for what it is.
PREFIX = "gym_"


def issue_token(*, user: User, label: str = "") -> tuple[str, AccessToken]:
    """A new token, which is told this once, and its row, which holds only the hash."""
    token = PREFIX + secrets.token_urlsafe(32)
    row = AccessToken.objects.create(
        user=user,
        digest=AccessToken.digest_of(token),
        label=label[:80],
        expires_at=timezone.now() + LIFETIME,
    )
    return token, row


def note_use(token: AccessToken) -> None:
    """Remember that a token was used, to the minute: a busy program costs one write a minute, and the others none."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at <= now - EXACTLY:
        AccessToken.objects.filter(pk=token.pk).update(last_used_at=now)


def revoke_token(*, user: User, public_id: uuid.UUID) -> bool:
    """Make one of the user's tokens worthless from now on; False if they have none of that id that still opened."""
    own = AccessToken.objects.filter(user=user, public_id=public_id, revoked_at=None)
    return bool(own.update(revoked_at=timezone.now()))
