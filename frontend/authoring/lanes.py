"""The named mistakes of a problem beside each other: how often each could show, and how far it stays from the key."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

from exercises.figures.canvas import WIDE, Drawing, Table, box, element, line, picture, text
from grader.checking import LEAST_ACTIVE

ROW, NAMES, RIGHT, TOP = 26.0, 176.0, 52.0, 8.0
#: A longer note is cut in the picture; the table has all of it.
LONGEST_NOTE = 24


@dataclass(frozen=True)
class Lane:
    """One named mistake: the share of variants in which it could show, and how far from the key it lies there.

    ``separation`` is a distribution of |mistake − key| over both allowances together; at 1 it could pass for right.
    """

    note: str
    active: float
    separation: Mapping[str, Any] | None


def active_chart(lanes: Sequence[Lane]) -> Drawing:
    """Bars of the shares, and where a mistake would be idle."""
    x = _across(0.0, 1.0)
    bottom = TOP + ROW * len(lanes)
    drawn = "".join(_name(lane, place) for place, lane in enumerate(lanes))
    for place, lane in enumerate(lanes):
        y = TOP + ROW * place + 5
        is_idle = lane.active < LEAST_ACTIVE
        drawn += box(
            x(0), y, max(1.0, x(lane.active) - x(0)), 14, "fig-bar" if is_idle else "fig-bar fig-bar-chosen", 2
        )
        drawn += text(f"{lane.active:.0%}", x(lane.active) + 6, y + 11, "fig-value", "start")
    drawn += line(x(0), TOP, x(0), bottom) + line(x(LEAST_ACTIVE), TOP, x(LEAST_ACTIVE), bottom, "chart-goal")
    drawn += text(f"{LEAST_ACTIVE:.0%}", x(LEAST_ACTIVE), bottom + 15, "fig-small")
    told = ", ".join(f"{lane.note} {lane.active:.0%}" for lane in lanes)
    svg = picture(drawn, width=WIDE, height=bottom + 22, title="Share of variants in which each mistake could show",
                  description=told)  # fmt: skip
    caption = f"Below {LEAST_ACTIVE:.0%} a mistake must be declared seldom: it would hardly ever be recognised."
    rows = tuple((lane.note, f"{lane.active:.1%}") for lane in lanes)
    return Drawing(svg, caption, Table(("Mistake", "Could show in"), rows))


def separation_chart(lanes: Sequence[Lane]) -> Drawing:
    """From the nearest to the farthest, with the middle half, on a scale of powers of ten; 1 would be too near."""
    shown = [lane for lane in lanes if lane.separation]
    nearest = min(1.0, *(float(lane.separation["min"]) for lane in shown if lane.separation))
    farthest = max(10.0, *(float(lane.separation["max"]) for lane in shown if lane.separation))
    low, high = floor(log10(max(nearest, 1e-3))), ceil(log10(farthest))
    x = _across(float(low), float(high))
    bottom = TOP + ROW * len(shown)
    drawn = ""
    step = max(1, ceil((high - low) / 6))
    for power in range(low, high + 1, step):
        drawn += line(x(power), TOP, x(power), bottom, "fig-grid")
        drawn += text("1" if power == 0 else _power(power), x(power), bottom + 15, "fig-small")
    drawn += line(x(0), TOP, x(0), bottom, "chart-goal")
    for place, lane in enumerate(shown):
        drawn += _name(lane, place) + _strip(lane.separation or {}, TOP + ROW * place + 12, x)
    told = ", ".join(f"{lane.note} at least {_times(lane.separation['min'])}" for lane in shown if lane.separation)
    svg = picture(drawn, width=WIDE, height=bottom + 22, title="How far each mistake stays from the key",
                  description=told)  # fmt: skip
    caption = "In allowances: at 1 a mistake could pass for the right answer. The thick part holds the middle half."
    rows = tuple(
        (lane.note, *(_times(lane.separation[name]) for name in ("min", "median", "max")))
        for lane in shown
        if lane.separation
    )
    return Drawing(svg, caption, Table(("Mistake", "Nearest", "Middle", "Farthest"), rows))


def _strip(found: Mapping[str, Any], y: float, x: Callable[[float], float]) -> str:
    at = {name: x(log10(max(1e-3, float(found[name])))) for name in ("min", "q1", "median", "q3", "max")}
    return (
        line(at["min"], y, at["max"], y, "fig-rule")
        + box(at["q1"], y - 4, max(2.0, at["q3"] - at["q1"]), 8, "chart-band-strip", 4)
        + element("circle", cx=at["median"], cy=y, r=4, class_="fig-point")
        + line(at["min"], y - 5, at["min"], y + 5, "fig-rule-strong")
    )


def _name(lane: Lane, place: int) -> str:
    words = lane.note if len(lane.note) <= LONGEST_NOTE else f"{lane.note[: LONGEST_NOTE - 1]}…"
    return text(words, NAMES - 8, TOP + ROW * place + 16, "fig-label", "end")


def _across(low: float, high: float) -> Callable[[float], float]:
    def place(value: float) -> float:
        return NAMES + (WIDE - NAMES - RIGHT) * min(1.0, max(0.0, (value - low) / (high - low)))

    return place


def _power(power: int) -> str:
    return f"{10.0**power:,.0f}" if 0 <= power <= 4 else f"1e{power}".replace("-", "−")


def _times(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
