"""Days in words, as the learner's own calendar has them."""

import datetime as dt
from zoneinfo import ZoneInfo

from exercises.mastery.study_day import study_day

#: Days ahead that are counted; what is further off is named by its date.
COUNTED = 21


def day_words(moment: dt.datetime, *, today: dt.date, time_zone: str) -> str:
    """The study day of a moment: "3 Nov", with the year where it is another one than today's."""
    return date_words(study_day(moment, time_zone), today=today)


def date_words(day: dt.date, *, today: dt.date) -> str:
    """A day: "3 Nov", with the year where it is another one than today's."""
    said = f"{day.day} {day:%b}"
    return said if day.year == today.year else f"{said} {day.year}"


def due_words(day: dt.date, *, today: dt.date) -> str:
    """When something is due: "now", "tomorrow", "in 5 days", or the day by name."""
    ahead = (day - today).days
    if ahead <= 0:
        return "now"
    if ahead == 1:
        return "tomorrow"
    return f"in {ahead} days" if ahead <= COUNTED else f"on {date_words(day, today=today)}"


def zone_of(time_zone: str) -> dt.tzinfo:
    """The zone of that name; UTC where nobody knows it, as for the study day."""
    try:
        return ZoneInfo(time_zone)
    except (KeyError, ValueError, OSError):
        return dt.UTC
