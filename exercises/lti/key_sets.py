"""Key sets of platforms (RFC 7517), as read from their addresses."""

import json
from typing import Any

from jwt import PyJWK
from jwt.exceptions import PyJWTError

from exercises.lti.reading import LONGEST_ID

MOST_KEYS = 50
SHORTEST_KEY = 2048
#: Characters of a modulus: 16,384 bits.
LONGEST_NUMBER = 3000
KeySet = dict[str, dict[str, Any]]


class KeySetRefused(Exception):
    """What stands at the address is no key set; ``message`` says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def read_key_set(text: str) -> KeySet:
    """The RSA keys for signatures, each by its ``kid``; what else there is, is passed over. Raises KeySetRefused."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise KeySetRefused("what stands there is no JSON") from None
    keys = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(keys, list):
        raise KeySetRefused("what stands there is no key set: an object with a list “keys” is expected")
    if len(keys) > MOST_KEYS:
        raise KeySetRefused(f"the key set has more than {MOST_KEYS} keys")
    found: KeySet = {}
    for key in keys:
        if isinstance(key, dict) and _is_for_us(key):
            # Of a private key only the public half is kept.
            found.setdefault(key["kid"], {name: key[name] for name in ("kty", "kid", "n", "e")})
    return found


def public_key_of(key: dict[str, Any]) -> Any:
    """The public key of an entry of a key set. Raises KeySetRefused for one that is none, or too short."""
    try:
        found = PyJWK(key, algorithm="RS256").key
        size = found.key_size
    except (PyJWTError, ValueError, TypeError, AttributeError):
        raise KeySetRefused("the key cannot be read") from None
    if size < SHORTEST_KEY:
        raise KeySetRefused(f"the key has {size} bits; {SHORTEST_KEY} are the least")
    return found


def _is_for_us(key: dict[str, Any]) -> bool:
    return (
        key.get("kty") == "RSA"
        and key.get("alg", "RS256") == "RS256"
        and key.get("use", "sig") == "sig"
        and all(isinstance(key.get(name), str) for name in ("kid", "n", "e"))
        and 0 < len(key["kid"]) <= LONGEST_ID
        and key["kid"].isprintable()
        and len(key["n"]) <= LONGEST_NUMBER
        and (key["n"] + key["e"]).isascii()
        and (key["n"] + key["e"]).isprintable()
    )
