"""What the templates of attempts need: moments and shares in words."""

import datetime as dt
from fractions import Fraction
from zoneinfo import ZoneInfo

from django import template

from exercises.courses.scoring import percent
from exercises.courses.wording import moment_in_words

register = template.Library()


@register.filter
def in_zone(moment: dt.datetime | None, zone: str) -> str:
    """A moment by the clocks of a zone, with its abbreviation; empty for None."""
    return moment_in_words(moment.replace(microsecond=0), zone) if moment else ""


@register.filter
def time_in(moment: dt.datetime | None, zone: str) -> str:
    """The time of day alone, such as ``10:03``; empty for None."""
    return f"{moment.astimezone(ZoneInfo(zone)):%H:%M}" if moment else ""


@register.filter
def second_in(moment: dt.datetime | None, zone: str) -> str:
    """The time of day to the second, where minutes do not tell two moments apart; empty for None."""
    return f"{moment.astimezone(ZoneInfo(zone)):%H:%M:%S}" if moment else ""


@register.filter
def share(value: Fraction | None) -> str:
    """A share as a percentage that shows nothing as reached that is not; a dash for None."""
    return "–" if value is None else percent(value)


@register.filter
def epoch(moment: dt.datetime | None) -> str:
    """A moment in milliseconds since 1970, for scripts; empty for None."""
    return str(int(moment.timestamp() * 1000)) if moment else ""
