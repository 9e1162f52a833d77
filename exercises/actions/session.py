"""The daily session: put together once for each study day, and begun one exercise after the other."""

import datetime as dt

from django.db import transaction
from django.http import Http404

from exercises import catalogue, clock
from exercises.actions.draw import Way, draw_variant
from exercises.mastery.composing import Planned, compose
from exercises.mastery.study_day import study_day
from exercises.models import DailySession, Problem, SessionItem, StudyPlan, User, Variant
from exercises.queries import plan_of, standings, study_day_of
from exercises.queries.next_choice import items, worked_on
from exercises.queries.session import is_gone
from exercises.refusals import Refused


def compose_session(*, learner: User) -> DailySession:
    """The learner's session of the present study day: the one there is, or one put together now from what is due, what
    is new, and a mixed check. Two requests at once give one session."""
    now, plan = clock.now(), plan_of(learner)
    # Once for all that follows: what is composed for one day must not be kept as another's.
    today = study_day(now, plan.time_zone)
    found = DailySession.objects.filter(learner=learner, study_day=today).first()
    if found is not None:
        return found
    planned = _planned(learner, plan, now, today)
    problems = dict(Problem.objects.filter(slug__in=[one.slug for one in planned]).values_list("slug", "pk"))
    with transaction.atomic():
        session, is_new = DailySession.objects.get_or_create(learner=learner, study_day=today)
        if is_new:
            SessionItem.objects.bulk_create(
                SessionItem(
                    session=session,
                    position=position,
                    kind=one.kind.value,
                    skill=one.skill,
                    problem_id=problems[one.slug],
                    reason=one.reason,
                )
                for position, one in enumerate(planned, start=1)
            )
    return session


def begin_item(*, learner: User, position: int, day: dt.date | None = None, seed: int | None = None) -> Variant:
    """The variant of an exercise of today's session, drawn when it is asked for first: later calls, and two at once,
    give the same one. ``day`` is the study day whose session was looked at; ``seed`` makes the drawing repeatable.

    Raises Http404 where today's session has no such exercise, Refused where ``day`` is over or its problem was taken
    out of the catalogue since and was not begun before, and whatever ``draw_variant`` raises.
    """
    today = study_day_of(plan_of(learner))
    if day is not None and day != today:
        raise Refused(
            "That session belongs to another day: a new one has begun for you since. Go to Today, put its session "
            "together and go on there. What you did before counts."
        )
    with transaction.atomic():
        # The variant is not joined: whoever waited for the lock would be given what was joined before.
        rows = SessionItem.objects.select_for_update(no_key=True, of=("self",)).select_related("problem")
        item = rows.filter(session__learner=learner, session__study_day=today, position=position).first()
        if item is None:
            raise Http404("Today's session has no such exercise.")
        if item.variant is None:
            if is_gone(item):
                raise Refused(
                    f"“{item.problem.title}” was taken out of the exercises after this session was put together. "
                    "Go on with the next one: nothing is missing in your session without it."
                )
            item.variant = _drawn(learner, item, seed)
            item.save(update_fields=["variant"])
        return item.variant


def _planned(learner: User, plan: StudyPlan, now: dt.datetime, today: dt.date) -> list[Planned]:
    held = standings([learner])[learner.pk]
    return compose(
        items(),
        held,
        catalogue.skills(),
        now=now,
        today=today,
        goal=plan.goal or None,
        recent=worked_on(learner, held),
        exam_on=plan.exam_on,
    )


def _drawn(learner: User, item: SessionItem, seed: int | None) -> Variant:
    way = Way.CHECK if item.kind == SessionItem.Kind.CHECK else Way.RECOMMENDED
    drawn = draw_variant(learner=learner, slug=item.problem.slug, seed=seed, way=way, skill=item.skill)
    # One that waits unbegun may belong to the session of another day.
    if SessionItem.objects.filter(variant=drawn).exists():
        drawn = draw_variant(learner=learner, slug=item.problem.slug, seed=seed, way=way, skill=item.skill, after=drawn)
    return drawn
