"""Waiting a moment for a verdict, so that an answer to an idle service is judged when its page arrives."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from redis import RedisError

from exercises.channel import listening
from exercises.models import Submission
from exercises.queries.marks import verdict_of
from grader.verdict import Verdict

log = logging.getLogger(__name__)

#: No request waits longer, whatever it asks for.
LONGEST_WAIT = 5.0
#: After so many waits in a row that ran out, nobody waits for ``PAUSE`` seconds: the queue is long, or has no worker.
PATIENCE = 3
PAUSE = 5.0


class Turnstile:
    """Lets at most ``places`` threads wait, and none for a while after waits kept running out.

    Waiting threads serve nobody: were all of them to wait for a worker that is down, no page would be served at all.
    """

    def __init__(self, places: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._places = threading.BoundedSemaphore(places)
        self._lock = threading.Lock()
        self._clock = clock
        self._ran_out = 0
        self._closed_until = 0.0

    @contextmanager
    def turn(self) -> Iterator[bool]:
        """Whether the caller may wait; its place is free again afterwards."""
        if self._clock() < self._closed_until or not self._places.acquire(blocking=False):
            yield False
            return
        try:
            yield True
        finally:
            self._places.release()

    def count(self, *, is_in_time: bool) -> None:
        """Tell how a wait ended."""
        with self._lock:
            self._ran_out = 0 if is_in_time else self._ran_out + 1
            if self._ran_out >= PATIENCE:
                self._ran_out = 0
                self._closed_until = self._clock() + PAUSE


turnstile = Turnstile(max(1, settings.WEB_THREADS // 2))


def verdict_within(submission: Submission, seconds: float, *, at: Turnstile | None = None) -> Verdict | None:
    """The verdict on a submission, waited for at most ``seconds`` and never over 5; None if it is not there by then.

    ``submission.state`` is brought up to date. Does not wait when too many do already, or waiting was in vain lately.
    """
    if submission.state == Submission.State.PENDING and seconds > 0:
        places = at or turnstile
        with places.turn() as may_wait:
            if may_wait:
                places.count(is_in_time=_wait(submission, min(seconds, LONGEST_WAIT)))
    if submission.state == Submission.State.PENDING:
        _look(submission)
    return verdict_of(submission) if submission.state == Submission.State.GRADED else None


def _wait(submission: Submission, seconds: float) -> bool:
    """Whether the submission was judged in time."""
    ends = time.monotonic() + seconds
    try:
        with listening(submission.public_id) as ear:
            # Only now: a verdict recorded before this look is seen by it, one recorded after it is heard.
            while _look(submission) == Submission.State.PENDING:
                left = ends - time.monotonic()
                if left <= 0:
                    break
                ear.get_message(timeout=left)
    except (RedisError, OSError) as error:
        log.warning("Nobody can wait for verdicts, pages will ask again: %s", error)
    return submission.state != Submission.State.PENDING


def _look(submission: Submission) -> str:
    submission.state = Submission.objects.values_list("state", flat=True).get(pk=submission.pk)
    return submission.state
