"""The lines of the skill map: from the foot of a box down to the head of another, and never across a third.

Boxes stand in rows and columns. A line to the next row bends in the gap between the two. A line that goes further comes
down through every row between by a lane: the alley beside a column, or the place of a box that is not there.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from exercises.catalogue import Skill
from exercises.figures.canvas import element

COLUMN, ROW = 164.0, 100.0
NODE_WIDTH, NODE_HEIGHT = 138.0, 56.0
TOP = 12.0
#: How far lines that share an alley keep from each other.
APART = 7.0

Cell = tuple[int, int]


@dataclass(frozen=True)
class Line:
    """From one skill to another that needs it, with the x at which it comes down through each row between."""

    need: Skill
    skill: Skill
    lanes: tuple[float, ...]


def corner(skill: Skill) -> tuple[float, float]:
    """The upper left corner of a skill's box."""
    return skill.column * COLUMN + (COLUMN - NODE_WIDTH) / 2, skill.row * ROW + TOP


def lines(pairs: Iterable[tuple[Skill, Skill]], taken: Collection[Cell]) -> list[Line]:
    """A line for each pair (what is needed, what needs it); ``taken`` are the rows and columns where boxes stand."""
    used: set[tuple[int, float]] = set()
    return [Line(need, skill, _lanes(need, skill, taken, used)) for need, skill in pairs]


def path(line: Line) -> str:
    """The line as markup: it bends between the rows only, and is straight beside the boxes."""
    x, y = _middle(line.need), corner(line.need)[1] + NODE_HEIGHT
    drawn = f"M{x:.0f} {y:.0f}"
    for row, lane in enumerate((*line.lanes, _middle(line.skill)), start=line.need.row + 1):
        head = row * ROW + TOP
        half = (y + head) / 2
        drawn += f"C{x:.0f} {half:.0f} {lane:.0f} {half:.0f} {lane:.0f} {head:.0f}"
        x, y = lane, head + NODE_HEIGHT
        if row < line.skill.row:
            drawn += f"V{y:.0f}"
    return element("path", d=drawn)


def _middle(skill: Skill) -> float:
    return corner(skill)[0] + NODE_WIDTH / 2


def _lanes(need: Skill, skill: Skill, taken: Collection[Cell], used: set[tuple[int, float]]) -> tuple[float, ...]:
    """Row by row the free lane that is the shortest way on; two lines share none."""
    x, end = _middle(need), _middle(skill)
    found = []
    for row in range(need.row + 1, skill.row):
        left = skill.row - row
        ahead = x + (end - x) / (left + 1)
        lane = min(_free(row, taken, used), key=lambda at: abs(at - x) + abs(at - end) + abs(at - ahead) / 4)
        used.add((row, lane))
        found.append(lane)
        x = lane
    return tuple(found)


def _free(row: int, taken: Collection[Cell], used: Collection[tuple[int, float]]) -> list[float]:
    columns = max(column for _, column in taken) + 1
    alleys = [edge * COLUMN + shift for edge in range(1, columns) for shift in (0.0, APART, -APART)]
    places = [(column + 0.5) * COLUMN for column in range(columns) if (row, column) not in taken]
    return [lane for lane in (*places, *alleys) if (row, lane) not in used]
