"""The study calendar: the last weeks as columns, and in each day's square as much as was done on it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from exercises.figures.canvas import NARROW, Drawing, Table, box, picture, text

WEEKS = 26
#: Days with at least so many answers fill so much of their square: telling by size what others tell by shade.
SIZES = ((1, 0.42), (5, 0.62), (12, 0.8), (25, 1.0))
LEFT, TOP = 38.0, 20.0
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
WIDE_PITCH = 20.0


@dataclass(frozen=True)
class StudyDay:
    """What was done on a day: closed steps and reviewed cards."""

    steps: int = 0
    cards: int = 0

    @property
    def count(self) -> int:
        """Everything together."""
        return self.steps + self.cards


def study_calendar(days: Mapping[dt.date, StudyDay], *, today: dt.date) -> Drawing:
    """The last 26 weeks up to ``today``, each from Monday to Sunday. The table has the days on which something was
    done, the latest first."""
    first = _first_day(today)
    shown = {day: done for day, done in days.items() if first <= day <= today and done.count}
    total = sum(done.count for done in shown.values())
    said = (
        f"Something was done on {len(shown)} day{'' if len(shown) == 1 else 's'}: {total} in all"
        if shown
        else "Nothing yet"
    )
    drawings = [
        picture(
            _weekdays(pitch) + _months(first, pitch) + _squares(first, today, shown, pitch),
            width=LEFT + WEEKS * pitch + 2,
            height=TOP + 7 * pitch + 4,
            title=f"Study calendar, {WEEKS} weeks",
            description=said,
        )
        for pitch in (WIDE_PITCH, (NARROW - LEFT - 2) / WEEKS)
    ]
    rows = tuple(
        (f"{day:%a} {day.day} {day:%B %Y}", str(done.steps), str(done.cards))
        for day, done in sorted(shown.items(), reverse=True)
    )
    caption = f"{said}. The fuller a square, the more was done on that day; today has a bold frame."
    table = Table(("Day", "Steps", "Cards"), rows or (("none yet", "0", "0"),))
    return Drawing(drawings[0], caption, table, narrow_svg=drawings[1])


def _first_day(today: dt.date) -> dt.date:
    return today - dt.timedelta(days=today.weekday() + 7 * (WEEKS - 1))


def _weekdays(pitch: float) -> str:
    return "".join(
        text(WEEKDAYS[place], LEFT - 6, TOP + pitch * (place + 0.5) + 4, "fig-small", "end") for place in (0, 2, 4)
    )


def _months(first: dt.date, pitch: float) -> str:
    """The name of a month over the week it begins in; of two that would touch, the later."""
    starts = [(0, first)] + [
        (week, monday) for week in range(1, WEEKS) if (monday := first + dt.timedelta(days=7 * week)).day <= 7
    ]
    room = 30 / pitch
    kept = [
        start
        for start, after in zip(starts, [*starts[1:], (WEEKS + 9, first)], strict=True)
        if after[0] - start[0] >= room
    ]
    return "".join(
        text(f"{monday:%b}", LEFT + pitch * week + 1, TOP - 7, "fig-small", "start")
        for week, monday in kept
        if week <= WEEKS - room / 2
    )


def _squares(first: dt.date, today: dt.date, shown: Mapping[dt.date, StudyDay], pitch: float) -> str:
    drawn = ""
    for place in range((today - first).days + 1):
        day = first + dt.timedelta(days=place)
        week, weekday = divmod(place, 7)
        x, y, side = LEFT + pitch * week, TOP + pitch * weekday, pitch - 2.5
        drawn += box(x, y, side, side, "chart-day-today" if day == today else "chart-day")
        if day in shown:
            inner = side * max(size for least, size in SIZES if shown[day].count >= least)
            drawn += box(x + (side - inner) / 2, y + (side - inner) / 2, inner, inner, "chart-day-done", 1.5)
    return drawn
