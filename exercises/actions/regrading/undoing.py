"""Undoing a regrade: the verdicts before it are added again, and everything follows them back."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import QuerySet

from exercises.actions.mark import mark_submissions
from exercises.actions.record import grading_of
from exercises.actions.regrading.comparing import latest_gradings
from exercises.actions.regrading.fit import Fit
from exercises.actions.regrading.keeping import hold, keep_up, mark_by
from exercises.actions.regrading.lease import State, advance
from exercises.actions.regrading.scope import covers, sets_of, variants_of
from exercises.actions.regrading.stragglers import marked_since
from exercises.models import Grading, ProblemVersion, RegradeChange, RegradeEvent, Submission, Variant


class Versions:
    """By which version each variant was marked before a regrade: that of the latest one still applied, or its own."""

    def __init__(self, event: RegradeEvent) -> None:
        """One query."""
        others = RegradeEvent.objects.select_related("version").filter(
            course=event.course_id, problem=event.problem_id, state=State.APPLIED, applied_at__lt=event.applied_at
        )
        self._event = event
        self._earlier = [(one, Fit(one.version)) for one in others.exclude(pk=event.pk).order_by("-applied_at")]

    def grouped(self, variants: Iterable[Variant]) -> list[tuple[ProblemVersion | None, list[Variant]]]:
        """The variants that this regrade has taken, by the version they go back to. A constant number of queries."""
        taken = [one for one in variants if one.marked_by_id == self._event.version_id]
        sets = sets_of(taken) if self._earlier and taken else {}
        found: dict[int | None, list[Variant]] = defaultdict(list)
        versions: dict[int | None, ProblemVersion | None] = {None: None}
        for _, fit in self._earlier:
            fit.learn(taken)
            versions[fit.version.pk] = fit.version
        for one in taken:
            fitting = (
                event.version_id for event, fit in self._earlier if covers(event, sets[one.pk]) and not fit.misfit(one)
            )
            found[next(fitting, None)].append(one)
        return [(versions[pk], group) for pk, group in found.items()]


class Undoing:
    """The way back: the verdicts before the event added again, and every variant by the version before."""

    ends_as = State.UNDONE

    def __init__(self, event: RegradeEvent) -> None:
        """One query."""
        self.event = event
        self._back = Versions(event)

    def take(self, rows: Sequence[Submission], *, reached: int, is_again: bool) -> None:
        """Take the verdicts of the regrade back, where they still count."""
        done = self.event.done if is_again else self.event.done + len(rows)
        _undo_rows(self.event, self._back, rows, reached=reached, done=done)

    def unanswered(self) -> QuerySet[Variant]:
        """Those that the version of the event marks. No query."""
        return variants_of(self.event).filter(marked_by=self.event.version_id)

    def take_unanswered(self, variants: Sequence[Variant], *, reached: int) -> None:
        """What will be sent on them is marked by the version before."""
        with transaction.atomic():
            for version, group in self._back.grouped(variants):
                mark_by(group, version)
            advance(self.event, reached=reached)

    def late(self) -> QuerySet[Grading]:
        """What was marked by the version of the regrade while this went on. No query."""
        since = marked_since(self.event, self.event.undone_at or self.event.created_at)
        return since.filter(version=self.event.version_id)


def _undo_rows(event: RegradeEvent, back: Versions, rows: Sequence[Submission], *, reached: int, done: int) -> None:
    """Take the verdicts of the regrade back, where they still count, in one transaction with how far the event is."""
    ids = [row.pk for row in rows]
    variants = {row.variant_id: row.variant for row in rows}
    with transaction.atomic():
        locked = Submission.objects.select_for_update(no_key=True, of=("self",)).filter(pk__any_of=ids).order_by("pk")
        list(locked.values_list("pk", flat=True))
        latest = latest_gradings(rows)
        known = _applied(event, ids)
        hold(variants.values())
        explained = [one for version, group in back.grouped(variants.values()) for one in mark_by(group, version)]
        undone = [_before(event, one) for pk, one in known.items() if _is_given_by(event, one, latest[pk])]
        skipped = len(known) - len(undone) - sum(_is_undone(event, latest[pk]) for pk in known)
        undone += _marked_again(event, [row for row in rows if row.pk not in known], latest, variants)
        Grading.objects.bulk_create(undone)
        judged = {grading.submission_id for grading in undone}
        keep_up([variants[pk] for pk in {row.variant_id for row in rows if row.pk in judged}], explained)
        advance(event, reached=reached, done=done, skipped=event.skipped + skipped)


def _applied(event: RegradeEvent, ids: Sequence[int]) -> dict[int, RegradeChange]:
    """What the regrade changed among these submissions, with the verdict before. One query."""
    changes = RegradeChange.objects.select_related("before").filter(event=event, submission__any_of=ids)
    return {change.submission_id: change for change in changes.filter(grading__isnull=False)}


def _is_given_by(event: RegradeEvent, change: RegradeChange, counting: Grading) -> bool:
    """Whether the verdict that counts is that of this regrade, also where undoing a later one brought it back."""
    if counting.pk == change.grading_id:
        return True
    is_brought_back = counting.reason == Grading.Reason.UNDO and counting.event_id != event.pk
    return is_brought_back and counting.version_id == event.version_id and counting.verdict == change.after


def _is_undone(event: RegradeEvent, counting: Grading) -> bool:
    return counting.reason == Grading.Reason.UNDO and counting.event_id == event.pk


def _before(event: RegradeEvent, change: RegradeChange) -> Grading:
    """The verdict before the regrade, once more."""
    return Grading(
        submission_id=change.submission_id,
        verdict=change.before.verdict,
        score_numerator=change.before.score_numerator,
        score_denominator=change.before.score_denominator,
        grader_version=change.before.grader_version,
        version_id=change.before.version_id,
        reason=Grading.Reason.UNDO,
        event=event,
    )


def _marked_again(
    event: RegradeEvent, rows: Sequence[Submission], latest: dict[int, Grading], variants: dict[int, Variant]
) -> list[Grading]:
    """Answers that were sent after the regrade and so met no other version than its: marked by the one that counts
    again."""
    by_version: dict[int, list[Submission]] = defaultdict(list)
    for row in rows:
        grading, variant = latest[row.pk], variants[row.variant_id]
        counts = variant.marked_by_id or variant.version_id
        if grading.reason == Grading.Reason.FIRST and grading.version_id == event.version_id != counts:
            by_version[counts].append(row)
    versions = ProblemVersion.objects.in_bulk(by_version) if by_version else {}
    found = []
    for pk, group in by_version.items():
        for row, verdict in mark_submissions(group, version=versions[pk]).verdicts:
            made = grading_of(row, verdict, version=versions[pk], reason=Grading.Reason.UNDO)
            made.event = event
            found.append(made)
    return found
