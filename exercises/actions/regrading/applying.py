"""Applying a regrade: a new verdict beside the old one where it is another, batch by batch, each in one transaction."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from exercises.actions.regrading.comparing import Compared, News, compared, found_before
from exercises.actions.regrading.dry_run import tally, write_changes
from exercises.actions.regrading.fit import Fit
from exercises.actions.regrading.keeping import hold, keep_up, mark_by
from exercises.actions.regrading.lease import State, advance
from exercises.actions.regrading.scope import variants_of
from exercises.actions.regrading.stragglers import marked_since
from exercises.bulk import added
from exercises.models import Grading, RegradeEvent, Submission, Variant

#: How often an answer is looked at again that something else judged meanwhile, before it is left to that.
MOST_LOOKS = 3
REGRADE = Grading.Reason.REGRADE


class Applying:
    """The way there: every answer marked by the version of the event, and every variant from then on."""

    ends_as = State.APPLIED

    def __init__(self, event: RegradeEvent, fit: Fit) -> None:
        self.event = event
        self._fit = fit

    def take(self, rows: Sequence[Submission], *, reached: int, is_again: bool) -> None:
        """Mark them anew and keep what is different."""
        apply_rows(self.event, self._fit, rows, reached=reached, is_again=is_again)

    def unanswered(self) -> QuerySet[Variant]:
        """Those that the version does not mark yet. No query."""
        return variants_of(self.event).exclude(marked_by=self.event.version_id)

    def take_unanswered(self, variants: Sequence[Variant], *, reached: int) -> None:
        """What will be sent on them is marked by the new version."""
        self._fit.learn(variants)
        # Those with an answer that could not be marked stay with it.
        answered = set(
            Submission.objects.filter(variant__any_of=[one.pk for one in variants], state=Submission.State.GRADED)
            .order_by()
            .values_list("variant_id", flat=True)
        )
        fitting = [one for one in variants if one.pk not in answered and not self._fit.misfit(one)]
        with transaction.atomic():
            mark_by(fitting, self.event.version)
            advance(self.event, reached=reached)

    def late(self) -> QuerySet[Grading]:
        """What was marked by an older version while this went on. No query."""
        since = marked_since(self.event, self.event.applied_at or self.event.created_at)
        return since.exclude(version=self.event.version_id)


def apply_rows(
    event: RegradeEvent, fit: Fit, rows: Sequence[Submission], *, reached: int, is_again: bool = False
) -> None:
    """Mark these answers anew and keep what is different, in one transaction, with how far the event is; ``is_again``
    of some that it has been at before.

    Where something else judged an answer between the marking and the lock, it is marked against that and looked at
    again; where that goes on, the other verdict stays.
    """
    left = list(rows)
    for look in range(MOST_LOOKS):
        found = compared(event, fit, left, known=found_before(event, left))
        with transaction.atomic():
            overtaken = _overtaken(found.written)
            is_last = not overtaken or look == MOST_LOOKS - 1
            kept = [row for row in left if row.pk not in overtaken]
            _keep(event, found, kept)
            counts = _counts(event, kept, _without(found, overtaken), is_again=is_again)
            if is_last:
                counts |= {"skipped": event.skipped + len(overtaken), "done": counts["done"] + len(overtaken)}
                counts["reached"] = reached
            advance(event, **counts)
        if is_last:
            return
        left = [row for row in left if row.pk in overtaken]


def _counts(event: RegradeEvent, rows: list[Submission], found: Compared, *, is_again: bool) -> dict[str, Any]:
    """The counts of the event with these rows added; of rows that may have been counted, what became of them now."""
    counts = tally(event, rows, found)
    if is_again:
        counts |= {"done": event.done + len(found.news), "failed": event.failed, "reasons": event.reasons}
    return counts


def _overtaken(written: Sequence[News]) -> set[int]:
    """Lock the submissions; those whose verdict is not the one they were compared with any more. Two queries."""
    ids = [one.submission.pk for one in written]
    if not ids:
        return set()
    locked = Submission.objects.select_for_update(no_key=True, of=("self",)).filter(pk__any_of=ids).order_by("pk")
    list(locked.values_list("pk", flat=True))
    gradings = Grading.objects.filter(submission__any_of=ids).order_by()
    newest = dict(gradings.values_list("submission").annotate(newest=Max("pk")))
    return {one.submission.pk for one in written if newest[one.submission.pk] != one.before.pk}


def _without(found: Compared, overtaken: set[int]) -> Compared:
    return Compared(
        [one for one in found.news if one.submission.pk not in overtaken],
        [(row, said) for row, said in found.failures if row.pk not in overtaken],
    )


def _keep(event: RegradeEvent, found: Compared, rows: Sequence[Submission]) -> None:
    """Write the verdicts of those rows, and let everything follow."""
    kept = {row.pk for row in rows}
    news = [one for one in found.news if one.submission.pk in kept]
    written = [one for one in news if not one.is_kept]
    hold(row.variant for row in rows)
    write_changes(event, news, _write_gradings(event, written))
    failed = found.failed_variants
    fitting = {row.variant_id: row.variant for row in rows if row.variant_id not in failed}
    explained = mark_by(fitting.values(), event.version)
    judged = {one.submission.variant_id: one.submission.variant for one in written}
    verdicts = [(one.submission, one.after) for one in written]
    keep_up(list(judged.values()), explained, verdicts=verdicts, version=event.version)


def _write_gradings(event: RegradeEvent, written: Sequence[News]) -> dict[int, int]:
    """Add the new verdicts; the keys of their rows, by submission. One query on PostgreSQL."""
    now = timezone.now()
    return added(
        Grading,
        [
            {
                "submission_id": one.submission.pk,
                "verdict": one.after,
                "score_numerator": one.score.numerator,
                "score_denominator": one.score.denominator,
                "grader_version": one.after["version"],
                "version_id": event.version_id,
                "reason": REGRADE.value,
                "event_id": event.pk,
                "created_at": now,
            }
            for one in written
        ],
        by="submission_id",
    )
