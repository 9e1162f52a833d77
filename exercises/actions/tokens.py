"""Giving programs a key to the REST door, and taking it away again."""

import datetime as dt
import secrets
import uuid
from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from exercises.actions.person_lock import lock_person
from exercises.models import AccessToken, Course, User
from exercises.refusals import Refused
from exercises.scopes import PRACTICE, SCOPES, known

#: In days.
LIFETIME, LONGEST_LIFETIME = 90, 365
#: That one person may have at a time.
MOST_KEYS = 50
#: How exactly it is kept when a key was used.
EXACTLY = dt.timedelta(minutes=1)
#: So that a token that was pasted somewhere public can be recognised for what it is.
PREFIX = "gym_"
#: As many characters of a token as its owner is shown to know it again.
HEAD = 10


class KeyRefused(Refused):
    """A key that is good for nothing, for ever, or one too many; ``field`` names what is wrong with it."""

    code = "key-refused"

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


def issue_token(
    *,
    user: User,
    label: str = "",
    scopes: Collection[str] = (PRACTICE,),
    course: Course | None = None,
    days: int = LIFETIME,
) -> tuple[str, AccessToken]:
    """A new token, which is told this once, and its row, which holds only the hash.

    ``course``, in which the user is, limits it to that course. Raises KeyRefused.
    """
    if not 1 <= days <= LONGEST_LIFETIME:
        raise KeyRefused(f"A token holds for 1 to {LONGEST_LIFETIME} days.", "days")
    token = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        lock_person(user)
        own = AccessToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())
        if own.count() >= MOST_KEYS:
            raise KeyRefused(f"You have {MOST_KEYS} tokens. Revoke one that you no longer need.", "label")
        row = AccessToken.objects.create(
            user=user,
            digest=AccessToken.digest_of(token),
            head=token[:HEAD],
            label=label[:80],
            scopes=checked_scopes(scopes),
            course=course,
            expires_at=timezone.now() + dt.timedelta(days=days),
        )
    return token, row


def checked_scopes(scopes: Collection[str]) -> list[str]:
    """The scopes of a new key, each once. Raises KeyRefused for one that there is not, and for none at all."""
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown:
        raise KeyRefused(f"There is no scope {unknown[0]!r}. There are {', '.join(SCOPES)}.", "scopes")
    if not scopes:
        raise KeyRefused("Choose what the key may be used for.", "scopes")
    return known(scopes)


def note_use(token: AccessToken) -> None:
    """Remember that a token was used, to the minute: a busy program costs one write a minute, and the others none."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at <= now - EXACTLY:
        AccessToken.objects.filter(pk=token.pk).update(last_used_at=now)


def revoke_token(*, user: User, public_id: uuid.UUID) -> bool:
    """Make one of the user's tokens worthless from now on; False if they have none of that id that still opened."""
    own = AccessToken.objects.filter(user=user, public_id=public_id, revoked_at=None)
    return bool(own.update(revoked_at=timezone.now()))
