"""Times as somebody types them: by the clocks of a zone, which leave an hour out once a year and show one twice."""

import datetime as dt
import re
from zoneinfo import ZoneInfo

_FORM = re.compile(r"(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?")
#: Years in which something is taught; what lies outside is a slip.
EARLIEST, LATEST = 2000, 2200


class LocalTimeError(ValueError):
    """A time that cannot be read or that does not say one moment; the message says what to write instead."""


def read_local(text: str, time_zone: str, *, kept: dt.datetime | None = None) -> dt.datetime | None:
    """The moment, in UTC, at which the clocks of ``time_zone`` show ``text``, such as ``2026-11-30T12:00``; None for
    an empty text. Seconds are left out.

    A text that shows ``kept`` is that very moment, seconds and all: a form that is sent back unchanged changes nothing.
    Raises LocalTimeError for what is no time, and for one that the clocks skip or show twice.
    """
    said = text.strip()
    if not said:
        return None
    if kept is not None and said == local_text(kept, time_zone):
        return kept.astimezone(dt.UTC)
    local = _read(said)
    zone = ZoneInfo(time_zone)
    first, second = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first.astimezone(dt.UTC)
    is_skipped = first.astimezone(dt.UTC).astimezone(zone).replace(tzinfo=None) != local
    raise LocalTimeError(_skipped(first, second, zone) if is_skipped else _twice(first, second))


def local_text(moment: dt.datetime | None, time_zone: str) -> str:
    """What the clocks of the zone show at a moment, as a form writes it; empty for None."""
    return "" if moment is None else moment.astimezone(ZoneInfo(time_zone)).strftime("%Y-%m-%dT%H:%M")


def _read(said: str) -> dt.datetime:
    found = _FORM.fullmatch(said)
    if found is None:
        raise LocalTimeError("Write the day and the time of day as 2026-11-30 12:00, or leave it empty.")
    try:
        local = dt.datetime(*map(int, found.groups()))  # type: ignore[arg-type] # noqa: DTZ001 - its zone comes next
    except ValueError:
        raise LocalTimeError(
            f"There is no {said.replace('T', ' ')} in the calendar: correct the day or the time."
        ) from None
    if not EARLIEST <= local.year <= LATEST:
        raise LocalTimeError(f"Write a year between {EARLIEST} and {LATEST}; this says {local.year}.")
    return local


def _skipped(first: dt.datetime, second: dt.datetime, zone: ZoneInfo) -> str:
    # Of a time that is left out, each reading shows where the clocks stand an instant before, and after.
    after = first.astimezone(dt.UTC).astimezone(zone)
    before = second.astimezone(dt.UTC).astimezone(zone)
    return (
        f"That night the clocks of {zone.key} are put forward and never show {first:%H:%M}. "
        f"Write {before:%H:%M} or {after:%H:%M}, whichever is meant."
    )


def _twice(first: dt.datetime, second: dt.datetime) -> str:
    return (
        f"That night the clocks are put back and show {first:%H:%M} twice, in {first.tzname()} and again in "
        f"{second.tzname()}. Write a time of that night that comes only once."
    )
