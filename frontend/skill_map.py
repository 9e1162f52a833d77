"""The skill map: every skill with its problems as a list, and the picture of what builds on what."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from exercises.catalogue import Skill
from exercises.queries import ProblemRow
from frontend.figures.canvas import element

COLUMN, ROW = 160.0, 94.0
NODE_WIDTH, NODE_HEIGHT = 146.0, 54.0
LINE_LENGTH = 17


@dataclass(frozen=True)
class SkillEntry:
    """One skill of the list. ``solved`` of ``len(rows)`` problems have a variant with everything right."""

    skill: Skill
    rows: tuple[ProblemRow, ...]
    needs: tuple[Skill, ...]
    helps: tuple[Skill, ...]

    @property
    def solved(self) -> int:
        """How many of its problems were solved."""
        return sum(row.state == "solved" for row in self.rows)

    @property
    def state(self) -> str:
        """none: no problem trains it yet · new · begun · solved."""
        if not self.rows:
            return "none"
        if self.solved == len(self.rows):
            return "solved"
        return "new" if all(row.state == "new" for row in self.rows) else "begun"


@dataclass(frozen=True)
class SkillMap:
    """The entries in the order of the map, prerequisites first, and the picture that links to them."""

    entries: tuple[SkillEntry, ...]
    picture: SafeString


def skill_map_picture(skills: Sequence[tuple[Skill, Sequence[ProblemRow]]]) -> SkillMap:
    """The map from ``queries.skill_map``. No query."""
    by_id = {skill.id: skill for skill, _ in skills}
    entries = tuple(
        SkillEntry(
            skill,
            tuple(rows),
            tuple(by_id[need] for need in skill.needs),
            tuple(by_id[helper] for helper in skill.helps),
        )
        for skill, rows in skills
    )
    # Titles come from the catalogue and are escaped where they are drawn.
    return SkillMap(entries, mark_safe(_picture(entries)))  # noqa: S308


def _picture(entries: Sequence[SkillEntry]) -> str:
    width = COLUMN * (1 + max((entry.skill.column for entry in entries), default=0))
    height = ROW * max((entry.skill.row for entry in entries), default=0) + NODE_HEIGHT + 6
    lines = "".join(_edge(need, entry.skill) for entry in entries for need in entry.needs)
    nodes = "".join(_node(entry) for entry in entries)
    return element(
        "svg",
        element("g", lines, class_="map-lines", aria_hidden="true") + nodes,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        class_="map-picture",
        role="group",
        aria_label="Skills, each below what it builds on",
    )


def _corner(skill: Skill) -> tuple[float, float]:
    return skill.column * COLUMN + (COLUMN - NODE_WIDTH) / 2, skill.row * ROW + 3


def _edge(need: Skill, skill: Skill) -> str:
    """From the foot of what is needed to the head of what builds on it."""
    (x1, y1), (x2, y2) = _corner(need), _corner(skill)
    x1, x2, y1 = x1 + NODE_WIDTH / 2, x2 + NODE_WIDTH / 2, y1 + NODE_HEIGHT
    bend = (y2 - y1) / 2 if skill.row - need.row == 1 else ROW - NODE_HEIGHT - 8
    return element("path", d=f"M{x1:.0f} {y1:.0f}C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f} {x2:.0f} {y2:.0f}")


def _node(entry: SkillEntry) -> str:
    x, y = _corner(entry.skill)
    lines = _broken(entry.skill.title)
    middle = x + NODE_WIDTH / 2
    first = y + NODE_HEIGHT / 2 + 5 - (len(lines) - 1) * 8
    words = "".join(
        element("text", escape(line), x=middle, y=first + 16 * place, text_anchor="middle")
        for place, line in enumerate(lines)
    )
    box = element("rect", x=x, y=y, width=NODE_WIDTH, height=NODE_HEIGHT, rx=6)
    done = f", {entry.solved} of {len(entry.rows)} problems solved" if entry.rows else ", no problem yet"
    label = f"{entry.skill.title}{done}"
    return element(
        "a", box + words, href=f"#skill-{entry.skill.id}", class_=f"map-node map-{entry.state}", aria_label=label
    )


def _broken(title: str) -> list[str]:
    """A title in lines that fit its box: as few as do, and about equally long."""
    words = title.split()
    most = 1 if len(title) <= LINE_LENGTH else 3
    for count in range(1, most + 1):
        splits = [_cut(words, cuts) for cuts in combinations(range(1, len(words)), count - 1)]
        best = min(splits, key=lambda lines: max(map(len, lines)), default=[title])
        if max(map(len, best)) <= LINE_LENGTH:
            return best
    return best


def _cut(words: list[str], cuts: tuple[int, ...]) -> list[str]:
    return [" ".join(words[start:end]) for start, end in pairwise((0, *cuts, len(words)))]
