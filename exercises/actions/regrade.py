"""Marking again what was marked before: a new row where something is different, and a list of what changed."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from uuid import UUID

from django.db import transaction
from django.db.models import Max, QuerySet

from exercises.actions.claim import BATCH
from exercises.actions.evidence import keep_evidence
from exercises.actions.mark import MarkBatch, mark_submissions
from exercises.actions.record import grading_of
from exercises.actions.scores import hold_attempts, keep_scores
from exercises.actions.wake import wake_worker
from exercises.models import Grading, ProblemVersion, Submission
from exercises.models.submission import NEVER_CLAIMED, REMOVED_ANSWERS
from grader.marking import mark_batch
from grader.verdict import Verdict

log = logging.getLogger(__name__)

#: Changes listed one by one; beyond that they are only counted.
MOST_LISTED = 200


@dataclass(frozen=True)
class Change:
    """One submission whose verdict is another than before."""

    submission: UUID
    before: Fraction
    after: Fraction


@dataclass
class Regraded:
    """What a regrade came to, or would come to.

    ``unexplained`` are verdicts that differ though answer, problem version and grader are the same: the grader is at
    fault, so they are reported and not stored. ``failed`` could not be marked this time and keep what they have.
    """

    looked_at: int = 0
    unchanged: int = 0
    changed: int = 0
    unexplained: int = 0
    failed: int = 0
    changes: list[Change] = field(default_factory=list)


def regrade(
    submissions: QuerySet[Submission],
    *,
    version: ProblemVersion | None = None,
    is_preview: bool = False,
    mark: MarkBatch = mark_batch,
) -> Regraded:
    """Mark the graded ones among ``submissions`` again, by ``version`` or each by its own, in batches of flat memory.

    Old rows stay, the latest wins, for evidence, mastery and scores as well. Nothing is written where verdict, grader
    and version are what they were, nor with ``is_preview``. A failure never takes a verdict away.
    """
    report = Regraded()
    for batch in _batches(submissions.filter(state=Submission.State.GRADED).exclude(answers=REMOVED_ANSWERS)):
        latest = _latest(batch)
        marked = mark_submissions(batch, version=version, mark=mark)
        report.looked_at += len(batch)
        report.failed += len(marked.failures)
        new = [
            grading_of(row, verdict, version=version or row.variant.key_version, reason=Grading.Reason.REGRADE)
            for row, verdict in marked.verdicts
            if _is_news(report, row, latest[row.pk], verdict, version or row.variant.key_version)
        ]
        if new and not is_preview:
            _add(new, latest)
    return report


def requeue(submissions: QuerySet[Submission]) -> int:
    """Put the ungradable ones among ``submissions`` back into the queue, as if never tried; how many they were."""
    count = submissions.filter(state=Submission.State.UNGRADABLE).update(
        state=Submission.State.PENDING, claimed_until=NEVER_CLAIMED, lease_token=None, tries=0, failure=""
    )
    if count:
        transaction.on_commit(wake_worker, robust=True)
    return count


def _batches(submissions: QuerySet[Submission]) -> Iterator[list[Submission]]:
    rows = submissions.select_related("variant__version", "variant__marked_by", "variant__problem").order_by("pk")
    last = 0
    while batch := list(rows.filter(pk__gt=last)[:BATCH]):
        yield batch
        last = batch[-1].pk


def _latest(batch: list[Submission]) -> dict[int, Grading]:
    gradings = Grading.objects.filter(submission__in=[row.pk for row in batch]).order_by("pk")
    return {grading.submission_id: grading for grading in gradings}


def _is_news(report: Regraded, row: Submission, before: Grading, verdict: Verdict, version: ProblemVersion) -> bool:
    """Count the verdict in the report; whether it is to be stored."""
    has_same_makers = before.grader_version == verdict.version and before.version_id == version.pk
    # The version of the grader stands in the verdict too, and alone is no change to the learner.
    if {**verdict.to_json(), "version": ""} == {**before.verdict, "version": ""}:
        report.unchanged += 1
        return not has_same_makers
    if len(report.changes) < MOST_LISTED:
        report.changes.append(Change(row.public_id, before.score, verdict.score))
    if has_same_makers:
        report.unexplained += 1
        log.error("Submission %s is marked differently by the same grader.", row.public_id)
        return False
    report.changed += 1
    return True


def _add(new: list[Grading], latest: dict[int, Grading]) -> None:
    """Store the new rows, except where another regrade was faster, and keep what they show of the learners."""
    ids = sorted(grading.submission_id for grading in new)
    with transaction.atomic():
        locked = Submission.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
        list(locked.values_list("pk", flat=True))
        newest = dict(
            Grading.objects.filter(submission__in=ids).values_list("submission").annotate(newest=Max("pk")).order_by()
        )
        added = [grading for grading in new if newest[grading.submission_id] == latest[grading.submission_id].pk]
        Grading.objects.bulk_create(added)
        keep_scores(hold_attempts(grading.submission.variant.attempt_item_id for grading in added))
        keep_evidence(grading.submission.variant for grading in added)
