"""Secrets that must be read again, such as a signing key: encrypted where they are kept."""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_PURPOSE = b"gym: sealed secrets"


class SealBroken(Exception):
    """What was sealed cannot be opened: SECRET_KEY was changed without keeping the one before among the fallbacks."""


def seal(text: str) -> bytes:
    """Encrypt and sign by SECRET_KEY."""
    return _box().encrypt(text.encode())


def unseal(kept: bytes | memoryview) -> str:
    """What was sealed, by SECRET_KEY or one of its fallbacks. Raises SealBroken."""
    try:
        return _box().decrypt(bytes(kept)).decode()
    except InvalidToken:
        raise SealBroken(
            "A stored secret cannot be read by SECRET_KEY: put the key that it was kept by among SECRET_KEY_FALLBACKS."
        ) from None


def sealed_anew(kept: bytes | memoryview) -> bytes:
    """The same secret by the SECRET_KEY of today, after which the fallback may go. Raises SealBroken."""
    return seal(unseal(kept))


def _box() -> MultiFernet:
    return MultiFernet([_key(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret: str) -> Fernet:
    # A key of its own for this purpose (RFC 5869), so that what signs cookies opens nothing here.
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
