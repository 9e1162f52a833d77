"""Signatures by the Standard Webhooks specification, so that receivers verify them with any of its libraries."""

import base64
import datetime as dt
import hmac
import json
import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from exercises.models import Event

_HEAD = "whsec_"
_BYTES = 32


def fresh_secret() -> str:
    """A new secret, as receivers take it: ``whsec_`` and 32 random bytes in base64."""
    return _HEAD + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def body_of(event: Event) -> bytes:
    """What is delivered: the same as the feed tells of it, in one form for all tries."""
    return json.dumps(told(event), ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def told(event: Event) -> dict[str, Any]:
    """An event for programs. ``learner`` and ``actor`` are loaded where there are any."""
    said: dict[str, Any] = {
        "id": str(event.public_id),
        "type": event.kind,
        "timestamp": event.at.astimezone(dt.UTC).isoformat(),
        "data": event.data,
    }
    for name in ("learner", "actor"):
        person = getattr(event, name)
        said["data"] = {**said["data"], name: person.username} if person is not None else said["data"]
    return said


def headers_of(event: Event, body: bytes, *, secrets_: Sequence[str], at: dt.datetime) -> dict[str, str]:
    """The headers of one try: the event's id, the time of the try, and a signature by each secret that is good now."""
    stamp = str(int(at.timestamp()))
    signed = f"{event.public_id}.{stamp}.".encode() + body
    return {
        "Content-Type": "application/json",
        "User-Agent": "gym-webhooks/1",
        "webhook-id": str(event.public_id),
        "webhook-timestamp": stamp,
        "webhook-signature": " ".join(f"v1,{_signature(secret, signed)}" for secret in secrets_),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_HEAD))
    return base64.b64encode(hmac.new(key, signed, sha256).digest()).decode()
