"""A learner's progress as the pages show it: what ``queries.standings`` says, in words and small pictures.

Nothing in here decides anything: levels, days and labels come from the one selector.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString

from exercises import catalogue
from exercises.catalogue import Skill
from exercises.mastery.constants import CONSTANTS
from exercises.mastery.levels import Standing
from exercises.mastery.states import Level
from frontend.charts import interval_strip
from frontend.days import due_words
from frontend.levels import WORDS, level_icon, standing_words


@dataclass(frozen=True)
class SkillLine:
    """One skill in a table. ``history``: level, highest ever and review due as one phrase. Empty words: not known."""

    skill: Skill
    standing: Standing
    address: str
    level: str
    icon: SafeString
    history: str
    chance: str
    band: str
    strip: SafeString
    retention: str
    due: str

    @property
    def is_due(self) -> bool:
        """Whether a review is due."""
        return self.standing.is_due


@dataclass(frozen=True)
class LevelCount:
    """How many skills are at a level."""

    level: Level
    word: str
    icon: SafeString
    count: int


def skill_address(skill: Skill) -> str:
    """Where the page of a skill is."""
    return reverse("frontend:skill", args=[skill.id])


def skill_line(skill: Skill, standing: Standing, *, today: dt.date, time_zone: str) -> SkillLine:
    """A skill's line; of one that was never tried no chance is claimed."""
    is_known = standing.level is not Level.NOT_STARTED
    return SkillLine(
        skill=skill,
        standing=standing,
        address=skill_address(skill),
        level=WORDS[standing.level],
        icon=level_icon(standing.level),
        history=standing_words(standing, today=today, time_zone=time_zone),
        chance=percent(standing.chance) if is_known else "",
        band=f"{percent(standing.low)} to {percent(standing.high)}" if is_known else "",
        strip=interval_strip(standing.chance, standing.low, standing.high, goal=CONSTANTS.typical_success)
        if is_known
        else SafeString(),
        retention=percent(standing.retention) if standing.retention is not None else "",
        due=_due(standing, today),
    )


def skill_lines(
    standings: Mapping[str, Standing], *, today: dt.date, time_zone: str, only: Iterable[str] | None = None
) -> list[SkillLine]:
    """All skills in the order of the map, or those named."""
    wanted = None if only is None else set(only)
    return [
        skill_line(skill, standings[skill.id], today=today, time_zone=time_zone)
        for skill in catalogue.skills()
        if wanted is None or skill.id in wanted
    ]


def level_counts(standings: Mapping[str, Standing]) -> list[LevelCount]:
    """How many skills are at each level, the highest first."""
    levels = [standing.level for standing in standings.values()]
    return [LevelCount(level, WORDS[level], level_icon(level), levels.count(level)) for level in reversed(Level)]


def due_lines(lines: Sequence[SkillLine]) -> list[SkillLine]:
    """Those whose review is due, the most forgotten first."""
    return sorted((line for line in lines if line.is_due), key=lambda line: line.standing.retention or 0.0)


def percent(share: float) -> str:
    """A share in whole percent. What is not quite certain is never called so: 1 and 99 are the ends."""
    whole = round(share * 100)
    return f"{min(max(whole, 1), 99) if 0 < share < 1 else whole}%"


def _due(standing: Standing, today: dt.date) -> str:
    if standing.is_due:
        return "now"
    return due_words(standing.due_on, today=today) if standing.due_on else ""
