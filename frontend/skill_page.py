"""The page of one skill: its history as a chart, its neighbours on the map, and what trains it."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exercises import catalogue, clock, queries
from exercises.catalogue import Skill
from exercises.figures import Drawing
from exercises.mastery.ability import chance
from exercises.mastery.constants import CONSTANTS
from exercises.mastery.levels import Standing
from exercises.mastery.states import Level
from exercises.mastery.study_day import zone_of
from exercises.models import User
from exercises.queries import Point
from exercises.queries.mastery import MOST_POINTS
from frontend.charts import Check, LegendMark, Moment, history_legend, skill_history
from frontend.levels import WORDS
from frontend.progress import skill_line, skill_lines


@dataclass(frozen=True)
class HistoryChart:
    """The picture, and what its marks say."""

    drawing: Drawing
    legend: list[LegendMark]


def skill_context(learner: User, skill: Skill) -> dict[str, Any]:
    """What the page shows."""
    plan = queries.plan_of(learner)
    today = queries.study_day_of(plan)
    standings = queries.standings([learner])[learner.pk]
    opens = [other.id for other in catalogue.skills() if skill.id in other.needs]

    def lines(ids: Sequence[str]) -> Any:
        return skill_lines(standings, today=today, time_zone=plan.time_zone, only=ids)

    return {
        "skill": skill,
        "line": skill_line(skill, standings[skill.id], today=today, time_zone=plan.time_zone),
        "chart": history_chart(queries.history_of(learner, skill.id), standings[skill.id], plan.time_zone),
        "needs": lines(skill.needs),
        "helps": lines(skill.helps),
        "opens": lines(opens),
        "decks": queries.decks_about(learner, skill.id),
        "rows": [row for row in queries.problem_list(learner) if skill.id in row.skills],
    }


def history_chart(points: Sequence[Point], standing: Standing, time_zone: str) -> HistoryChart | None:
    """The chart of a skill from its trajectory, in the learner's own time; None before the first step."""
    if not points:
        return None
    zone = zone_of(time_zone) or dt.UTC
    now = Moment(clock.now().astimezone(zone), standing.chance, standing.low, standing.high)
    moments = _moments(points, standing.skill, zone)
    return HistoryChart(skill_history(moments, now, goal=CONSTANTS.typical_success), history_legend(moments, now))


def _moments(points: Sequence[Point], skill: str, zone: dt.tzinfo) -> list[Moment]:
    moments = []
    # Of a long history the beginning is not there, and its first level is no change.
    before = Level.NOT_STARTED if len(points) < MOST_POINTS else points[0].state.level
    for point in points:
        row, state = point.row, point.state
        middle, low, high = chance(state.mean, state.variance)
        moments.append(
            Moment(
                at=row.closed_at.astimezone(zone),
                chance=middle,
                low=low,
                high=high,
                what=f"{point.title}, {row.step}",
                reached=WORDS[state.level] if state.level is not before else "",
                check=_check(before, state.level) if row.is_check and row.skill == skill else None,
            )
        )
        before = state.level
    return moments


def _check(before: Level, after: Level) -> Check:
    """What a step of a check did, by the levels around it: the rules for that are the fold's alone."""
    if before is after or Level.MASTERED not in (before, after):
        return "other"
    return "passed" if after is Level.MASTERED else "failed"
