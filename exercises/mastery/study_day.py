"""The learner's own day, which begins at four in the morning, so that an evening's study stays one day."""

import datetime as dt
from collections.abc import Collection
from zoneinfo import ZoneInfo

DAY_BEGINS = dt.time(4)


def zone_of(name: str) -> ZoneInfo | None:
    """The time zone of an IANA name, such as Europe/Berlin; None if nobody knows it."""
    try:
        return ZoneInfo(name)
    # What is no zone is refused in many ways: KeyError if unknown, ValueError if malformed, OSError for a folder.
    except (KeyError, ValueError, OSError):
        return None


def study_day(moment: dt.datetime, time_zone: str) -> dt.date:
    """The study day of ``moment`` in an IANA time zone: the local date from 04:00 on, the date before until then.

    It goes by the clock on the learner's wall and not by hours that have passed, so a day of 23 or 25 hours changes at
    04:00 like any other; where 04:00 itself is left out, it changes with the first time shown after it. A zone nobody
    knows is UTC. Keep what it returns: worked out again after a move to another zone, it could be another day.
    Raises ValueError for a moment without a time zone.
    """
    if moment.tzinfo is None:
        raise ValueError("A moment without a time zone belongs to no day: give it one.")
    local = moment.astimezone(zone_of(time_zone) or dt.UTC)
    date = local.date()
    return date if local.time() >= DAY_BEGINS else date - dt.timedelta(days=1)


def streak(days: Collection[dt.date], today: dt.date) -> int:
    """How many days in a row there are in ``days`` up to ``today``, or up to yesterday while today is still open."""
    found = set(days)
    day = today if today in found else today - dt.timedelta(days=1)
    length = 0
    while day in found:
        length += 1
        day -= dt.timedelta(days=1)
    return length
