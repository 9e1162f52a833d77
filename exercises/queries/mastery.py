"""Where learners stand, how they came there, and when they studied. Every page and the API read these."""

import datetime as dt
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from django.db.models import Count

from exercises import catalogue, clock
from exercises.mastery.fold import trajectory
from exercises.mastery.graph import needs, speaking_about
from exercises.mastery.levels import Standing, standing
from exercises.mastery.states import NOTHING, ClosedStep, SkillState
from exercises.mastery.study_day import study_day
from exercises.models import Evidence, Mastery, StudyPlan, User, Variant
from exercises.queries.plans import plans_of
from exercises.stored import CLOSED_COLUMNS, STATE_COLUMNS, closed_step, state_of, that_count

#: How far back the calendar goes.
CALENDAR = dt.timedelta(weeks=26)
#: Points of a chart: the latest ones.
MOST_POINTS = 500


@dataclass(frozen=True)
class Point:
    """One step that moved a skill, the learner's own or one that builds on it, and the state after it. Beside it where
    it was met: the problem, and the variant's public id."""

    row: ClosedStep
    state: SkillState
    slug: str
    title: str
    variant: uuid.UUID


def standings(learners: Iterable[User]) -> dict[int, dict[str, Standing]]:
    """Where each of these learners stands now at every skill of the map, by primary key and skill. Two queries.

    The one selector: whatever shows a level, a chance or what is due reads it here.
    """
    pks = [learner.pk for learner in learners]
    plans = plans_of(pks)
    states: dict[int, dict[str, SkillState]] = {pk: {} for pk in pks}
    rows = Mastery.objects.filter(learner__in=pks)
    for learner, skill, *values in rows.values_list("learner_id", "skill", *STATE_COLUMNS):
        states[learner][skill] = state_of(values)
    now = clock.now()
    return {pk: _standings_of(pk, states[pk], plans[pk], now) for pk in pks}


def _standings_of(
    learner: int, states: dict[str, SkillState], plan: StudyPlan, now: dt.datetime
) -> dict[str, Standing]:
    today = study_day(now, plan.time_zone)

    def held(skill: str) -> Standing:
        state = states.get(skill)
        if state is None:
            return _untouched(skill)
        return standing(skill, state, now=now, today=today, key=f"{learner} {skill}", exam_on=plan.exam_on)

    return {skill.id: held(skill.id) for skill in catalogue.skills()}


@cache
def _untouched(skill: str) -> Standing:
    """The standing at a skill of whoever has shown nothing at it: the same for everybody, whenever it is."""
    now = clock.now()
    return standing(skill, NOTHING, now=now, today=now.date(), key=skill)


def study_day_of(plan: StudyPlan) -> dt.date:
    """The present study day of the learner whose plan it is: from 04:00 on where they are. No query."""
    return study_day(clock.now(), plan.time_zone)


def history_of(learner: User, skill: str, *, limit: int = MOST_POINTS) -> list[Point]:
    """How the learner came where they stand at a skill: its latest points, in order, of which the last is the state in
    the table. Two queries: bare rows of all their evidence that reaches the skill, then where the latest were met. A
    tenth to a fifth of a second for ten thousand rows, most of it for the fold. Raises KeyError for a skill there is
    none of.
    """
    if skill not in needs():
        raise KeyError(skill)
    rows = that_count(Evidence.objects.filter(learner=learner, skill__in=speaking_about((skill,)), w__gt=0))
    steps = map(closed_step, rows.order_by().values_list(*CLOSED_COLUMNS))
    passed = trajectory(skill, steps, needs())[-limit:]
    variants = Variant.objects.filter(pk__in={row.variant for row, _ in passed}).order_by()
    found = variants.values_list("pk", "problem__slug", "problem__title", "public_id")
    met = {pk: (slug, title, variant) for pk, slug, title, variant in found}
    return [Point(row, state, *met[row.variant]) for row, state in passed]


def calendar(learner: User) -> dict[dt.date, int]:
    """How many steps the learner closed on each study day of the last half year; days without any are left out. One
    query."""
    since = (clock.now() - CALENDAR).date()
    rows = that_count(Evidence.objects.filter(learner=learner, study_day__gte=since))
    rows = rows.exclude(reason=Evidence.Reason.VOID).order_by("study_day")
    return dict(rows.values("study_day").annotate(steps=Count("pk")).values_list("study_day", "steps"))
