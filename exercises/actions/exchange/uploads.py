"""A file that was looked at and is about to be taken over: kept for half an hour, for whoever sent it."""

import hashlib
import logging

from django.core.cache import cache
from redis import RedisError

from exercises.models import User

log = logging.getLogger(__name__)

SECONDS = 30 * 60


def keep_upload(person: User, name: str, content: bytes) -> str:
    """Keep a file for its sender; by what it is found again, empty where nothing can be kept."""
    token = hashlib.sha256(content).hexdigest()
    try:
        cache.set(_key(person, token), (name, content), timeout=SECONDS)
    except (RedisError, OSError) as error:
        log.warning("A file that was sent is not kept: %s", error)
        return ""
    return token


def kept_upload(person: User, token: str) -> tuple[str, bytes | None]:
    """Name and content of a file that this very person sent; no content where it is gone."""
    try:
        found = cache.get(_key(person, token)) if token.isalnum() else None
    except (RedisError, OSError) as error:
        log.warning("A file that was kept cannot be read: %s", error)
        found = None
    return found if found is not None else ("", None)


def _key(person: User, token: str) -> str:
    return f"exchange:{person.pk}:{token}"
