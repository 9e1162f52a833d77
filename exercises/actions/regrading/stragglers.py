"""Answers that were on their way while a regrade went by: marked by the version that counted when they were taken."""

import datetime as dt
from collections.abc import Sequence

from django.db.models import QuerySet

from exercises.actions.leases import let_go, moment
from exercises.actions.regrading.lease import advance
from exercises.actions.regrading.scope import submissions_of
from exercises.bulk import read
from exercises.models import Grading, RegradeEvent, Submission, Variant

#: Submissions that are looked at together.
BATCH = 1000
#: ``reached`` goes up with the answers, from -1 down with the variants that have none, and from here down with what
#: was marked meanwhile.
BEHIND_ALL = -(2**62)
#: How long what is being marked just now is waited for.
REST = dt.timedelta(seconds=3)
#: All that marking reads: to read the rest of a row takes as long again.
TO_MARK = ("id", "variant_id", "answers", "checked", "locale"), ("id", "version_id", "parameters", "asked")
#: And all that is needed for what follows from a verdict.
TO_FOLLOW = (
    (*TO_MARK[0], "public_id", "created_at"),
    (
        *TO_MARK[1], "public_id", "learner_id", "problem_id", "number", "scaffolded_at", "is_check", "attempt_item_id",
        "marked_by_id", "revealed_at",
    ),
)  # fmt: skip
Columns = tuple[tuple[str, ...], tuple[str, ...]]


def next_graded(event: RegradeEvent, *, columns: Columns = TO_FOLLOW) -> list[Submission]:
    """The next graded submissions in the order of their keys, with their variants. Two queries, and one to count them
    all before the first."""
    graded = submissions_of(event).filter(state=Submission.State.GRADED)
    if not event.reached and not event.total:
        advance(event, total=graded.count())
    return _with_variants(graded.filter(pk__gt=event.reached), columns)


def next_variants(event: RegradeEvent, variants: QuerySet[Variant]) -> list[Variant]:
    """The next of these variants, in the order of their keys. One query."""
    return list(variants.filter(pk__gt=-event.reached - 1)[:BATCH])


def waits_for_marking(event: RegradeEvent) -> bool:
    """Whether some answer is being marked just now, by a version that was read before; then the event is let go for a
    moment. Two queries at most."""
    being_marked = submissions_of(event).filter(
        state=Submission.State.PENDING, lease_token__isnull=False, claimed_until__gt=moment()
    )
    if not being_marked.exists():
        return False
    let_go(event, rest=REST)
    return True


def marked_since(event: RegradeEvent, moment: dt.datetime) -> QuerySet[Grading]:
    """The first verdicts on answers of the event since a moment. No query."""
    first = Grading.objects.filter(reason=Grading.Reason.FIRST, created_at__gte=moment)
    return first.filter(submission__in=submissions_of(event).order_by())


def next_late(event: RegradeEvent, gradings: QuerySet[Grading]) -> list[Submission]:
    """The next submissions of these verdicts with their variants, in the order of their keys. Two queries."""
    rest = gradings.filter(submission__gt=BEHIND_ALL - event.reached).order_by()
    return _with_variants(Submission.objects.filter(pk__in=rest.values("submission")).order_by("pk"), TO_FOLLOW)


def is_late(event: RegradeEvent) -> bool:
    """Whether the event has come to what was marked meanwhile."""
    return event.reached <= BEHIND_ALL


def reached_late(rows: Sequence[Submission]) -> int:
    """How far an event is behind these late ones."""
    return BEHIND_ALL - rows[-1].pk


def _with_variants(submissions: QuerySet[Submission], columns: Columns) -> list[Submission]:
    """The first of these; those on one variant share its object, which then is read and checked once. Two queries."""
    found = read(submissions[:BATCH], columns[0])
    variants = Variant.objects.filter(pk__any_of={row.variant_id for row in found}).order_by()
    by_pk = {variant.pk: variant for variant in read(variants, columns[1])}
    for row in found:
        row.variant = by_pk[row.variant_id]
    return found
