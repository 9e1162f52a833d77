"""Vectors as columns in brackets, and a matrix beside the vectors it is multiplied with."""

from collections.abc import Mapping
from typing import Any

from exercises.figures.canvas import NARROW, WIDE, Drawing, Table, element, number, picture, places_of, text, width_of

LINE = 24.0
SIZE = 14.0
GAP = 26.0
HEAD = 22.0

Grid = tuple[str, list[list[str]]]


def draw(data: Mapping[str, Any]) -> Drawing:
    """``{"vectors": [{"name", "values"}], "matrix": {"name", "rows"}|None}``; the matrix comes first."""
    grids: list[Grid] = []
    matrix = data.get("matrix")
    if matrix:
        grids.append((str(matrix["name"]), _printed([[float(value) for value in row] for row in matrix["rows"]])))
    grids += [
        (str(vector["name"]), _printed([[float(value)] for value in vector["values"]]))
        for vector in data.get("vectors") or ()
    ]
    described = "; ".join(f"{name} = {_spoken(rows)}" for name, rows in grids)
    title = "Matrix and vectors" if matrix else "Vectors"
    wide, narrow = (_drawn(grids, width, title, described) for width in (WIDE, NARROW))
    table = Table(("Name", "Entries"), tuple((name, _spoken(rows)) for name, rows in grids))
    caption = "A bold letter names a list of numbers; the list is written as a column."
    return Drawing(wide, caption, table, narrow_svg="" if wide == narrow else narrow)


def _printed(rows: list[list[float]]) -> list[list[str]]:
    places = places_of([value for row in rows for value in row])
    return [[number(value, places) for value in row] for row in rows]


def _spoken(rows: list[list[str]]) -> str:
    if all(len(row) == 1 for row in rows):
        return "(" + ", ".join(row[0] for row in rows) + ")"
    return "; ".join("(" + ", ".join(row) + ")" for row in rows)


def _drawn(grids: list[Grid], width: float, title: str, described: str) -> str:
    """The grids from left to right, in lines no longer than ``width``, each centred on its line."""
    lines: list[list[tuple[Grid, float]]] = [[]]
    used = 0.0
    for grid in grids:
        wide = _grid_width(grid)
        if lines[-1] and used + GAP + wide > width:
            lines.append([])
            used = 0.0
        used += wide + (GAP if lines[-1] else 0)
        lines[-1].append((grid, wide))
    content, top, widest = "", 0.0, 0.0
    for row in lines:
        tall = max((len(grid[1]) for grid, _ in row), default=1) * LINE
        x = 2.0
        for grid, wide in row:
            content += _grid(grid, x=x, top=top, wide=wide, tall=tall)
            x += wide + GAP
        widest = max(widest, x - GAP + 2)
        top += HEAD + tall + 14
    return picture(content, width=max(widest, 80.0), height=top, title=title, description=described)


def _grid_width(grid: Grid) -> float:
    name, rows = grid
    cell = max((width_of(cell, SIZE) for row in rows for cell in row), default=SIZE) + 12
    return max(cell * max((len(row) for row in rows), default=1) + 14, width_of(name, 15) + 12)


def _grid(grid: Grid, *, x: float, top: float, wide: float, tall: float) -> str:
    name, rows = grid
    height = len(rows) * LINE
    y = top + HEAD + (tall - height) / 2
    columns = max((len(row) for row in rows), default=1)
    cell = (wide - 14) / columns
    content = text(name, x + wide / 2, y - 7, "fig-name") + _brackets(x, y, wide, height)
    for down, row in enumerate(rows):
        for across, words in enumerate(row):
            content += text(words, x + 7 + cell * (across + 1) - 6, y + LINE * down + 17, "fig-value", "end")
    return content


def _brackets(x: float, y: float, wide: float, height: float) -> str:
    right = x + wide
    return element(
        "path", d=f"M{x + 5:.1f} {y:.1f}H{x:.1f}V{y + height:.1f}H{x + 5:.1f}", class_="fig-bracket"
    ) + element(
        "path", d=f"M{right - 5:.1f} {y:.1f}H{right:.1f}V{y + height:.1f}H{right - 5:.1f}", class_="fig-bracket"
    )
