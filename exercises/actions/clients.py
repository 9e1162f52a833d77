"""Letting a system in by OAuth2 client credentials, and shutting it out again."""

import secrets
from collections.abc import Collection

from django.db import transaction
from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from exercises.actions.person_lock import lock_person
from exercises.actions.tokens import EXACTLY, MOST_KEYS, KeyRefused, checked_scopes
from exercises.models import Client, Course, User

#: So that a secret that was pasted somewhere public can be recognised for what it is.
PREFIX = "gyms_"
MOST_NAME = 80


def make_client(*, user: User, name: str, scopes: Collection[str], course: Course | None = None) -> tuple[str, Client]:
    """A system that acts as the user, within these scopes and, if there is one, that course; with its secret, which is
    told this once. Raises KeyRefused."""
    if not name.strip():
        raise KeyRefused("Give the system a name, by which you will know it again.", "name")
    secret = _secret()
    client = Client(
        user=user,
        name=name.strip()[:MOST_NAME],
        client_type=Client.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Client.GRANT_CLIENT_CREDENTIALS,
        client_secret=secret,
        scopes=checked_scopes(scopes),
        course=course,
    )
    with transaction.atomic():
        lock_person(user)
        if Client.objects.filter(user=user).count() >= MOST_KEYS:
            raise KeyRefused(f"You have {MOST_KEYS} systems. Remove one that you no longer need.", "name")
        client.save(force_insert=True)
    return secret, client


def rotate_client_secret(client: Client) -> str:
    """Another secret, told this once. The one before and all tokens that it got are worthless from now on."""
    secret = _secret()
    with transaction.atomic():
        client.client_secret = secret
        client.save(update_fields=["client_secret", "updated"])
        get_access_token_model().objects.filter(application=client).delete()
    return secret


def remove_client(client: Client) -> None:
    """Shut a system out: its secret and its tokens are worthless from now on."""
    client.delete()


def note_client_use(client: Client) -> None:
    """Remember, to the minute, that a system came in."""
    now = timezone.now()
    if client.last_used_at is None or client.last_used_at <= now - EXACTLY:
        Client.objects.filter(pk=client.pk).update(last_used_at=now)


def _secret() -> str:
    return PREFIX + secrets.token_urlsafe(36)
