"""How the service stands: what waits for workers, for how long, and what they gave up."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, Min, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Least

from exercises import clock
from exercises.models import (
    Attempt,
    Context,
    Delivery,
    Event,
    Job,
    LineItem,
    LmsScore,
    Registration,
    RegradeEvent,
    Submission,
    Webhook,
)

#: The latest answers that ``latest_waits`` looks at.
LATEST = 1000
#: Seconds after which a queue is late: what `docs/alerts.yml` warns of. Other systems may be away for a while.
LATE: Mapping[str, float] = {
    "answers": 30, "attempts": 60, "events": 60, "deliveries": 3600, "scores": 3600, "rosters": 3600, "columns": 3600,
    "regrades": 7200, "jobs": 600,
}  # fmt: skip


@dataclass(frozen=True)
class Backlog:
    """Rows that wait for a worker, and how long the one that waits longest has."""

    name: str
    rows: int
    seconds: float

    @property
    def is_late(self) -> bool:
        """Whether somebody should look."""
        return self.seconds > LATE[self.name]


def backlogs() -> list[Backlog]:
    """What waits, by queue. A query each, of indexes that hold only what waits, but for regrades, which are few."""
    now = clock.now()
    overdue = Attempt.objects.filter(handed_in_at__isnull=True, ends_at__isnull=False, ends_at__lt=now)
    # What a platform that was switched off is owed waits for nobody, nor what has no column there any more.
    is_on = Registration.State.ACTIVE
    rosters = Context.objects.filter(sync_due_at__lte=now, deployment__registration__state=is_on).exclude(course=None)
    columns = LineItem.objects.filter(due_at__lte=now, context__deployment__registration__state=is_on)
    scores = LmsScore.objects.filter(
        due_at__isnull=False, line_item__state__in=(LineItem.State.WANTED, LineItem.State.ACTIVE),
        line_item__context__deployment__registration__state=is_on,
    )  # fmt: skip
    return [
        _waiting("answers", Submission.objects.filter(claimed_until__isnull=False), "created_at", now),
        _waiting("attempts", overdue, "ends_at", now),
        _waiting("events", Event.objects.filter(position=None), "at", now),
        _waiting("deliveries", _deliveries(), "event__at", now),
        _waiting("scores", scores, _owed("due_at", "line_item__context__deployment"), now),
        _waiting("rosters", rosters, _owed("sync_due_at", "deployment"), now),
        _waiting("columns", columns, _owed("due_at", "context__deployment"), now),
        _waiting("regrades", RegradeEvent.objects.filter(state__in=RegradeEvent.WORKING), "created_at", now),
        _waiting("jobs", Job.objects.filter(finished_at=None), "created_at", now),
    ]


def _deliveries() -> QuerySet[Delivery]:
    return Delivery.objects.filter(due_at__isnull=False, webhook__state=Webhook.State.ACTIVE)


def _owed(due: str, deployment: str) -> Combinable:
    """Since when a platform is owed something: each try moves ``due`` ahead, so that where it fails it is since
    then."""
    return Least(Coalesce(F(f"{deployment}__registration__failing_since"), F(due)), F(due))


def _waiting(name: str, rows: QuerySet[Any], since: str | Combinable, now: dt.datetime) -> Backlog:
    told = rows.order_by().aggregate(rows=Count("pk"), first=Min(since))
    age = (now - told["first"]).total_seconds() if told["first"] else 0.0
    return Backlog(name, told["rows"], max(0.0, age))


@dataclass(frozen=True)
class GivenUp:
    """What workers gave up, so that a person has to look."""

    answers: int
    webhooks: int
    regrades: int


def given_up() -> GivenUp:
    """How much that is, in all. Three queries."""
    return GivenUp(
        answers=Submission.objects.filter(state=Submission.State.UNGRADABLE).count(),
        webhooks=Webhook.objects.filter(state=Webhook.State.DISABLED).count(),
        regrades=RegradeEvent.objects.filter(state=RegradeEvent.State.FAILED).count(),
    )


def stopped_scores() -> int:
    """How many scores stopped on their way to a learning platform. One query, of an index that holds only those."""
    return LmsScore.objects.filter(state=LmsScore.State.FAILED).count()


@dataclass(frozen=True)
class Waits:
    """How long the latest answers waited for their verdicts, in seconds, and since when they were sent."""

    answers: int
    median: float
    p95: float
    since: dt.datetime | None


def latest_waits() -> Waits:
    """Of the latest answers of the last day that were marked. Two queries, of a thousand rows at most, however many
    there are."""
    newest = Submission.objects.order_by().aggregate(last=Max("pk"))["last"] or 0
    since = clock.now() - dt.timedelta(days=1)
    rows = Submission.objects.filter(pk__gt=newest - LATEST, created_at__gt=since, graded_at__isnull=False).order_by()
    found = list(rows.annotate(wait=F("graded_at") - F("created_at")).values_list("wait", "created_at"))
    if not found:
        return Waits(0, 0.0, 0.0, None)
    waits = sorted(max(0.0, wait.total_seconds()) for wait, _ in found)
    first = min(created for _, created in found)
    return Waits(len(waits), waits[len(waits) // 2], waits[int(0.95 * (len(waits) - 1))], first)
