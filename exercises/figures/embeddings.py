"""Embedding rows written beneath each other to be added up, the sum left to the learner."""

from collections.abc import Mapping
from typing import Any

from exercises.figures.canvas import NARROW, Drawing, Table, box, line, number, picture, places_of, text, width_of

ROW = 34.0
CELL_HEIGHT = 26.0


def draw(data: Mapping[str, Any]) -> Drawing:
    """``{"rows": [{"name": str, "values": [float]}]}``: rows of equal length, drawn as an addition."""
    names = [str(row["name"]) for row in data["rows"]]
    rows = [[float(value) for value in row["values"]] for row in data["rows"]]
    places = places_of([value for row in rows for value in row])
    cells = [[number(value, places) for value in row] for row in rows]
    left = max(width_of(name, 13) for name in [*names, "sum"]) + 28
    size = max((len(row) for row in rows), default=1)
    wide = min(64.0, (NARROW - left) / max(size, 1))
    content = "".join(
        _row(name, row, y=ROW * place + 4, left=left, wide=wide, sign="+" if place else "")
        for place, (name, row) in enumerate(zip(names, cells, strict=True))
    )
    end = ROW * len(rows) + 4
    content += line(left - 16, end + 1, left + wide * size, end + 1, "fig-rule fig-rule-strong")
    content += _row("sum", ["?"] * size, y=end + 9, left=left, wide=wide, sign="=")
    described = "; ".join(f"{name}: {', '.join(row)}" for name, row in zip(names, cells, strict=True))
    svg = picture(
        content,
        width=left + wide * size + 2,
        height=end + ROW + 10,
        title="Embedding rows to be added",
        description=described,
    )
    headings = ("Row", *(f"Entry {place + 1}" for place in range(size)))
    table = Table(headings, tuple((name, *row) for name, row in zip(names, cells, strict=True)))
    return Drawing(svg, "The rows are added entry by entry.", table)


def _row(name: str, cells: list[str], *, y: float, left: float, wide: float, sign: str) -> str:
    unknown = sign == "="
    content = text(name, left - 22, y + 18, "fig-label" + (" fig-muted" if unknown else ""), "end")
    if sign:
        content += text(sign, left - 10, y + 18, "fig-sign")
    for place, cell in enumerate(cells):
        x = left + wide * place
        content += box(x + 1.5, y, wide - 3, CELL_HEIGHT, "fig-empty" if unknown else "fig-cell", 3)
        content += text(cell, x + wide / 2, y + 18, "fig-muted" if unknown else "fig-value")
    return content
