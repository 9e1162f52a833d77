"""Days in words, as the learner's own calendar has them."""

import datetime as dt

from exercises.mastery.study_day import study_day

#: Days ahead that are counted; what is further off is named by its date.
COUNTED = 21
#: What keeps a day and its month on one line.
UNBROKEN = "\u00a0"


def day_words(moment: dt.datetime, *, today: dt.date, time_zone: str) -> str:
    """The study day of a moment: "3 Nov", with the year where it is another one than today's."""
    return date_words(study_day(moment, time_zone), today=today)


def date_words(day: dt.date, *, today: dt.date) -> str:
    """A day: "3 Nov", with the year where it is another one than today's."""
    return _dated(day, f"{day:%b}", today)


def due_words(day: dt.date, *, today: dt.date, is_full: bool = False) -> str:
    """When something is due: "now", "tomorrow", "in 5 days", or "on 12 Jun" where that is further off than is counted.

    ``is_full`` is for a sentence: "in 5 days, on Friday 8 May", "on 12 June".
    """
    ahead = (day - today).days
    if ahead <= 0:
        return "now"
    if ahead == 1:
        return "tomorrow"
    if ahead > COUNTED:
        return f"on {_full(day, today) if is_full else date_words(day, today=today)}"
    counted = f"in {ahead} days"
    return f"{counted}, on {day:%A} {_full(day, today)}" if is_full else counted


def _full(day: dt.date, today: dt.date) -> str:
    return _dated(day, f"{day:%B}", today)


def _dated(day: dt.date, month: str, today: dt.date) -> str:
    parts = [str(day.day), month] if day.year == today.year else [str(day.day), month, str(day.year)]
    return UNBROKEN.join(parts)
