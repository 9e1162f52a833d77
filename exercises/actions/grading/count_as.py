"""What an attempt counts as handed in at, where somebody who teaches says so: an upload for a learner, a power cut."""

import datetime as dt

from django.db import transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.grading.moves import Moves, dry_run
from exercises.actions.grading.refusals import GradeRefused, checked_reason
from exercises.actions.lms.outbox import want_attempts
from exercises.actions.scores import keep_scores
from exercises.course_rules import zone_of
from exercises.courses.wording import moment_in_words
from exercises.models import Attempt, Enrolment, User
from exercises.queries.decided import Supposed


def count_attempt_as(*, actor: User, attempt: Attempt, at: dt.datetime | None, reason: str) -> Attempt:
    """Let an attempt count as handed in at ``at``; None lets the real time count again. Late days and score follow.

    The real time stays in ``handed_in_at``. Twice is once. ``attempt`` comes with set, course and learner. One
    transaction, with its entry in the audit trail. Raises GradeRefused.
    """
    said = checked_reason(reason)
    with transaction.atomic():
        row = Attempt.objects.select_for_update(no_key=True).get(pk=attempt.pk)
        _check(row, at)
        if row.count_as_at != at:
            before = row.count_as_at
            row.count_as_at = at
            row.save(update_fields=["count_as_at"])
            _noted(attempt, actor, before, at, said)
            keep_scores(row.items.order_by("pk").values_list("pk", flat=True))
            # Platforms are told the time, too.
            want_attempts([row.pk])
    return row


def preview_count_as(attempt: Attempt, at: dt.datetime | None) -> Moves:
    """What it would come to. Nothing is written or locked. Raises GradeRefused."""
    _check(attempt, at)
    own = Enrolment.objects.filter(course=attempt.problem_set.course_id, user=attempt.learner_id)
    return dry_run(attempt.problem_set, own, Supposed(counted_as={attempt.pk: at}))


def _check(attempt: Attempt, at: dt.datetime | None) -> None:
    if attempt.handed_in_at is None:
        raise GradeRefused("This attempt is not handed in yet: give an extension instead, which applies at once.")
    if at is None:
        return
    if at < attempt.began_at:
        raise GradeRefused("That is before the attempt began: choose a later moment.", "at")
    if at > clock.now():
        raise GradeRefused("That is still to come: choose a moment that has passed.", "at")


def _noted(attempt: Attempt, actor: User, before: dt.datetime | None, after: dt.datetime | None, reason: str) -> None:
    problem_set = attempt.problem_set
    zone = zone_of(problem_set.course)
    noted(
        course=problem_set.course,
        actor=actor,
        deed="count-as",
        about=f"{attempt.learner.get_username()}: {problem_set.title}, attempt {attempt.number}",
        problem_set=problem_set,
        learner=attempt.learner,
        before=moment_in_words(before or attempt.handed_in_at or attempt.began_at, zone),
        after=moment_in_words(after, zone) if after else "the real time",
        reason=reason,
    )
