"""Our own keys: made, published ahead of their first use, and published on for a while after their last."""

import datetime as dt
import json
import secrets
from dataclasses import dataclass

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.db import transaction
from django.db.models import Q, QuerySet
from jwt.algorithms import RSAAlgorithm

from exercises import clock
from exercises.models import ToolKey
from exercises.sealed import seal, unseal

#: A key is published for so long before it signs, and after another signs in its place: platforms keep key sets.
AHEAD = dt.timedelta(days=2)
OVERLAP = dt.timedelta(days=7)
#: A key is followed by the next one after so long.
LIFETIME = dt.timedelta(days=90)
BITS = 2048


@dataclass(frozen=True)
class SigningKey:
    """What we sign with now: the name of the key, and its private half as PEM."""

    kid: str
    pem: str


def signing_key() -> SigningKey:
    """The youngest key that signs already; the first one is made when it is first asked for. Raises SealBroken."""
    now = clock.now()
    found = _published(now).filter(signs_from__lte=now).order_by("-signs_from", "-pk").first()
    if found is None:
        found = _new_key(signs_from=now)
    return SigningKey(found.kid, unseal(found.private_key))


def key_set() -> list[dict[str, str]]:
    """The public halves of all keys that signatures may be of, now or soon: the next key is among them before it signs.
    One query; the first key is made here, if there is none."""
    now = clock.now()
    keys = list(_published(now)) or [_new_key(signs_from=now)]
    return [key.public_key for key in keys]


def rotate_tool_key() -> ToolKey:
    """Make the key that signs next, from ``AHEAD`` on; those before it are published for ``OVERLAP`` longer. Where one
    waits for its turn already, that one: pressed twice, it is done once."""
    with transaction.atomic():
        now = clock.now()
        keys = list(ToolKey.objects.select_for_update().order_by("signs_from", "pk"))
        if keys and keys[-1].signs_from > now:
            return keys[-1]
        made = _new_key(signs_from=now + AHEAD if keys else now)
        ToolKey.objects.filter(pk__in=[key.pk for key in keys], retired_at=None).update(
            retired_at=made.signs_from + OVERLAP
        )
    return made


def tend_tool_keys() -> int:
    """Let the next key follow when its time has come, and delete those that are published no longer; how many. For a
    task that runs every day."""
    now = clock.now()
    youngest = ToolKey.objects.order_by("-signs_from").first()
    if youngest and youngest.signs_from + LIFETIME <= now:
        rotate_tool_key()
    deleted, _ = ToolKey.objects.filter(retired_at__lte=now).delete()
    return deleted


def _published(now: dt.datetime) -> QuerySet[ToolKey]:
    return ToolKey.objects.filter(Q(retired_at=None) | Q(retired_at__gt=now))


def _new_key(*, signs_from: dt.datetime) -> ToolKey:
    private = rsa.generate_private_key(public_exponent=65537, key_size=BITS)
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    kid = secrets.token_urlsafe(16)
    public = {**json.loads(RSAAlgorithm.to_jwk(private.public_key())), "kid": kid, "alg": "RS256", "use": "sig"}
    public.pop("key_ops", None)
    return ToolKey.objects.create(
        kid=kid, private_key=seal(pem.decode()), public_key=public, created_at=clock.now(), signs_from=signs_from
    )
