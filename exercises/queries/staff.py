"""What those who teach or run the service need to see."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Min
from django.utils import timezone

from exercises.models import FaultReport, Submission

MOST_ROWS = 100


@dataclass(frozen=True)
class QueueState:
    """How many answers wait for their verdict, and for how long the oldest of them has."""

    waiting: int
    oldest: dt.timedelta


def queue_state() -> QueueState:
    """The state of the queue of pending rows. One query."""
    queue = Submission.objects.filter(claimed_until__isnull=False)
    found = queue.aggregate(waiting=Count("pk"), since=Min("created_at"))
    oldest = timezone.now() - found["since"] if found["since"] else dt.timedelta()
    return QueueState(waiting=found["waiting"], oldest=oldest)


def ungradable(*, limit: int = MOST_ROWS) -> list[Submission]:
    """The submissions that were given up, newest first, with the reason in ``failure``. One query."""
    rows = Submission.objects.filter(state=Submission.State.UNGRADABLE)
    return list(rows.select_related("variant__problem", "variant__version", "author").order_by("-pk")[:limit])


def fault_reports(*, limit: int = MOST_ROWS) -> list[FaultReport]:
    """What learners reported, newest first, with all they saw. One query."""
    rows = FaultReport.objects.select_related("variant__problem", "version", "submission", "grading", "learner")
    return list(rows.order_by("-pk")[:limit])
