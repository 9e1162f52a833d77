"""What the class view shows: rows of its tables, with only what the counts can bear."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from exercises import catalogue
from exercises.courses.statistics import SMALL
from exercises.mastery.states import Level
from exercises.models import Course, Enrolment, Figures
from exercises.queries.statistics import HeatRow, Stuck
from frontend.levels import DUE, WORDS, due_icon, level_icon

ORDER = (Level.MASTERED, Level.PROFICIENT, Level.LEARNING, Level.NOT_STARTED)


@dataclass(frozen=True)
class Part:
    """One part of a bar of 100: where it begins, how long it is, and the class of its colour."""

    x: float
    width: float
    level: str


@dataclass(frozen=True)
class LevelRow:
    """One skill: how many stand at each level, in words, and as the parts of a bar."""

    title: str
    counts: tuple[str, ...]
    due: str
    stuck: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class MistakeRow:
    """One named mistake: how common it is, with its interval in percent."""

    note: str
    title: str
    says: str
    likely: int
    learners: int
    made: int
    share: str
    interval: str
    width: float


@dataclass(frozen=True)
class HeatLine:
    """One learner at every skill, as the cells of a table."""

    head: SafeString
    cells: SafeString


def level_rows(figures: Figures | None, *, with_small: bool) -> list[LevelRow]:
    """A row a skill, in the order of the map."""
    data: Mapping[str, Any] = figures.figures if figures else {}
    levels: Mapping[str, Mapping[str, int]] = data.get("levels", {})
    return [
        _level_row(skill.title, levels[skill.id], data, skill.id, with_small=with_small)
        for skill in catalogue.skills()
        if skill.id in levels
    ]


def _level_row(
    title: str, counts: Mapping[str, int], data: Mapping[str, Any], skill: str, *, with_small: bool
) -> LevelRow:
    whole = sum(counts.values())
    x, parts = 0.0, []
    numbers = [counts.get(str(level), 0) for level in ORDER]
    # Where a few cannot be told, the bar would tell them.
    is_told = with_small or not any(0 < number < SMALL for number in numbers)
    for level, number in zip(ORDER, numbers, strict=True):
        if number and is_told:
            width = 100 * number / whole
            parts.append(Part(round(x, 3), round(width, 3), str(level)))
            x += width
    return LevelRow(
        title=title,
        counts=tuple(_count(number, with_small=with_small) for number in numbers),
        due=_count(data.get("due", {}).get(skill, 0), with_small=with_small),
        stuck=_count(data.get("stuck", {}).get(skill, 0), with_small=with_small),
        parts=tuple(parts),
    )


def mistake_rows(figures: Figures | None, *, with_small: bool) -> list[MistakeRow]:
    """The most common mistakes; of those that few learners make, nothing for who may not read their work."""
    rows: Iterable[Mapping[str, Any]] = figures.figures.get("mistakes", []) if figures else []
    return [
        MistakeRow(
            note=row["note"],
            title=row["title"],
            says=row["says"],
            likely=row["likely"],
            learners=row["learners"],
            made=row["made"],
            share=f"{100 * row['likely'] / row['learners']:.0f} %" if row["learners"] else "–",
            interval=f"{100 * row['low']:.0f} to {100 * row['high']:.0f} %" if row["learners"] else "",
            width=round(100 * row["likely"] / row["learners"], 2) if row["learners"] else 0.0,
        )
        for row in rows
        if with_small or row["likely"] >= SMALL
    ]


def heat_rows(course: Course, rows: Iterable[HeatRow]) -> list[HeatLine]:
    """The heat map, line by line: put together by hand, since a page has a thousand cells."""
    skills = [skill.id for skill in catalogue.skills()]
    # An address worked out once, and not for each of them.
    before, _, after = reverse("frontend:member", args=[course.public_id, 0]).rpartition("0")
    lines = []
    for row in rows:
        name = row.enrolment.name or row.enrolment.user.get_username()
        head = format_html('<th scope="row"><a href="{}">{}</a></th>', f"{before}{row.enrolment.pk}{after}", name)
        held = (row.standings[skill] for skill in skills)
        cells = "".join(_heat_cell(one.level, one.is_due) for one in held)
        lines.append(HeatLine(head, mark_safe(cells)))  # noqa: S308 - each is safe
    return lines


def stuck_rows(rows: Iterable[Stuck]) -> list[tuple[Enrolment, str, int]]:
    """Who is stuck: the person, the title of the skill, and how many failures run."""
    titles = {skill.id: skill.title for skill in catalogue.skills()}
    return [(row.enrolment, titles.get(row.skill, row.skill), row.failures) for row in rows]


@cache
def _heat_cell(level: Level, is_due: bool) -> SafeString:
    """One learner at one skill; kept, since there are only so many."""
    words = WORDS[level] + (f", {DUE.lower()}" if is_due else "")
    return format_html(
        '<td class="heat-cell heat-{}" title="{}">{}{}<span class="visually-hidden">{}</span></td>',
        level, words, level_icon(level), due_icon() if is_due else "", words,
    )  # fmt: skip


def _count(number: int, *, with_small: bool) -> str:
    return str(number) if with_small or not 0 < number < SMALL else f"under {SMALL}"
