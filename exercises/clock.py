"""What time it is for everything that is kept: the clock's, unless the demo world or a test tells it otherwise."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.utils import timezone

_told: ContextVar[dt.datetime | None] = ContextVar("told", default=None)


def now() -> dt.datetime:
    """The moment, in UTC."""
    return _told.get() or timezone.now()


@contextmanager
def at(moment: dt.datetime) -> Iterator[None]:
    """Let everything inside happen at ``moment``, which has a time zone. Leases and wake-ups keep the real time."""
    if moment.tzinfo is None:
        raise ValueError("A moment without a time zone is none.")
    before = _told.set(moment.astimezone(dt.UTC))
    try:
        yield
    finally:
        _told.reset(before)
