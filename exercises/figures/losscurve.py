"""The curve of −ln p with this answer on it."""

from collections.abc import Mapping
from math import ceil, exp
from typing import Any

from exercises.figures.canvas import NARROW, Drawing, Table, element, line, number, picture, share, text

LEFT, TOP, RIGHT = 40.0, 14.0, 14.0
TALL = 170.0
LOWEST_TOP, HIGHEST_TOP = 4.0, 9.0


def draw(data: Mapping[str, Any]) -> Drawing:
    """``{"p": float|None, "loss": float|None, "label": str}``; what is None is not drawn."""
    chance, loss = data.get("p"), data.get("loss")
    label = str(data.get("label") or "")
    top = min(HIGHEST_TOP, max(LOWEST_TOP, float(ceil((loss or 0.0) + 0.5))))
    content = _axes(top) + _curve(top)
    said, rows = [], []
    if chance is not None:
        said.append(f"p = {_chance(float(chance))}")
        rows.append((f"p of {label}" if label else "p", _chance(float(chance))))
    if loss is not None:
        said.append(f"loss {share(float(loss))}")
        rows.append(("loss", share(float(loss))))
    if chance is not None:
        content += _answer(float(chance), None if loss is None else float(loss), top)
    svg = picture(
        content,
        width=NARROW,
        height=TOP + TALL + 40,
        title="The loss −ln p against the probability p",
        description="; ".join(said) if said else "falls steeply at first, then ever more gently as p grows",
    )
    # Only words beside this answer's own numbers: a value of the curve may be the very thing a problem asks for.
    rows += [("across", "the probability p, from 0 to 1"), ("upwards", "the loss, falling as p grows")]
    caption = "The less the model believed in the true answer, the steeper the price."
    return Drawing(svg, caption, Table(("Part", "Value"), tuple(rows)))


def _chance(chance: float) -> str:
    """A probability that was given with few decimals as it was given, else to three significant figures."""
    return number(chance) if chance and abs(round(chance, 4) - chance) < 1e-9 else share(chance)


def _x(chance: float) -> float:
    return LEFT + (NARROW - LEFT - RIGHT) * chance


def _y(loss: float, top: float) -> float:
    return TOP + TALL * (1 - min(loss, top) / top)


def _axes(top: float) -> str:
    floor = TOP + TALL
    content = line(LEFT, floor, NARROW - RIGHT, floor) + line(LEFT, TOP, LEFT, floor)
    step = 1 if top <= 5 else 2
    for loss in range(0, int(top) + 1, step):
        content += line(LEFT, _y(loss, top), NARROW - RIGHT, _y(loss, top), "fig-grid") if loss else ""
        content += text(str(loss), LEFT - 8, _y(loss, top) + 4, "fig-small", "end")
    for chance, words in ((0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")):
        content += text(words, _x(chance), floor + 16, "fig-small")
    content += text("probability p of the true answer", (LEFT + NARROW - RIGHT) / 2, floor + 34, "fig-small")
    return content


def _curve(top: float) -> str:
    """−ln p from the top of the picture to p = 1, in steps that are even in height."""
    points = [(exp(-top * (1 - part / 60)), top * (1 - part / 60)) for part in range(61)]
    path = "L".join(f"{_x(chance):.1f} {_y(loss, top):.1f}" for chance, loss in points)
    return element("path", d="M" + path, class_="fig-curve") + text(
        "loss = −ln p", NARROW - RIGHT, TOP + 26, "fig-name", "end"
    )


def _answer(chance: float, loss: float | None, top: float) -> str:
    x, floor = _x(min(1.0, max(0.0, chance))), TOP + TALL
    if loss is None:
        return line(x, TOP, x, floor, "fig-drop") + element("circle", cx=x, cy=floor, r=4.5, class_="fig-point")
    y = _y(loss, top)
    drops = line(x, y, x, floor, "fig-drop") + line(LEFT, y, x, y, "fig-drop")
    near_right = chance > 0.62
    # Right of the point the curve runs below the words; near the edge they stand above it instead.
    words = text(
        f"({_chance(chance)}, {share(loss)})",
        min(x, NARROW - RIGHT) if near_right else x + 10,
        max(y - (42 if near_right else 9), TOP + 10),
        "fig-value fig-strong",
        "end" if near_right else "start",
    )
    return drops + element("circle", cx=x, cy=y, r=5.5, class_="fig-point") + words
