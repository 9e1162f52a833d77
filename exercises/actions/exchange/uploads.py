"""A file that was looked at and is about to be taken over: kept for half an hour, for whoever sent it.

One a person, the latest: whoever looks at many files takes up no more room than with one.
"""

import hashlib
import logging

from django.core.cache import cache
from redis import RedisError

from exercises.models import User

log = logging.getLogger(__name__)

SECONDS = 30 * 60


def keep_upload(person: User, name: str, content: bytes) -> str:
    """Keep a file for its sender, in the place of the one before; by what it is found again, empty where nothing can be
    kept."""
    token = hashlib.sha256(content).hexdigest()
    try:
        cache.set(_key(person), (token, name, content), timeout=SECONDS)
    except (RedisError, OSError) as error:
        log.warning("A file that was sent is not kept: %s", error)
        return ""
    return token


def kept_upload(person: User, token: str) -> tuple[str, bytes | None]:
    """Name and content of the file that this very person looked at last; no content where it is gone or another one."""
    try:
        found = cache.get(_key(person)) if token else None
    except (RedisError, OSError) as error:
        log.warning("A file that was kept cannot be read: %s", error)
        found = None
    if found is None or found[0] != token:
        return "", None
    return found[1], found[2]


def _key(person: User) -> str:
    return f"exchange-upload:{person.pk}"
