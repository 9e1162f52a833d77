"""Levels as the pages show them: a word, a mark that is told apart without colour, and since when they are held."""

import datetime as dt
from functools import cache

from django.utils.safestring import SafeString, mark_safe

from exercises.figures.canvas import element
from exercises.mastery.levels import Standing
from exercises.mastery.states import Level
from frontend.days import day_words

WORDS = {
    Level.NOT_STARTED: "Not started",
    Level.LEARNING: "Learning",
    Level.PROFICIENT: "Proficient",
    Level.MASTERED: "Mastered",
}
MEANINGS = {
    Level.NOT_STARTED: "no step answered yet",
    Level.LEARNING: "on the way",
    Level.PROFICIENT: "at least four steps in five come out right",
    Level.MASTERED: "shown again later, in a mixed check",
}
DUE = "Review due"
DUE_MEANING = "by now it may be slipping away"
#: Strokes in a ring of radius 8 around the origin: a half moon, a tick, a star; and an arrow that comes round again.
SHAPES = {
    Level.LEARNING: "M0-4.5a4.5 4.5 0 0 1 0 9Z",
    Level.PROFICIENT: "M-4 .3l2.8 2.8L4-3",
    Level.MASTERED: "M0-5.2L1.5-1.9 5-1.6 2.4.7 3.2 4.2 0 2.3-3.2 4.2-2.4.7-5-1.6-1.5-1.9Z",
}
DUE_SHAPE = "M3.6-1.9A4.2 4.2 0 1 0 4.2.9M4.3-4.6v3.1H1.2"


def level_mark(level: Level, x: float, y: float) -> str:
    """The mark of a level around a point of a drawing, as markup; nothing for what was not started."""
    if level not in SHAPES:
        return ""
    return _ring(SHAPES[level], f"level-mark level-mark-{level}", x, y)


def due_mark(x: float, y: float) -> str:
    """The mark of a review that is due, as markup."""
    return _ring(DUE_SHAPE, "level-mark level-mark-due", x, y)


def level_icon(level: Level) -> SafeString:
    """The mark of a level in a line of text; an empty ring for what was not started."""
    shape = SHAPES.get(level, "")
    return _icon(shape, f"level-mark level-mark-{level}")


def due_icon() -> SafeString:
    """The mark of a review that is due, in a line of text."""
    return _icon(DUE_SHAPE, "level-mark level-mark-due")


def standing_words(standing: Standing, *, today: dt.date, time_zone: str) -> str:
    """Level, highest level ever and review due as one phrase: three facts, none of which hides another.

    ``today`` and the days named are the learner's own, in ``time_zone``.
    """
    level = WORDS[standing.level]
    reached = standing.highest_at if standing.highest.rank > standing.level.rank else standing.since
    day = day_words(reached, today=today, time_zone=time_zone) if reached else ""
    if standing.level is Level.NOT_STARTED:
        return level
    if standing.highest.rank <= standing.level.rank:
        said = f"{level} {'on' if standing.is_due else 'since'} {day}" if day else level
        return f"{said}, review due" if standing.is_due else said
    once = f"{WORDS[standing.highest]} on {day}" if day else f"Once {WORDS[standing.highest].lower()}"
    return f"{once}, {'review due' if standing.is_due else f'now {level.lower()}'}"


def _ring(shape: str, class_: str, x: float, y: float) -> str:
    drawn = element("circle", r=8) + element("path", d=shape)
    return element("g", drawn, class_=class_, transform=f"translate({x:.0f} {y:.0f})")


@cache
def _icon(shape: str, class_: str) -> SafeString:
    """Kept, since a heat map shows a thousand of a handful."""
    drawn = element("circle", r=8) + (element("path", d=shape) if shape else "")
    inside = element("g", drawn, class_=class_)
    svg = element(
        "svg",
        inside,
        viewBox="-10 -10 20 20",
        width=20,
        height=20,
        class_="level-icon",
        aria_hidden="true",
        focusable="false",
    )
    return mark_safe(svg)  # noqa: S308 - no text in it
