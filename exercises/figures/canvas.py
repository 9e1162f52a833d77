"""What every figure is drawn with: SVG elements as text, numbers as they are printed, and the finished drawing.

The page's policy allows no style attributes, so colour and type come from classes (``css/figures.css``) that read the
theme's CSS variables; geometry is in attributes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite

#: Width in user units that still reads well on a phone: about one CSS pixel a unit at 360 px.
NARROW = 336.0
#: Width for the text column of a wide screen.
WIDE = 480.0
#: Mean width of a character of the figures' sans-serif type, as a share of its size (bold capitals are wider).
CHARACTER = 0.62


@dataclass(frozen=True)
class Table:
    """The same facts as the picture, for those who do not see it: a row of headings, then rows of cells."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Drawing:
    """A figure ready for a page: ``svg`` markup (all text in it escaped), a one-line caption, and its table."""

    svg: str
    caption: str
    table: Table
    narrow_svg: str = ""


def element(tag: str, content: str = "", **attributes: str | float | int) -> str:
    """One element. ``content`` is markup, values are escaped, ``_`` in names becomes ``-`` (``class_``: class)."""
    written = "".join(f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def text(words: str, x: float, y: float, class_: str = "", anchor: str = "middle") -> str:
    """Words at a point: ``y`` is the base line, ``anchor`` one of start, middle, end."""
    return element("text", escape(words), x=x, y=y, text_anchor=anchor, class_=f"fig-text {class_}".strip())


def line(x1: float, y1: float, x2: float, y2: float, class_: str = "fig-rule") -> str:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str = "fig-box", radius: float = 2) -> str:
    """A rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius, class_=class_)


def picture(content: str, *, width: float, height: float, title: str, description: str, class_: str = "") -> str:
    """The whole SVG: scales down with the page, never up beyond its drawn size by more than a fifth."""
    head = element("title", escape(title)) + element("desc", escape(description))
    return element(
        "svg",
        head + content,
        viewBox=f"0 0 {_value(width)} {_value(height)}",
        width=round(width * 1.15),
        height=round(height * 1.15),
        role="img",
        aria_label=f"{title}. {description}",
        class_=f"figure-svg {class_}".strip(),
    )


def places_of(values: Sequence[float], most: int = 4) -> int:
    """Decimal places that show every value of a list exactly, at most ``most``: a list is set with one precision."""
    for places in range(most):
        if all(not isfinite(value) or abs(round(value, places) - value) < 1e-9 for value in values):
            return places
    return most


def number(value: float, places: int | None = None) -> str:
    """A number as printed: U+2212 for minus, ``places`` decimals or as many as it needs (at most four)."""
    if not isfinite(value):
        return "undefined" if value != value else ("∞" if value > 0 else "−∞")
    shown = f"{value:.{places_of([value]) if places is None else places}f}"
    return shown.replace("-", "−") if float(shown) != 0 else shown.lstrip("-")


def share(value: float) -> str:
    """A probability or a loss to three significant figures, as the problems ask for it."""
    if value == 0 or not isfinite(value):
        return number(value)
    shown = f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    return (shown if "e" in shown else _with_zeros(value)).replace("-", "−")


def width_of(words: str, size: float) -> float:
    """About how wide a text is when set at ``size`` units."""
    return len(words) * size * CHARACTER


def _with_zeros(value: float) -> str:
    magnitude = 0
    while abs(value) < 10 ** (magnitude - 1) and magnitude > -8:
        magnitude -= 1
    while abs(value) >= 10**magnitude:
        magnitude += 1
    return f"{value:.{max(0, 3 - magnitude)}f}"


def _value(value: str | float | int) -> str:
    if isinstance(value, str):
        return escape(value)
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
