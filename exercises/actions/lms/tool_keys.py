"""Our own keys: made, published ahead of their first use, and published on for a while after their last.

Each registration has a set of its own, so that what is signed for one platform is worth nothing at another. Those that
were registered before there were such sets share one, until somebody has given the platform its own address.
"""

import datetime as dt
import json
import secrets
import uuid
from dataclasses import dataclass

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from jwt.algorithms import RSAAlgorithm

from exercises import clock
from exercises.models import Registration, ToolKey
from exercises.sealed import seal, unseal

#: A key is published for so long before it signs, and after another signs in its place: platforms keep key sets.
AHEAD = dt.timedelta(days=2)
OVERLAP = dt.timedelta(days=7)
#: A key is followed by the next one after so long.
LIFETIME = dt.timedelta(days=90)
BITS = 2048


#: Keys that were made for a platform that did not come to be registered are kept for so long.
LEFT_OVER = dt.timedelta(days=1)


@dataclass(frozen=True)
class SigningKey:
    """What we sign with now: the name of the key, and its private half as PEM."""

    kid: str
    pem: str


def set_of(registration: Registration) -> uuid.UUID | None:
    """The key set that signs for a registration: its own, or None for the shared one."""
    return registration.public_id if registration.has_own_keys else None


def signing_key(owner: uuid.UUID | None = None) -> SigningKey:
    """The youngest key of a set that signs already; the first one is made when it is first asked for. Raises
    SealBroken."""
    now = clock.now()
    found = _published(owner, now).filter(signs_from__lte=now).order_by("-signs_from", "-pk").first()
    if found is None:
        found = _new_key(owner, signs_from=now)
    return SigningKey(found.kid, unseal(found.private_key))


def key_set(owner: uuid.UUID | None = None) -> list[dict[str, str]]:
    """The public halves of all keys of a set that signatures may be of, now or soon: the next key is among them before
    it signs. One query; the first key is made here, if there is none."""
    now = clock.now()
    keys = list(_published(owner, now)) or [_new_key(owner, signs_from=now)]
    return [key.public_key for key in keys]


def key_set_at(owner: uuid.UUID) -> list[dict[str, str]] | None:
    """What stands at the address of one registration; None where there is no such registration, nor one that is just
    being made. As long as it is signed for by the shared keys those stand there as well, so that a platform can be
    given the address first. At most three queries."""
    found = Registration.objects.filter(public_id=owner).first()
    if found is None and not _published(owner, clock.now()).exists():
        return None
    return key_set(owner) if found is None or found.has_own_keys else [*key_set(owner), *key_set()]


def rotate_tool_key(owner: uuid.UUID | None = None) -> ToolKey:
    """Make the key of a set that signs next, from ``AHEAD`` on; those before it are published for ``OVERLAP`` longer.
    Where one waits for its turn already, that one: pressed twice, it is done once."""
    with transaction.atomic():
        now = clock.now()
        keys = list(ToolKey.objects.select_for_update().filter(key_set=owner).order_by("signs_from", "pk"))
        if keys and keys[-1].signs_from > now:
            return keys[-1]
        made = _new_key(owner, signs_from=now + AHEAD if keys else now)
        ToolKey.objects.filter(pk__in=[key.pk for key in keys], retired_at=None).update(
            retired_at=made.signs_from + OVERLAP
        )
    return made


def forget_key_set(owner: uuid.UUID) -> None:
    """Delete the keys of a registration that is none, or none any more."""
    ToolKey.objects.filter(key_set=owner).delete()


def tend_tool_keys() -> int:
    """Let the next key of each set follow when its time has come, and delete those that are published no longer or
    belong to nobody; how many. For a task that runs every day."""
    now = clock.now()
    left_over = ToolKey.objects.filter(key_set__isnull=False, created_at__lte=now - LEFT_OVER)
    deleted, _ = left_over.exclude(key_set__in=Registration.objects.values("public_id")).delete()
    youngest = ToolKey.objects.order_by("key_set").values("key_set").annotate(since=Max("signs_from"))
    for owner in youngest.filter(since__lte=now - LIFETIME).values_list("key_set", flat=True):
        rotate_tool_key(owner)
    retired, _ = ToolKey.objects.filter(retired_at__lte=now).delete()
    return deleted + retired


def _published(owner: uuid.UUID | None, now: dt.datetime) -> QuerySet[ToolKey]:
    return ToolKey.objects.filter(Q(retired_at=None) | Q(retired_at__gt=now), key_set=owner)


def _new_key(owner: uuid.UUID | None, *, signs_from: dt.datetime) -> ToolKey:
    private = rsa.generate_private_key(public_exponent=65537, key_size=BITS)
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    kid = secrets.token_urlsafe(16)
    public = {**json.loads(RSAAlgorithm.to_jwk(private.public_key())), "kid": kid, "alg": "RS256", "use": "sig"}
    public.pop("key_ops", None)
    return ToolKey.objects.create(
        kid=kid, key_set=owner, private_key=seal(pem.decode()), public_key=public, created_at=clock.now(),
        signs_from=signs_from,
    )  # fmt: skip
