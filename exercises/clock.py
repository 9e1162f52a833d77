"""What time it is for everything that is kept: the clock's, unless the demo world or a test tells it otherwise.

The clock is the database's, which all hosts share: a worker whose own is minutes ahead must not end anybody's exam. How
far the own one is off is looked at whenever a connection is opened, which is at least once a minute (CONN_MAX_AGE).
"""

import datetime as dt
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.utils import timezone

log = logging.getLogger(__name__)

#: By less than this two clocks always differ, and asking what the other says takes a while.
TOLERATED = dt.timedelta(seconds=1)
_told: ContextVar[dt.datetime | None] = ContextVar("told", default=None)
_behind = dt.timedelta(0)


def now() -> dt.datetime:
    """The moment, in UTC."""
    return _told.get() or real()


def real() -> dt.datetime:
    """... whatever anybody tells."""
    return timezone.now() + _behind


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


def compare(connection: Any, **_: Any) -> None:
    """Ask a database that has just been connected to what time it is. On SQLite there is one host, with one clock."""
    global _behind  # noqa: PLW0603  (one clock a process)
    if connection.vendor != "postgresql":
        return
    earliest = timezone.now()
    # Not by a cursor of Django's: it is no query of the page's.
    ((seconds,),) = connection.connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchall()
    latest = timezone.now()
    theirs = dt.datetime.fromtimestamp(seconds, dt.UTC)
    found = dt.timedelta(0)
    if not earliest - TOLERATED <= theirs <= latest + TOLERATED:
        found = theirs - latest
    if abs(found - _behind) > TOLERATED:
        off = found.total_seconds()
        log.warning("The clock of this host is %+.0f s beside the database's, by which times go. Set it right.", -off)
    _behind = found
