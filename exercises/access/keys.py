"""Finding keys: whose they are when they are presented, and one's own to look after."""

import hashlib
import uuid
from dataclasses import dataclass

from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from exercises.access.found import first_or_404
from exercises.models import AccessToken, Client, User

_NO_KEY = "You have no such key."


@dataclass(frozen=True)
class ClientToken:
    """A token that a system got, with what it asked for: never more than the system itself is good for."""

    client: Client
    scopes: frozenset[str]


def token_of(presented: str) -> AccessToken | None:
    """The row of a token that was presented, with its user; None if it is unknown, revoked or expired, or they left.
    One query."""
    return (
        AccessToken.objects.select_related("user")
        .filter(
            digest=AccessToken.digest_of(presented),
            revoked_at=None,
            expires_at__gt=timezone.now(),
            user__is_active=True,
        )
        .first()
    )


def client_token_of(presented: str) -> ClientToken | None:
    """The system whose token was presented, with its user; None as for ``token_of``. One query."""
    rows = get_access_token_model().objects.select_related("application__user").filter(
        token_checksum=hashlib.sha256(presented.encode()).hexdigest(),
        expires__gt=timezone.now(),
        application__user__is_active=True,
    )  # fmt: skip
    found = rows.first()
    if found is None:
        return None
    return ClientToken(found.application, frozenset(found.scope.split()) & frozenset(found.application.scopes))


def own_token(user: User, public_id: uuid.UUID) -> AccessToken:
    """A token of one's own that still opens. One query. Raises Http404."""
    own = AccessToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())
    return first_or_404(own.select_related("course").filter(public_id=public_id), _NO_KEY)


def own_client(user: User, client_id: str) -> Client:
    """A system that one has let in. One query. Raises Http404."""
    return first_or_404(Client.objects.filter(user=user, client_id=client_id).select_related("course"), _NO_KEY)
