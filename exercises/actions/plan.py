"""What a learner sets for themselves."""

import datetime as dt

from django.db import transaction

from exercises.actions.cards.aside import reschedule_cards
from exercises.actions.cards.turn_lock import lock_learner
from exercises.mastery.graph import needs
from exercises.mastery.study_day import zone_of
from exercises.models import StudyPlan, User
from exercises.queries import own_plan_of, study_day_of
from exercises.refusals import PlanRefused

#: New cards a day that anybody may want.
MOST_NEW_CARDS = 200
#: The farthest exam.
MOST_DAYS_AHEAD = 730


def set_study_plan(
    *, learner: User, time_zone: str, exam_on: dt.date | None, goal: str, new_cards_a_day: int
) -> StudyPlan:
    """Keep the learner's plan: their IANA time zone, an exam or None, the skill they aim at or "" for the whole map,
    and how many new cards they want a day.

    Nothing that was recorded changes by it; study days were written down as they were. With the exam the days on which
    cards are due move. Raises PlanRefused, whose ``field`` names the argument that will not do.
    """
    # EST, CET and their like are old abbreviations, some of them without summer time: a place is meant.
    if zone_of(time_zone) is None or ("/" not in time_zone and time_zone != "UTC"):
        raise PlanRefused("Choose a time zone from the list, such as Europe/Berlin.", "time_zone")
    if goal and goal not in needs():
        raise PlanRefused("Choose a skill of the map as your goal, or none for all of them.", "goal")
    if not 0 <= new_cards_a_day <= MOST_NEW_CARDS:
        raise PlanRefused(f"Choose between 0 and {MOST_NEW_CARDS} new cards a day.", "new_cards_a_day")
    with transaction.atomic():
        # Two requests at once: the second must see which exam the first left behind.
        lock_learner(learner)
        plan = own_plan_of(learner)
        is_moved = exam_on != plan.exam_on
        plan.time_zone, plan.goal, plan.new_cards_a_day = time_zone, goal, new_cards_a_day
        # One that was set before may lie in the past: it is over, and keeps its place until another is set.
        if exam_on is not None and is_moved:
            _refuse_exam(exam_on, today=study_day_of(plan))
        plan.exam_on = exam_on
        plan.save()
        if is_moved:
            reschedule_cards(learner=learner)
    return plan


def _refuse_exam(exam_on: dt.date, *, today: dt.date) -> None:
    if exam_on < today:
        raise PlanRefused("That day is over. Choose a day to come, or none.", "exam_on")
    if exam_on > today + dt.timedelta(days=MOST_DAYS_AHEAD):
        raise PlanRefused("That is more than two years ahead: set it when it is nearer.", "exam_on")
