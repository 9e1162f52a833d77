"""How numbers are spread over the seeds of a check: bars, and where the middle half lies."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

from exercises.figures.canvas import NARROW, Drawing, Table, box, element, line, picture, text

LEFT, RIGHT, TOP, TALL = 12.0, 12.0, 16.0, 92.0


def histogram(distribution: Mapping[str, Any], title: str, *, says: str = "", is_share: bool = False) -> Drawing:
    """The picture of a distribution, as a report holds it. ``is_share``: the numbers are shares, shown as percents."""
    bins: Sequence[Sequence[float]] = distribution.get("bins") or ()
    least, most = float(distribution["min"]), float(distribution["max"])
    shown = _percent if is_share else _short
    told = f"always {shown(least)}"
    if least != most:
        told = f"from {shown(least)} to {shown(most)}, half of them from {shown(distribution['q1'])} to "
        told += f"{shown(distribution['q3'])}; the middle one is {shown(distribution['median'])}"
    drawn = _bars(distribution, bins, shown) if bins else ""
    svg = picture(drawn, width=NARROW, height=TOP + TALL + 38, title=title, description=told)
    rows = tuple((f"{shown(low)} to {shown(high)}", str(int(count))) for low, high, count in bins)
    caption = f"{says} {told[:1].upper()}{told[1:]}.".strip()
    return Drawing(svg, caption, Table((title, "Variants"), rows))


def _bars(distribution: Mapping[str, Any], bins: Sequence[Sequence[float]], shown: Any) -> str:
    scale = _scale(float(bins[0][0]), float(bins[-1][1]), is_log=bool(distribution.get("log")))
    tallest = max(count for _, _, count in bins) or 1
    floor = TOP + TALL
    drawn = ""
    for low, high, count in bins:
        x, beyond = scale(low), scale(high)
        tall = TALL * count / tallest
        if count:
            drawn += box(x + 0.5, floor - tall, max(1.0, beyond - x - 1), tall, "fig-bar", 0)
    drawn += line(LEFT, floor, NARROW - RIGHT, floor)
    first, third, middle = (scale(float(distribution[name])) for name in ("q1", "q3", "median"))
    drawn += box(first, floor + 4, max(2.0, third - first), 6, "chart-band-strip", 3)
    drawn += element("circle", cx=middle, cy=floor + 7, r=4, class_="fig-point")
    ends = ((float(bins[0][0]), LEFT, "start"), (float(bins[-1][1]), NARROW - RIGHT, "end"))
    for value, x, anchor in ends:
        drawn += text(shown(value), x, floor + 28, "fig-small", anchor)
    if 80 < middle < NARROW - 80:
        drawn += text(shown(distribution["median"]), middle, floor + 28, "fig-small")
    return drawn + text(f"most: {int(tallest)}", NARROW - RIGHT, TOP - 4, "fig-small", "end")


def _scale(low: float, high: float, *, is_log: bool) -> Any:
    """From a value to its place; what lies outside is drawn at the edge."""
    is_log = is_log and low > 0
    start, end = (log10(low), log10(high)) if is_log else (low, high)
    wide = (end - start) or 1.0

    def place(value: float) -> float:
        at = log10(value) if is_log and value > 0 else start if is_log else value
        return LEFT + (NARROW - LEFT - RIGHT) * min(1.0, max(0.0, (at - start) / wide))

    return place


def _short(value: float) -> str:
    """A number of a scale: three significant digits."""
    shown = f"{value:.3g}" if abs(value) < 100_000 else f"{value:.2e}"
    return shown.replace("-", "−")


def _percent(value: float) -> str:
    return f"{value * 100:.2g} %"
