"""A chance with its band as one strip from 0 to 100 %, for a row of a table."""

from django.utils.safestring import SafeString, mark_safe

from exercises.figures.canvas import box, element, line

WIDE, TALL = 124.0, 18.0
EDGE = 4.0


def interval_strip(chance: float, low: float, high: float, *, goal: float) -> SafeString:
    """The strip, hidden from screen readers: the numbers stand beside it. All four are shares in [0, 1]."""
    middle = TALL / 2
    band = max(2.0, _x(high) - _x(low))
    drawn = (
        line(_x(0), middle, _x(1), middle, "fig-rule")
        + line(_x(goal), 2, _x(goal), TALL - 2, "chart-goal")
        + box(_x(low), middle - 3.5, band, 7, "chart-band-strip", 3.5)
        + element("circle", cx=_x(chance), cy=middle, r=4, class_="fig-point")
    )
    svg = element(
        "svg",
        drawn,
        viewBox=f"0 0 {WIDE:.0f} {TALL:.0f}",
        width=int(WIDE),
        height=int(TALL),
        class_="interval-strip",
        aria_hidden="true",
        focusable="false",
    )
    return mark_safe(svg)  # noqa: S308 - numbers only


def _x(share: float) -> float:
    return EDGE + (WIDE - 2 * EDGE) * min(1.0, max(0.0, share))
