"""On which days a learner studied, and for how many running."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from exercises import queries
from exercises.mastery.study_day import streak
from exercises.models import User
from frontend.charts.calendar import StudyDay


@dataclass(frozen=True)
class StudyDays:
    """What was done on each study day, and ``running``: how many days in a row up to today or yesterday."""

    done: Mapping[dt.date, StudyDay]
    running: int


def study_days(learner: User, *, today: dt.date) -> StudyDays:
    """Steps and cards, each on the study day that was stored with it. Two queries."""
    steps, cards = queries.calendar(learner), queries.card_days(learner)
    done = {day: StudyDay(steps.get(day, 0), cards.get(day, 0)) for day in {*steps, *cards}}
    return StudyDays(done, streak([day for day, what in done.items() if what.count], today))
