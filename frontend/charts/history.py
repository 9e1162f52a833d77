"""How a skill grew: the chance of success on a typical step over time, with its band, checks and changes of level."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from django.utils.safestring import SafeString, mark_safe

from exercises.figures.canvas import NARROW, Drawing, Table, element, line, picture, text, width_of
from frontend.charts.time_axis import TimeAxis, time_axis

LEFT, RIGHT, TOP, TALL = 44.0, 16.0, 58.0, 190.0
WIDE = 720.0
#: Points up to which each has its dot, and how far apart they have to be to be told from each other.
MOST_DOTS, APART = 60, 5.0
#: How near another a mark would be covered by it, as a share of the time that is drawn.
COVERED = 0.015
FLAG_ROWS, FLAG_TALL = 3, 15.0
#: What a step of a mixed check did to the level: raised it to mastered, took mastered away, or neither.
Check = Literal["passed", "failed", "other"]
CHECKS: dict[Check, tuple[str, str]] = {
    "passed": ("check passed", "a check passed: mastered"),
    "failed": ("check failed", "a check failed: mastered no longer"),
    "other": ("check", "another step of a check"),
}
#: So many rows of the table are enough to check the picture by; the latest are kept.
MOST_TABLE_ROWS = 200


@dataclass(frozen=True)
class Moment:
    """The estimate after one closed step, at a moment of the learner's own time zone.

    ``chance`` of success on a typical step and its 80 % band, all in [0, 1]. ``what``: the step, for the table.
    ``reached``: the level that was reached or fallen back to here, in words. ``check``: what became of a step of a
    mixed check, None for any other step.
    """

    at: dt.datetime
    chance: float
    low: float
    high: float
    what: str = ""
    reached: str = ""
    check: Check | None = None


@dataclass(frozen=True)
class LegendMark:
    """A mark of the chart and what it says."""

    svg: SafeString
    words: str


def skill_history(moments: Sequence[Moment], now: Moment, *, goal: float) -> Drawing:
    """The chart from the first moment to ``now``, whose estimate has faded since the last; ``goal`` is the success that
    a proficient learner has. Raises ValueError without a moment: there is nothing to draw then."""
    if not moments:
        raise ValueError("A history without a moment cannot be drawn.")
    drawings = [_picture(moments, now, goal, width) for width in (WIDE, NARROW)]
    caption = (
        "The line is the estimate, the band holds the true value with a chance of 80%. Dashed: what is left of it "
        f"today. The rule marks {goal:.0%}, what proficient asks for."
    )
    return Drawing(drawings[0], caption, _table(moments, now), narrow_svg=drawings[1])


def history_legend(moments: Sequence[Moment], now: Moment) -> list[LegendMark]:
    """The marks beside the line that occur in the chart of these moments, each once; none where there are none."""
    made = {moment.check for moment in _checks(moments, now)}
    marks = [_legend_mark(_diamond(check, 13, 8), said) for check, (_, said) in CHECKS.items() if check in made]
    if any(moment.reached for moment in moments):
        marks.append(_legend_mark(line(13, 0, 13, 16, "chart-change"), "the level changed"))
    return marks


def _legend_mark(drawn: str, words: str) -> LegendMark:
    svg = element("svg", drawn, viewBox="0 0 26 16", width=26, height=16, aria_hidden="true", focusable="false")
    return LegendMark(mark_safe(svg), words)  # noqa: S308 - no text in it


def _picture(moments: Sequence[Moment], now: Moment, goal: float, width: float) -> str:
    axis = time_axis(moments[0].at, now.at, left=LEFT, right=width - RIGHT, most=9 if width > NARROW else 4)
    drawn = _thinned(moments, axis)
    content = _band([*drawn, now], axis) + _frame(axis, goal) + _line(drawn, now, axis) + _marks(moments, now, axis)
    first, last = moments[0], moments[-1]
    described = (
        f"{len(moments)} step{'' if len(moments) == 1 else 's'} from {_day(first.at)} to {_day(last.at)}: "
        f"{first.chance:.0%} after the first, {last.chance:.0%} after the last, "
        f"{now.chance:.0%} now, between {now.low:.0%} and {now.high:.0%}"
    )
    return picture(
        content,
        width=width,
        height=TOP + TALL + 34,
        title="Chance of success on a typical step, over time",
        description=described,
    )


def _thinned(moments: Sequence[Moment], axis: TimeAxis) -> list[Moment]:
    """The first moment, and of those that would lie on top of each other the last."""
    kept = [moments[0]]
    begun = 0.0
    for moment in moments[1:]:
        x = axis.x(moment.at)
        if len(kept) > 1 and x - begun < APART:
            kept[-1] = moment
        else:
            kept.append(moment)
            begun = x
    return kept


def _frame(axis: TimeAxis, goal: float) -> str:
    floor = TOP + TALL
    drawn = line(axis.left, floor, axis.right, floor) + line(axis.left, TOP, axis.left, floor)
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        drawn += line(axis.left, y, axis.right, y, "fig-grid") if percent else ""
        drawn += text(f"{percent}%", axis.left - 7, y + 4, "fig-small", "end")
    drawn += line(axis.left, _y(goal), axis.right, _y(goal), "chart-goal")
    for moment, words in axis.ticks:
        x = axis.x(moment)
        half = width_of(words, 12) / 2
        drawn += line(x, floor, x, floor + 4)
        # Words at an edge are moved inwards, the tick stays where it belongs.
        drawn += text(words, min(max(x, axis.left + half - 8), axis.right - half + 8), floor + 18, "fig-small")
    return drawn


def _band(moments: Sequence[Moment], axis: TimeAxis) -> str:
    over = [f"{axis.x(moment.at):.1f} {_y(moment.high):.1f}" for moment in moments]
    under = [f"{axis.x(moment.at):.1f} {_y(moment.low):.1f}" for moment in moments]
    edges = f"M{'L'.join(over)}M{'L'.join(under)}"
    return element("path", d=f"M{'L'.join([*over, *reversed(under)])}Z", class_="chart-band") + element(
        "path", d=edges, class_="chart-band-edge"
    )


def _line(moments: Sequence[Moment], now: Moment, axis: TimeAxis) -> str:
    points = [(axis.x(moment.at), _y(moment.chance)) for moment in moments]
    drawn = element("path", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), class_="fig-curve")
    x, y = points[-1]
    drawn += line(x, y, axis.x(now.at), _y(now.chance), "chart-fading")
    if len(points) <= MOST_DOTS:
        drawn += "".join(element("circle", cx=x, cy=y, r=3.2, class_="chart-dot") for x, y in points)
    return drawn


def _marks(moments: Sequence[Moment], now: Moment, axis: TimeAxis) -> str:
    """A flag where a level changed, and a diamond for each check."""
    drawn = _flags([moment for moment in moments if moment.reached], axis)
    for moment in _checks(moments, now):
        if moment.check:
            drawn += _diamond(moment.check, axis.x(moment.at), _y(moment.chance))
    return drawn


def _checks(moments: Sequence[Moment], now: Moment) -> list[Moment]:
    """The steps of checks that have their mark. One check has several, often within minutes: a step that changed
    nothing has none where it would lie under one that did."""
    told = [moment for moment in moments if moment.check in ("passed", "failed")]
    near = (now.at - moments[0].at) * COVERED
    others = [moment for moment in moments if moment.check == "other"]
    return [one for one in others if all(abs(one.at - moment.at) > near for moment in told)] + told


def _diamond(check: Check, x: float, y: float) -> str:
    """Filled where the check was passed, crossed out where it was failed, small and empty where it was neither."""
    half = 5 if check == "other" else 7
    shape = f"M{x:.1f} {y - half:.1f}L{x + half:.1f} {y:.1f}L{x:.1f} {y + half:.1f}L{x - half:.1f} {y:.1f}Z"
    if check == "failed":
        shape += f"M{x - 3.5:.1f} {y - 3.5:.1f}L{x + 3.5:.1f} {y + 3.5:.1f}"
        shape += f"M{x + 3.5:.1f} {y - 3.5:.1f}L{x - 3.5:.1f} {y + 3.5:.1f}"
    return element("path", d=shape, class_=f"chart-check chart-check-{check}")


def _flags(moments: Sequence[Moment], axis: TimeAxis) -> str:
    """A line at each moment, with its words as far as they have room: each below those that reach up to it, so that no
    line runs through words."""
    drawn = ""
    ends = [0.0] * FLAG_ROWS
    for moment in moments:
        x, wide = axis.x(moment.at), width_of(moment.reached, 12)
        left = min(x - 4, axis.right - wide)
        row = max((place + 1 for place, end in enumerate(ends) if end > left), default=0)
        has_room = row < FLAG_ROWS
        top = TOP - 6 - FLAG_TALL * (FLAG_ROWS - 1 - row) if has_room else TOP - 4
        drawn += line(x, top + 3, x, TOP + TALL, "chart-change")
        if has_room:
            drawn += text(moment.reached, left, top, "fig-small chart-flag", "start")
            ends[row] = left + wide + 10
    return drawn


def _table(moments: Sequence[Moment], now: Moment) -> Table:
    rows = [
        (_when(moment.at), moment.what, *_numbers(moment), ", ".join(filter(None, (moment.reached, _checked(moment)))))
        for moment in (*moments[-MOST_TABLE_ROWS:], replace(now, what="today"))
    ]
    return Table(("When", "Step", "Chance", "80% band", "What changed"), tuple(reversed(rows)))


def _numbers(moment: Moment) -> tuple[str, str]:
    return f"{moment.chance:.0%}", f"{moment.low:.0%} to {moment.high:.0%}"


def _checked(moment: Moment) -> str:
    return CHECKS[moment.check][0] if moment.check else ""


def _when(at: dt.datetime) -> str:
    return f"{_day(at)}, {at:%H:%M}"


def _day(at: dt.datetime) -> str:
    return f"{at.day} {at:%b %Y}"


def _y(share: float) -> float:
    return TOP + TALL * (1 - min(1.0, max(0.0, share)))
