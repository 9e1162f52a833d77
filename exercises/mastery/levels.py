"""What a kept state means now: the standing that every page and the API read."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exercises.mastery import ability
from exercises.mastery.constants import CONSTANTS
from exercises.mastery.retention import due_on, retained, retrievability
from exercises.mastery.states import Level, SkillState

DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a learner stands at one skill at one moment.

    ``level``, ``highest`` (the highest level ever, reached at ``highest_at``) and ``is_due`` are three facts, kept
    apart. ``since`` is when the present level was reached. ``retention`` is the chance that the skill is still
    remembered, and ``due_on`` the study day of its next review, never after today where one is due; both are None where
    it is not held as proficient or mastered, for then nothing is reviewed, it is learnt. ``chance`` with its band
    ``low`` to ``high`` is the success to expect at a typical step; ``surplus`` by how many standard deviations the
    estimate (``mean`` and ``variance``, worn by idle time until now) lies above the line of proficiency. ``steps``
    counts closed steps, ``failures`` the failed ones running.
    """

    skill: str
    level: Level
    is_due: bool
    highest: Level
    highest_at: dt.datetime | None
    since: dt.datetime | None
    retention: float | None
    due_on: dt.date | None
    chance: float
    low: float
    high: float
    surplus: float
    mean: float
    variance: float
    steps: int
    failures: int
    last_at: dt.datetime | None


def standing(
    skill: str, state: SkillState, *, now: dt.datetime, today: dt.date, key: str, exam_on: dt.date | None = None
) -> Standing:
    """The standing at ``now``, which lies in the learner's study day ``today``.

    A review is due at a skill held as proficient or mastered once retrievability is under 0.9 or its day has come;
    ``key`` names learner and skill, and spreads those days. An exam that is over moves nothing any more.
    """
    mean, variance = idle_until(state, now, today)
    middle, low, high = ability.chance(mean, variance)
    memory, retention, due, is_due = state.memory, None, None, False
    if memory is not None and state.level.rank >= Level.PROFICIENT.rank:
        ahead = exam_on if exam_on is not None and exam_on >= today else None
        retention = retrievability(memory, on=today)
        due = due_on(memory, key=key, exam_on=ahead)
        is_due = retention < CONSTANTS.retention or due <= today
        due = min(due, today) if is_due else due
    return Standing(
        skill=skill,
        level=state.level,
        is_due=is_due,
        highest=state.highest,
        highest_at=state.highest_at,
        since=state.since,
        retention=retention,
        due_on=due,
        chance=middle,
        low=low,
        high=high,
        surplus=ability.surplus(mean, variance),
        mean=mean,
        variance=variance,
        steps=state.steps,
        failures=state.failures,
        last_at=state.last_at,
    )


def idle_until(state: SkillState, moment: dt.datetime, study_day: dt.date) -> tuple[float, float]:
    """(mean, variance) at a moment after the last evidence, which lies in the learner's ``study_day``.

    Retrievability counts from the review's study day on; what had faded by the last evidence was charged then, so only
    what faded since is charged now.
    """
    if state.last_at is None:
        return state.mean, state.variance
    days = (moment - state.last_at) / DAY
    if days < 1:
        return state.mean, state.variance
    kept = 1.0
    if state.memory is not None:
        age = float(max((study_day - state.memory.reviewed_on).days, 0))
        before = max(age - days, 0.0)
        kept = retained(state.memory, days=age) / retained(state.memory, days=before)
    return ability.idled(state.mean, state.variance, days=days, retained=kept)


def is_unlocked(skill: str, standings: Mapping[str, Standing], needs: Mapping[str, Sequence[str]]) -> bool:
    """Whether every hard prerequisite in ``needs`` is held well enough to attempt the skill."""
    return all(name in standings and _carries(standings[name]) for name in needs.get(skill, ()))


def _carries(held: Standing) -> bool:
    return held.surplus >= 0 or held.level.rank >= Level.PROFICIENT.rank
