"""The word that a verdict is there, from the worker that recorded it to the request that waits for it.

It only shortens waiting: the row is the truth, so a word that is lost costs a moment and nothing else.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from uuid import UUID

from django.conf import settings
from redis import Redis, RedisError
from redis.client import PubSub

log = logging.getLogger(__name__)


@cache
def _redis() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1)


def _name(submission: UUID) -> str:
    return f"verdict:{submission}"


def announce(submissions: Iterable[UUID]) -> None:
    """Tell whoever waits for one of these that it was judged. A Redis that is down is logged, never raised."""
    try:
        with _redis().pipeline(transaction=False) as pipe:
            for submission in submissions:
                pipe.publish(_name(submission), "judged")
            pipe.execute()
    except (RedisError, OSError) as error:
        log.warning("Verdicts were recorded but not announced, pages will find them by asking: %s", error)


@contextmanager
def listening(submission: UUID) -> Iterator[PubSub]:
    """Hear what is announced of one submission from here on. Raises RedisError when Redis is down."""
    ear = _redis().pubsub(ignore_subscribe_messages=True)
    try:
        ear.subscribe(_name(submission))
        yield ear
    finally:
        ear.close()
