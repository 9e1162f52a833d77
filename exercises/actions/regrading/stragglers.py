"""Answers that were on their way while a regrade went by: marked by the version that counted when they were taken."""

import datetime as dt
from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils import timezone

from exercises.actions.regrading.lease import advance, let_go
from exercises.actions.regrading.scope import submissions_of
from exercises.models import Grading, RegradeEvent, Submission

#: Submissions that are looked at together.
BATCH = 500
#: How long what is being marked just now is waited for.
REST = dt.timedelta(seconds=3)


def next_graded(event: RegradeEvent) -> list[Submission]:
    """The next graded submissions in the order of their keys, with their variants. One query, and one to count them
    all before the first."""
    graded = submissions_of(event).filter(state=Submission.State.GRADED)
    if not event.reached and not event.total:
        advance(event, total=graded.count())
    return list(graded.filter(pk__gt=event.reached).select_related("variant")[:BATCH])


def waits_for_marking(event: RegradeEvent) -> bool:
    """Whether some answer is being marked just now, by a version that was read before; then the event is let go for a
    moment. Two queries at most."""
    being_marked = submissions_of(event).filter(
        state=Submission.State.PENDING, lease_token__isnull=False, claimed_until__gt=timezone.now()
    )
    if not being_marked.exists():
        return False
    let_go(event, rest=REST)
    return True


def marked_since(event: RegradeEvent, moment: dt.datetime) -> QuerySet[Grading]:
    """The first verdicts on answers of the event since a moment. No query."""
    first = Grading.objects.filter(reason=Grading.Reason.FIRST, created_at__gte=moment)
    return first.filter(submission__in=submissions_of(event).order_by())


def batches_of(gradings: QuerySet[Grading]) -> Iterator[list[Submission]]:
    """The submissions of these verdicts with their variants, in the order of their keys. One query a batch."""
    rows = Submission.objects.filter(pk__in=gradings.order_by().values("submission")).select_related("variant")
    last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk")[:BATCH]):
        yield batch
        last = batch[-1].pk
