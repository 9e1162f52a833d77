"""Waking a worker. The pending rows are the queue; this only says that there may be some."""

import logging

from django.core.cache import cache
from django.db import transaction
from redis import RedisError

from exercises.actions.sending import is_sent
from exercises.models import Submission

log = logging.getLogger(__name__)

FLAG = "grading:worker-woken"
FLAG_SECONDS = 5
TASK = "exercises.tasks.grade_pending"


def wake_after_commit(*stored: Submission) -> None:
    """Once the transaction that stored these answers is committed, log that they are pending and wake a worker."""

    def wake() -> None:
        names = [str(submission.public_id) for submission in stored]
        log.info("Pending: %s", ", ".join(names), extra={"submissions": names})
        wake_worker()

    transaction.on_commit(wake, robust=True)


def wake_worker() -> bool:
    """Publish a wake-up, unless one is already on its way; whether one was published.

    Call it after the commit that made a row pending. It never raises: what is not told here is found by the sweep.
    A burst of submissions shares one message, since the worker lowers the flag *before* it looks for rows. Whoever
    finds the flag up has therefore committed before the worker looks.
    """
    try:
        if not cache.add(FLAG, "1", timeout=FLAG_SECONDS):
            return False
    except (RedisError, OSError) as error:
        log.warning("No worker was woken, the sweep will find the answer: the cache says %s", error)
        return False
    if is_sent(TASK, otherwise="No worker was woken, the sweep will find the answer"):
        return True
    lower_flag()
    return False


def lower_flag() -> None:
    """From now on a new pending row publishes again. Call it before looking for rows, never after."""
    try:
        cache.delete(FLAG)
    except (RedisError, OSError) as error:
        log.warning("The wake-up flag stays up for at most %s s: %s", FLAG_SECONDS, error)
