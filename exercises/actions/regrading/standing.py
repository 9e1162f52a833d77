"""Whether a dry run that was made before still says what another one of the same would."""

from typing import Any

from django.db.models import Q

from exercises.actions.regrading.lease import State
from exercises.actions.regrading.scope import overlap, submissions_of
from exercises.models import RegradeEvent, Submission


def standing_dry_run(**about: Any) -> RegradeEvent | None:
    """The latest dry run with these fields that goes on, or that is done and nothing was judged since; None if there
    is none. Three queries at most, one of which counts the answers. Behind ``lock_course``."""
    rows = RegradeEvent.objects.filter(**about, state__in=(State.COUNTING, State.READY))
    found = rows.select_related("course", "problem", "problem_set", "version").order_by("-pk").first()
    if found is None or (found.state == State.READY and _is_overtaken(found)):
        return None
    return found


def _is_overtaken(event: RegradeEvent) -> bool:
    """Whether answers were marked since it was made, by another regrade or for the first time."""
    since = Q(applied_at__gte=event.created_at) | Q(undone_at__gte=event.created_at)
    others = RegradeEvent.objects.filter(since, course=event.course_id, problem=event.problem_id)
    if any(overlap(event, other) for other in others.exclude(pk=event.pk)):
        return True
    return submissions_of(event).filter(state=Submission.State.GRADED).count() != event.done
