"""From one term to another: the same times of day, so many calendar days later."""

import datetime as dt
from zoneinfo import ZoneInfo


def moved(moment: dt.datetime | None, *, days: int, from_zone: str, to_zone: str) -> dt.datetime | None:
    """The moment, in UTC, at which the clocks of ``to_zone`` show, ``days`` calendar days later, what those of
    ``from_zone`` show at ``moment``; None for None.

    A time of day that is left out there once a year is the same span after midnight; one that comes twice is its first.
    """
    if moment is None:
        return None
    local = moment.astimezone(ZoneInfo(from_zone)).replace(tzinfo=None, fold=0) + dt.timedelta(days=days)
    return local.replace(tzinfo=ZoneInfo(to_zone)).astimezone(dt.UTC)
