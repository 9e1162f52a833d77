"""The session of a learner's study day, and how far they are with it."""

import datetime as dt
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from exercises.loading import asked_in
from exercises.models import Evidence, SessionItem, User, Variant
from exercises.queries.mastery import study_day_of
from exercises.queries.plans import plan_of
from exercises.refusals import ProblemBroken
from exercises.stored import that_count

State = Literal["todo", "begun", "done", "gone"]


@dataclass(frozen=True)
class SessionRow:
    """One exercise of a session. It is done once every step it requires is closed, or its solution was shown; it is
    gone, and nobody's task any more, where its problem was taken out of the catalogue before it was begun."""

    position: int
    kind: str
    skill: str
    slug: str
    title: str
    reason: str
    state: State
    variant: uuid.UUID | None


@dataclass(frozen=True)
class SessionView:
    """A session, its exercises in order."""

    study_day: dt.date
    items: tuple[SessionRow, ...]


def session_of(learner: User, day: dt.date | None = None) -> SessionView | None:
    """The learner's session of a study day, today's if left out; None if none was composed. Four queries at most, one
    fewer with a day. One without any exercise says that there is nothing to do."""
    wanted = study_day_of(plan_of(learner)) if day is None else day
    session = learner.daily_sessions.filter(study_day=wanted).first()
    if session is None:
        return None
    rows = list(
        SessionItem.objects.filter(session=session).select_related("problem", "variant__version").order_by("position")
    )
    closed: dict[int, set[str]] = {}
    kept = that_count(Evidence.objects.filter(variant__in=[row.variant_id for row in rows if row.variant_id]))
    for variant, step in kept.exclude(reason=Evidence.Reason.VOID).values_list("variant_id", "step"):
        closed.setdefault(variant, set()).add(step)
    return SessionView(wanted, tuple(_row(row, closed) for row in rows))


def is_gone(item: SessionItem) -> bool:
    """Whether its problem was taken out of the catalogue before it was begun."""
    return item.variant_id is None and (item.problem.retired or item.problem.current_id is None)


def _row(item: SessionItem, closed: dict[int, set[str]]) -> SessionRow:
    variant = item.variant
    state: State = "gone" if is_gone(item) else "todo"
    if variant is not None:
        state = "done" if _is_done(variant, closed.get(variant.pk, set())) else "begun"
    return SessionRow(
        position=item.position,
        kind=item.kind,
        skill=item.skill,
        slug=item.problem.slug,
        title=item.problem.title,
        reason=item.reason,
        state=state,
        variant=variant.public_id if variant else None,
    )


def _is_done(variant: Variant, closed: Collection[str]) -> bool:
    if variant.is_closed:
        return True
    try:
        asked = asked_in(variant).asked
    except ProblemBroken:
        return True  # nobody can do more about it
    return all(step.name in closed for step in asked if step.skill and step.must_be_answered)
