"""An axis of time with ticks where a calendar has its lines: hours, days, months or years, whatever fits."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

#: What is shown of a single moment, and the least of several: half of it on either side.
LEAST = dt.timedelta(hours=2)
#: Steps from one tick to the next, the finest first: so many hours, days, or months.
FEW_HOURS = dt.timedelta(days=2)
HOURS = (1, 3, 6, 12)
DAYS = (1, 2, 7, 14)
MONTHS = (1, 3, 6, 12, 24, 60, 120)


@dataclass(frozen=True)
class TimeAxis:
    """From ``first`` to ``last``, drawn from ``left`` to ``right``. ``ticks``: a moment and its words."""

    first: dt.datetime
    last: dt.datetime
    left: float
    right: float
    ticks: tuple[tuple[dt.datetime, str], ...]

    def x(self, moment: dt.datetime) -> float:
        """Where a moment is; what lies outside is drawn at the edge."""
        share = (moment - self.first) / (self.last - self.first)
        return self.left + (self.right - self.left) * min(1.0, max(0.0, share))


def time_axis(first: dt.datetime, last: dt.datetime, *, left: float, right: float, most: int) -> TimeAxis:
    """The axis for what happened between two moments of one time zone (they may be one), with at most ``most`` ticks,
    and at least one."""
    if last - first < LEAST:
        middle = first + (last - first) / 2
        first, last = middle - LEAST / 2, middle + LEAST / 2
    for ticks, unit in _choices(first, last, most):
        if len(ticks) <= most:
            return TimeAxis(first, last, left, right, tuple(_worded(ticks, unit)))
    return TimeAxis(first, last, left, right, ((last, f"{last:%Y}"),))


def _choices(first: dt.datetime, last: dt.datetime, most: int) -> Iterator[tuple[list[dt.datetime], str]]:
    """Ticks of every step that may do, the finest first; hours only where there are no two midnights."""
    is_short = last - first <= FEW_HOURS and len(list(_even(first, last, 1, "days"))) < 2
    for count, unit in [(hours, "hours") for hours in HOURS] if is_short else [(days, "days") for days in DAYS]:
        if (last - first) / _length(count, unit) <= most + 1 and (ticks := list(_even(first, last, count, unit))):
            yield ticks, unit
    for count in MONTHS:
        if ticks := list(_monthly(first, last, count)):
            yield ticks, "months"


def _length(count: int, unit: str) -> dt.timedelta:
    return dt.timedelta(hours=count) if unit == "hours" else dt.timedelta(days=count)


def _even(first: dt.datetime, last: dt.datetime, count: int, unit: str) -> Iterator[dt.datetime]:
    """Every so many hours or days, counted on the wall clock: a day whose hours change keeps its ticks at midnight."""
    wall = first.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    if unit == "days":
        # Of a fixed origin, a Monday, so that the ticks stay where they are while the chart grows.
        wall -= dt.timedelta(days=(wall.toordinal() - 1) % count)
    end = last.replace(tzinfo=None)
    while wall <= end:
        tick = wall.replace(tzinfo=first.tzinfo)
        if first <= tick <= last:
            yield tick
        wall += _length(count, unit)


def _monthly(first: dt.datetime, last: dt.datetime, count: int) -> Iterator[dt.datetime]:
    place = (first.year * 12 + first.month - 1) // count * count
    while True:
        year, month = divmod(place, 12)
        tick = dt.datetime(year, month + 1, 1, tzinfo=first.tzinfo)
        if tick > last:
            return
        if tick >= first:
            yield tick
        place += count


def _worded(ticks: list[dt.datetime], unit: str) -> Iterator[tuple[dt.datetime, str]]:
    """Each tick in as few words as tell it from the one before: the day with the first hour, the year with January."""
    before: dt.datetime | None = None
    for tick in ticks:
        is_new_day = before is None or tick.date() != before.date()
        if unit == "hours":
            words = f"{tick:%H:%M}" if tick.hour or not is_new_day else ""
            words = ", ".join(filter(None, (f"{tick.day} {tick:%b}" if is_new_day else "", words)))
        elif unit == "days":
            words = f"{tick.day} {tick:%b}"
        else:
            words = f"{tick:%Y}" if tick.month == 1 else f"{tick:%b}"
        yield tick, words
        before = tick
