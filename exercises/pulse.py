"""Signs of life in Redis: when each periodic task last ended well, and when each worker was last heard of.

Only whoever runs the service reads them. A Redis that is away costs the sign and nothing else.
"""

import logging
from collections.abc import Mapping
from functools import cache

from django.conf import settings
from redis import Redis, RedisError

log = logging.getLogger(__name__)

_TASKS, _WORKERS = "pulse:tasks", "pulse:workers"
#: Seconds after which a worker that was not heard of is forgotten, rather than told to be late.
FORGOTTEN = 24 * 3600
#: Seconds after which a worker that was not heard of is taken to be gone: it tells of itself every few seconds.
LATE = 60


@cache
def _redis() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1, decode_responses=True)


def _now() -> float:
    """By the clock of Redis, which all hosts share: a worker whose own is minutes off is not taken to be gone."""
    seconds, microseconds = _redis().time()
    return float(seconds) + 1e-6 * float(microseconds)


def task_ended(name: str) -> None:
    """Note that a periodic task ended well just now."""
    _note(_TASKS, name)


def worker_beats(name: str) -> None:
    """Note that a worker is there."""
    _note(_WORKERS, name)


def _note(key: str, name: str, ago: float = 0.0) -> None:
    try:
        _redis().hset(key, name, repr(_now() - ago))
    except (RedisError, OSError) as error:
        log.warning("That %s is alive could not be noted: Redis says %s", name, error)


def seconds_since_tasks() -> Mapping[str, float]:
    """Seconds since each periodic task last ended well, by name. Raises RedisError when Redis is down."""
    return _ages(_TASKS)


def seconds_since_workers() -> Mapping[str, float]:
    """Seconds since each worker was last heard of, by name, those of the last day. Raises RedisError when Redis is
    down."""
    ages = _ages(_WORKERS)
    if forgotten := [name for name, age in ages.items() if age > FORGOTTEN]:
        _redis().hdel(_WORKERS, *forgotten)
    return {name: age for name, age in ages.items() if age <= FORGOTTEN}


def _ages(key: str) -> dict[str, float]:
    now = _now()
    return {str(name): max(0.0, now - float(at)) for name, at in sorted(_redis().hgetall(key).items())}
