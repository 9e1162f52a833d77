"""Learners without a database: standings as one wants them, and somebody who really learns."""

import datetime as dt
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import exp

from exercises import catalogue
from exercises.mastery.choosing import Item, item_of, to_refresh, unlocked
from exercises.mastery.constants import CONSTANTS
from exercises.mastery.evidence import strength
from exercises.mastery.fold import advanced, effects
from exercises.mastery.graph import needs
from exercises.mastery.levels import Standing, standing
from exercises.mastery.scaffold import asked, steps_of
from exercises.mastery.states import NOTHING, ClosedStep, Level, SkillState
from exercises.mastery.study_day import study_day
from grader.problem import Problem, load

NOW = dt.datetime(2026, 11, 29, 12, tzinfo=dt.UTC)
TODAY = NOW.date()

_SURPLUS = {Level.NOT_STARTED: -2.5, Level.LEARNING: -1.0, Level.PROFICIENT: 1.2, Level.MASTERED: 1.8}


def held(skill: str, level: Level = Level.NOT_STARTED, **changed: object) -> Standing:
    """A standing as somebody at this level typically has it, ``changed`` in some fields."""
    is_known = level.rank >= Level.PROFICIENT.rank
    usual: dict[str, object] = {
        "skill": skill,
        "level": level,
        "is_due": False,
        "highest": level,
        "highest_at": None,
        "since": NOW - dt.timedelta(days=3) if level != Level.NOT_STARTED else None,
        "retention": 0.95 if is_known else None,
        "due_on": TODAY + dt.timedelta(days=4) if is_known else None,
        "chance": 0.8,
        "low": 0.6,
        "high": 0.9,
        "surplus": _SURPLUS[level],
        "mean": CONSTANTS.start_mean if level == Level.NOT_STARTED else 1.0,
        "variance": 1.0 if level == Level.NOT_STARTED else 0.6,
        "steps": 0 if level == Level.NOT_STARTED else 8,
        "failures": 0,
        "last_at": None if level == Level.NOT_STARTED else NOW - dt.timedelta(days=1),
    }
    return Standing(**(usual | changed))  # type: ignore[arg-type]


def class_of(levels: Mapping[str, Level | Standing], skills: Sequence[catalogue.Skill]) -> dict[str, Standing]:
    """A standing for every skill: not started where nothing is said of it."""
    found = {}
    for skill in skills:
        said = levels.get(skill.id, Level.NOT_STARTED)
        found[skill.id] = said if isinstance(said, Standing) else held(skill.id, said)
    return found


@cache
def problems() -> dict[str, Problem]:
    """The built-in problems by slug."""
    return {slug: load(catalogue.source(slug)) for slug in catalogue.slugs()}


@cache
def built_in() -> tuple[Item, ...]:
    """The built-in problems as the chooser sees them."""
    return tuple(item_of(slug, problem) for slug, problem in problems().items())


@dataclass
class Learner:
    """Somebody who learns by doing: each step of a skill makes the next one likelier to come out right.

    ``talent`` is the true ability at the start, ``growth`` what a step adds, both in logits.
    """

    seed: int = 0
    talent: float = -0.4
    growth: float = 0.35
    best: float = 3.5
    now: dt.datetime = NOW
    exam_on: dt.date | None = None
    states: dict[str, SkillState] = field(default_factory=dict)
    ability: dict[str, float] = field(default_factory=dict)
    recent: list[tuple[str, str]] = field(default_factory=list)
    variants: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    @property
    def today(self) -> dt.date:
        return study_day(self.now, "Europe/Berlin")

    def standings(self) -> dict[str, Standing]:
        return {
            skill.id: standing(
                skill.id,
                self.states.get(skill.id, NOTHING),
                now=self.now,
                today=self.today,
                key=f"{self.seed} {skill.id}",
                exam_on=self.exam_on,
            )
            for skill in catalogue.skills()
        }

    def asked(self, slug: str, skill: str, *, check: bool = False) -> list[str]:
        """The steps that a draw for this skill would ask of this learner."""
        standings = self.standings()
        steps = steps_of(problems()[slug])
        names = asked(
            steps,
            {skill: one.level for skill, one in standings.items()},
            ready=unlocked(standings, needs()) | {skill},
            keep=to_refresh(standings, needs()) | {skill},
            check=check,
        )
        return [step.name for step in steps] if names is None else names

    def work(
        self, slug: str, skill: str, *, check: bool = False, is_right: Callable[[str], bool] | None = None
    ) -> list[str]:
        """Answer every step that is asked, half a minute each; the skills that were asked for."""
        self.variants += 1
        self.recent.insert(0, (slug, skill))
        names = self.asked(slug, skill, check=check)
        skills = []
        for step in steps_of(problems()[slug]):
            if step.name in names:
                self.now += dt.timedelta(seconds=30)
                self._close(step.name, step.skill, 0.5 if step.is_optional else 1.0, check, is_right)
                skills.append(step.skill)
        return skills

    def _close(self, step: str, skill: str, w: float, check: bool, is_right: Callable[[str], bool] | None) -> None:
        true = self.ability.get(skill, self.talent)
        right = is_right(skill) if is_right else self.chance.random() < 1 / (1 + exp(-true))
        self.ability[skill] = min(self.best, true + self.growth)
        row = ClosedStep(
            skill=skill, variant=self.variants, step=step, revision=0, submission=self.variants, closed_at=self.now,
            study_day=self.today, e=strength(1.0 if right else 0.0, tries=1, hints=0, is_revealed=False), w=w, b=0.0,
            g=0.0, tries=1, hints=0, is_check=check,
        )  # fmt: skip
        for reached, is_own in effects(row, needs()):
            self.states[reached] = advanced(self.states.get(reached, NOTHING), row, is_own=is_own)

    def is_done(self) -> bool:
        """Whether everything is mastered and nothing is due."""
        return all(one.level == Level.MASTERED and not one.is_due for one in self.standings().values())
