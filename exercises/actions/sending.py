"""Telling a worker of something to do, without ever failing what was done: the row is the truth, the message a hint."""

import logging
from typing import Any

from celery import current_app
from kombu.exceptions import OperationalError
from redis import RedisError

log = logging.getLogger(__name__)


def is_sent(task: str, *args: Any, otherwise: str, countdown: int = 0) -> bool:
    """Publish a task, to be begun in so many seconds; whether it was published. It never raises: what becomes of it
    ``otherwise``, in words, goes into the log with what the broker says."""
    try:
        current_app.send_task(task, args=list(args), retry=False, ignore_result=True, countdown=countdown)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("%s: the broker says %s", otherwise, error)
        return False
    return True
