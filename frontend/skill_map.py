"""The skill map: every skill with its problems as a list, and the picture of what builds on what."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from exercises.catalogue import Skill
from exercises.queries import ProblemRow
from frontend.figures.canvas import element
from frontend.map_lines import COLUMN, NODE_HEIGHT, NODE_WIDTH, ROW, corner, lines, path

LINE_LENGTH = 17
#: What a box looks like in each state, and what that means. The mark at its corner tells without colours.
STATES = {
    "solved": "all its problems solved",
    "begun": "begun",
    "new": "not begun",
    "none": "no problem of its own",
}
MARKS = {"solved": "M-4 .3l2.8 2.8L4-3", "begun": "M0-4.5a4.5 4.5 0 0 1 0 9Z"}


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
    """The entries in the order of the map, prerequisites first, and the picture that links to them.

    ``legend``: a small box and words for each state that occurs.
    """

    entries: tuple[SkillEntry, ...]
    picture: SafeString
    legend: tuple[tuple[SafeString, str], ...]


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
    picture = mark_safe(_picture(entries))  # noqa: S308
    occurring = {entry.state for entry in entries}
    return SkillMap(entries, picture, tuple((_sample(state), STATES[state]) for state in STATES if state in occurring))


def _picture(entries: Sequence[SkillEntry]) -> str:
    width = COLUMN * (1 + max((entry.skill.column for entry in entries), default=0))
    height = ROW * max((entry.skill.row for entry in entries), default=0) + NODE_HEIGHT + 18
    pairs = [(need, entry.skill) for entry in entries for need in entry.needs]
    drawn = "".join(map(path, lines(pairs, {(entry.skill.row, entry.skill.column) for entry in entries})))
    nodes = "".join(_node(entry) for entry in entries)
    return element(
        "svg",
        element("g", drawn, class_="map-lines", aria_hidden="true") + nodes,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        class_="map-picture",
        role="group",
        aria_label="Skills, each below what it builds on",
    )


def _sample(state: str) -> SafeString:
    """A box of the legend."""
    box = element("rect", x=1, y=8, width=34, height=18, rx=4)
    inside = element("g", box + _mark(state, 34, 10), class_=f"map-node map-{state}")
    svg = element("svg", inside, viewBox="0 0 44 28", width=44, height=28, aria_hidden="true", focusable="false")
    return mark_safe(svg)  # noqa: S308 - no text in it


def _mark(state: str, x: float, y: float) -> str:
    """A tick or a half moon in a ring; nothing for what was not begun."""
    if state not in MARKS:
        return ""
    ring = element("circle", r=8) + element("path", d=MARKS[state])
    return element("g", ring, class_=f"map-mark map-mark-{state}", transform=f"translate({x:.0f} {y:.0f})")


def _node(entry: SkillEntry) -> str:
    x, y = corner(entry.skill)
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
    mark = _mark(entry.state, x + NODE_WIDTH - 5, y + 2)
    return element(
        "a", box + words + mark, href=f"#skill-{entry.skill.id}", class_=f"map-node map-{entry.state}", aria_label=label
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
