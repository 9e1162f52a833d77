"""The dry run: every submission marked by the new version, and what is different written down. No verdict changes."""

from typing import Any

from django.db import transaction

from exercises.actions.regrading.comparing import Compared, News, compared, counted
from exercises.actions.regrading.fit import Fit
from exercises.actions.regrading.lease import State, advance
from exercises.actions.regrading.moves import write_moves
from exercises.actions.regrading.stragglers import TO_MARK, next_graded
from exercises.bulk import analyze, rewrite, write
from exercises.models import RegradeChange, RegradeEvent, Submission


def count_batch(event: RegradeEvent, fit: Fit) -> bool:
    """Look at the next submissions, then at the attempts that would move; whether there is more to do."""
    if event.reached < 0:
        return _next_moves(event)
    rows = next_graded(event, columns=TO_MARK)
    if not rows:
        analyze(RegradeChange, "event_id", "submission_id")
        advance(event, reached=-1)
        return True
    found = compared(event, fit, rows)
    with transaction.atomic():
        write(RegradeChange, [row_of(event, one) for one in found.news])
        advance(event, reached=rows[-1].pk, **tally(event, rows, found))
    return True


def tally(event: RegradeEvent, rows: list[Submission], found: Compared) -> dict[str, Any]:
    """The counts of the event with this batch added."""
    moved = [one.moved for one in found.written]
    return {
        "done": event.done + len(rows),
        "raised": event.raised + sum(by > 0 for by in moved),
        "lowered": event.lowered + sum(by < 0 for by in moved),
        "failed": event.failed + len(found.failures),
        "reasons": counted(event.reasons, found.failures),
    }


def row_of(event: RegradeEvent, one: News, grading: int | None = None) -> dict[str, Any]:
    """What is written down of something different, with the new verdict once it counts."""
    return {
        "event_id": event.pk,
        "submission_id": one.submission.pk,
        "before_id": one.before.pk,
        "after": one.after,
        "before_numerator": one.before.score_numerator,
        "before_denominator": one.before.score_denominator,
        "after_numerator": one.score.numerator,
        "after_denominator": one.score.denominator,
        "is_kept": one.is_kept,
        "grading_id": grading,
    }


def write_changes(event: RegradeEvent, news: list[News], gradings: dict[int, int]) -> None:
    """Write down what is different, over what stood there before; ``gradings`` are the new verdicts, by submission.

    Of what stands there already only what became of it is written. Two queries on PostgreSQL.
    """
    there = [one.change for one in news if one.change is not None]
    for change in there:
        change.grading_id = gradings.get(change.submission_id)
    rewrite(there, ("grading_id",))
    write(
        RegradeChange,
        [row_of(event, one, gradings.get(one.submission.pk)) for one in news if one.change is None],
        over=("event_id", "submission_id"),
    )


def _next_moves(event: RegradeEvent) -> bool:
    """``reached`` below zero says that every submission was looked at: then it counts attempts, from -1 down."""
    last = write_moves(event, after=-event.reached - 1)
    if last is not None:
        return True
    advance(event, reached=0, state=State.READY)
    return False
