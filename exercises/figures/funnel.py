"""The head of a task as a funnel: so many numbers in, one score a row out."""

from collections.abc import Mapping
from typing import Any

from exercises.figures.canvas import NARROW, Drawing, Table, element, line, picture, text

HEAD = 30.0
STEP = 22.0
LEFT = 78.0
RIGHT = 212.0
MOST_DOTS = 7


def draw(data: Mapping[str, Any]) -> Drawing:
    """``{"inputs": int, "outputs": int, "labels": [str], "activation": "softmax"|"sigmoid"|""}``."""
    inputs, outputs = int(data["inputs"]), int(data["outputs"])
    labels = [str(label) for label in data.get("labels") or ()]
    activation = str(data.get("activation") or "")
    ends = _span(inputs), _span(outputs)
    middle = HEAD + max(ends)
    entering, leaving = _dots(inputs, middle), _dots(outputs, middle)
    content = _body(ends, middle)
    content += "".join(line(LEFT + 5, a, RIGHT - 5, b, "fig-thread") for a in entering for b in leaving)
    content += "".join(element("circle", cx=LEFT, cy=y, r=4.5, class_="fig-dot") for y in entering)
    content += "".join(element("circle", cx=RIGHT, cy=y, r=4.5, class_="fig-dot fig-dot-out") for y in leaving)
    content += _dotted(inputs, LEFT, middle) + _dotted(outputs, RIGHT, middle)
    content += text(_count(inputs, "number"), LEFT, middle - ends[0] - 18, "fig-strong fig-label")
    content += text(_count(outputs, "row"), RIGHT, middle - ends[1] - 18, "fig-strong fig-label")
    content += _named(labels, outputs, leaving) + _activation(activation, middle + ends[1] + 28)
    svg = picture(
        content,
        width=NARROW,
        height=middle + max(ends[0] + 14, ends[1] + (36 if activation else 14)),
        title="The head as a funnel",
        description=_described(inputs, outputs, labels, activation),
    )
    rows = [("numbers in", f"{inputs:,}"), ("scores out", f"{outputs:,}")]
    rows += [("names of the scores", ", ".join(labels))] if labels else []
    rows += [("then", activation)] if activation else []
    return Drawing(svg, "The head turns the vector into one score a row.", Table(("Part", "Value"), tuple(rows)))


def _described(inputs: int, outputs: int, labels: list[str], activation: str) -> str:
    named = f" ({', '.join(labels)})" if labels else ""
    then = f", then {activation}" if activation else ""
    return f"{_count(inputs, 'number')} in, {_count(outputs, 'score')} out{named}{then}"


def _count(size: int, noun: str) -> str:
    return f"{size:,} {noun}" + ("" if size == 1 else "s")


def _span(size: int) -> float:
    """Half the height that the dots of one end take."""
    return STEP * (min(size, MOST_DOTS) - 1) / 2


def _dots(size: int, middle: float) -> list[float]:
    """The heights of the dots; of many, three from one end and two from the other."""
    places = [0, 1, 2, 5, 6] if size > MOST_DOTS else range(size)
    return [middle - _span(size) + STEP * place for place in places]


def _dotted(size: int, x: float, middle: float) -> str:
    """Three small dots where the rest of many was left out."""
    if size <= MOST_DOTS:
        return ""
    gap = middle + STEP / 2
    return "".join(element("circle", cx=x, cy=gap + step, r=1.6, class_="fig-dots") for step in (-7, 0, 7))


def _body(ends: tuple[float, float], middle: float) -> str:
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


def _activation(name: str, y: float) -> str:
    """What is done to the scores, right below their dots."""
    return text(f"then {name}", RIGHT, y, "fig-small") if name else ""
