"""How learners study: what they set for themselves, and the exams of their courses, which their reviews lead up to."""

import datetime as dt
from collections.abc import Iterable

from django.db.models import F, FilteredRelation, Q

from exercises import clock
from exercises.courses.rights import Right, roles_with
from exercises.mastery.study_day import study_day
from exercises.models import StudyPlan, User


def own_plan_of(learner: User) -> StudyPlan:
    """What the learner set for themselves, to be changed; an unsaved row with the defaults if they set nothing. One
    query."""
    return StudyPlan.objects.filter(learner=learner).first() or StudyPlan(learner=learner)


def plan_of(learner: User) -> StudyPlan:
    """What the learner's days go by, never to be saved: ``plans_of`` for one. One query."""
    return plans_of([learner.pk])[learner.pk]


def plans_of(learners: Iterable[int]) -> dict[int, StudyPlan]:
    """What the days of these learners go by, by primary key: their own plans, or the defaults; never to be saved. One
    query.

    Who has no exam to come of their own has that of their courses: the next one of those in which they learn now and
    that go on; where all are over the last one, so that no day of a card moves by an exam that passes.
    """
    plans = {pk: StudyPlan(learner_id=pk) for pk in learners}
    exams: dict[int, list[dt.date]] = {pk: [] for pk in plans}
    learnt = Q(enrolments__dropped_at=None, enrolments__role__in=roles_with(Right.SIT))
    rows = (
        User.objects.filter(pk__in=list(plans))
        .select_related("study_plan")
        .annotate(learnt=FilteredRelation("enrolments", condition=learnt))
        .annotate(exam_on=F("learnt__course__exam_on"), put_away=F("learnt__course__archived_at"))
    )
    for user in rows:
        if hasattr(user, "study_plan"):
            plans[user.pk] = user.study_plan
        if user.exam_on is not None and user.put_away is None:
            exams[user.pk].append(user.exam_on)
    now = clock.now()
    for pk, plan in plans.items():
        today = study_day(now, plan.time_zone)
        if plan.exam_on is None or plan.exam_on < today:
            over = plan.exam_on or max(exams[pk], default=None)
            plan.exam_on = min((day for day in exams[pk] if day >= today), default=over)
    return plans
