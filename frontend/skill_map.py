"""The skill map: every skill with its problems as a list, and the picture of what builds on what."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from exercises.catalogue import Skill
from exercises.figures.canvas import element
from exercises.mastery.levels import Standing
from exercises.mastery.states import Level
from exercises.queries import ProblemRow
from frontend.levels import DUE, DUE_MEANING, MEANINGS, WORDS, due_mark, level_mark
from frontend.map_lines import COLUMN, NODE_HEIGHT, NODE_WIDTH, ROW, corner, lines, path

LINE_LENGTH = 17


@dataclass(frozen=True)
class SkillEntry:
    """One skill of the list: where its learner stands, and its problems, of which ``solved`` are done."""

    skill: Skill
    standing: Standing
    rows: tuple[ProblemRow, ...]
    needs: tuple[Skill, ...]
    helps: tuple[Skill, ...]

    @property
    def solved(self) -> int:
        """How many of its problems have a latest variant with everything right."""
        return sum(row.state == "solved" for row in self.rows)

    @property
    def level(self) -> Level:
        """The level that is held now."""
        return self.standing.level


@dataclass(frozen=True)
class SkillMap:
    """The entries in the order of the map, prerequisites first, and the picture that links to them.

    ``legend``: a small box, what it is called and what that means.
    """

    entries: tuple[SkillEntry, ...]
    picture: SafeString
    legend: tuple[tuple[SafeString, str, str], ...]


def skill_map_picture(
    skills: Sequence[tuple[Skill, Sequence[ProblemRow]]],
    standings: Mapping[str, Standing],
    *,
    address: Callable[[Skill], str],
) -> SkillMap:
    """The map from ``queries.skill_map`` and a learner's ``standings``; each box leads to its ``address``. No query."""
    by_id = {skill.id: skill for skill, _ in skills}
    entries = tuple(
        SkillEntry(
            skill,
            standings[skill.id],
            tuple(rows),
            tuple(by_id[need] for need in skill.needs),
            tuple(by_id[helper] for helper in skill.helps),
        )
        for skill, rows in skills
    )
    # Titles come from the catalogue and are escaped where they are drawn.
    picture = mark_safe(_picture(entries, address))  # noqa: S308
    legend = [(_sample(level, is_due=False), WORDS[level], MEANINGS[level]) for level in Level]
    legend.append((_sample(None, is_due=True), DUE, DUE_MEANING))
    return SkillMap(entries, picture, tuple(legend))


def _picture(entries: Sequence[SkillEntry], address: Callable[[Skill], str]) -> str:
    width = COLUMN * (1 + max((entry.skill.column for entry in entries), default=0))
    height = ROW * max((entry.skill.row for entry in entries), default=0) + NODE_HEIGHT + 18
    pairs = [(need, entry.skill) for entry in entries for need in entry.needs]
    drawn = "".join(map(path, lines(pairs, {(entry.skill.row, entry.skill.column) for entry in entries})))
    nodes = "".join(_node(entry, address(entry.skill)) for entry in entries)
    return element(
        "svg",
        element("g", drawn, class_="map-lines", aria_hidden="true") + nodes,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        class_="map-picture",
        role="group",
        aria_label="Skills, each below what it builds on",
    )


def _sample(level: Level | None, *, is_due: bool) -> SafeString:
    """A box of the legend: of a level, or of any where a review is due."""
    inside = element("rect", x=4, y=8, width=34, height=18, rx=4)
    inside += level_mark(level, 38, 10) if level else ""
    inside += due_mark(8, 10) if is_due else ""
    group = element("g", inside, class_=f"map-node map-{level or 'any'}")
    svg = element("svg", group, viewBox="-2 0 50 28", width=50, height=28, aria_hidden="true", focusable="false")
    return mark_safe(svg)  # noqa: S308 - no text in it


def _node(entry: SkillEntry, address: str) -> str:
    """The box of a skill: its level at the right upper corner, a review that is due at the left one."""
    x, y = corner(entry.skill)
    lines = _broken(entry.skill.title)
    middle = x + NODE_WIDTH / 2
    first = y + NODE_HEIGHT / 2 + 5 - (len(lines) - 1) * 8
    words = "".join(
        element("text", escape(line), x=middle, y=first + 16 * place, text_anchor="middle")
        for place, line in enumerate(lines)
    )
    box = element("rect", x=x, y=y, width=NODE_WIDTH, height=NODE_HEIGHT, rx=6)
    marks = level_mark(entry.level, x + NODE_WIDTH - 5, y + 2)
    marks += due_mark(x + 5, y + 2) if entry.standing.is_due else ""
    return element(
        "a", box + words + marks, href=address, class_=f"map-node map-{entry.level}", aria_label=_heard(entry)
    )


def _heard(entry: SkillEntry) -> str:
    """What a screen reader says of a box."""
    said = f"{entry.skill.title}, {WORDS[entry.level].lower()}"
    said += f", {DUE.lower()}" if entry.standing.is_due else ""
    return f"{said}, {entry.solved} of {len(entry.rows)} problems solved" if entry.rows else f"{said}, no problem yet"


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
