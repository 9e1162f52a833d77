"""The head of a task as a funnel: so many numbers in, one score a row out."""

from collections.abc import Mapping
from typing import Any

from frontend.figures.canvas import NARROW, Drawing, Table, element, line, picture, text

TOP = 34.0
TALL = 132.0
LEFT = 78.0
RIGHT = 212.0
MOST_DOTS = 7


def draw(data: Mapping[str, Any]) -> Drawing:
    """``{"inputs": int, "outputs": int, "labels": [str], "activation": "softmax"|"sigmoid"|""}``."""
    inputs, outputs = int(data["inputs"]), int(data["outputs"])
    labels = [str(label) for label in data.get("labels") or ()]
    activation = str(data.get("activation") or "")
    entering, leaving = _dots(inputs), _dots(outputs)
    ends = (_span(inputs), _span(outputs))
    content = _body(ends)
    content += "".join(line(LEFT + 5, a, RIGHT - 5, b, "fig-thread") for a in entering for b in leaving)
    content += "".join(element("circle", cx=LEFT, cy=y, r=4.5, class_="fig-dot") for y in entering)
    content += "".join(element("circle", cx=RIGHT, cy=y, r=4.5, class_="fig-dot fig-dot-out") for y in leaving)
    content += _dotted(inputs, LEFT) + _dotted(outputs, RIGHT)
    content += text(_count(inputs, "number"), LEFT, TOP - 19, "fig-strong fig-label")
    content += text(_count(outputs, "row"), RIGHT, TOP - 19, "fig-strong fig-label")
    content += _named(labels, outputs, leaving) + _activation(activation)
    description = f"{_count(inputs, 'number')} in, {_count(outputs, 'score')} out"
    if labels:
        description += f" ({', '.join(labels)})"
    if activation:
        description += f", then {activation}"
    svg = picture(
        content,
        width=NARROW,
        height=TOP + TALL + (40 if activation else 14),
        title="The head as a funnel",
        description=description,
    )
    rows = [("numbers in", f"{inputs:,}"), ("scores out", f"{outputs:,}")]
    rows += [("names of the scores", ", ".join(labels))] if labels else []
    rows += [("then", activation)] if activation else []
    return Drawing(svg, "The head turns the vector into one score a row.", Table(("Part", "Value"), tuple(rows)))


def _count(size: int, noun: str) -> str:
    return f"{size:,} {noun}" + ("" if size == 1 else "s")


def _span(size: int) -> float:
    """Half the height that the dots of one end take."""
    return TALL / 2 if size > MOST_DOTS else (size - 1) * TALL / (2 * (MOST_DOTS - 1))


def _dots(size: int) -> list[float]:
    middle, half = TOP + TALL / 2, _span(size)
    if size > MOST_DOTS:
        return [middle - half, middle - half * 2 / 3, middle - half / 3, middle + half * 2 / 3, middle + half]
    return [middle + (0 if size == 1 else half * (2 * place / (size - 1) - 1)) for place in range(size)]


def _dotted(size: int, x: float) -> str:
    """Three small dots where the rest of many was left out."""
    if size <= MOST_DOTS:
        return ""
    middle = TOP + TALL / 2 + TALL / 2 / 6
    return "".join(element("circle", cx=x, cy=middle + step, r=1.6, class_="fig-dots") for step in (-7, 0, 7))


def _body(ends: tuple[float, float]) -> str:
    middle = TOP + TALL / 2
    left, right = (half + 12 for half in ends)
    return element(
        "path",
        d=f"M{LEFT:.1f} {middle - left:.1f}L{RIGHT:.1f} {middle - right:.1f}V{middle + right:.1f}"
        f"L{LEFT:.1f} {middle + left:.1f}Z",
        class_="fig-funnel",
    )


def _named(labels: list[str], outputs: int, leaving: list[float]) -> str:
    if outputs > MOST_DOTS or len(labels) != outputs:
        return ""
    return "".join(
        text(label, RIGHT + 14, y + 4, "fig-label", "start") for label, y in zip(labels, leaving, strict=True)
    )


def _activation(name: str) -> str:
    return text(f"then {name}", RIGHT, TOP + TALL + 30, "fig-small") if name else ""
