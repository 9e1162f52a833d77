"""Publishing a set, taking it back, releasing its results and taking the release back."""

import logging

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError
from redis import RedisError

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.scores import keep_released, keep_some_released
from exercises.actions.sets.locking import has_begun, locked_set
from exercises.actions.sets.refusals import NotReady, SetRefused
from exercises.actions.sets.versions import ask_for_check
from exercises.models import Attempt, ProblemSet, User
from exercises.queries.set_obstacles import items_of, obstacles

log = logging.getLogger(__name__)

RELEASE_TASK = "exercises.tasks.keep_released_work"
#: With more attempts than this, what a release makes known is written by a worker.
MOST_AT_ONCE = 30
#: Seconds that a worker gives to it at a time: it also marks answers.
SLICE = 4


def publish_set(*, actor: User, problem_set: ProblemSet) -> ProblemSet:
    """Let learners see it. Does nothing for one that is published. Raises NotReady with every reason against it."""
    waiting: list[int] = []
    try:
        with transaction.atomic():
            row = locked_set(problem_set)
            if row.published_at is not None:
                return row
            items = [item for item in items_of(row) if not item.retired]
            waiting = [
                item.version.pk
                for item in items
                if item.version and item.version.adapted_from_id and item.version.report is None
            ]
            if reasons := obstacles(row, items):
                raise NotReady(reasons)
            row.published_at = clock.now()
            row.save(update_fields=["published_at"])
            noted(course=row.course, actor=actor, deed="publish-set", about=row.title, problem_set=row)
    finally:
        # A message may have been lost: whoever waits for a check asks for it again.
        for version in waiting:
            ask_for_check(version)
    return row


def take_back_set(*, actor: User, problem_set: ProblemSet) -> ProblemSet:
    """Make a published set a draft again. Raises SetRefused once a learner has begun it."""
    with transaction.atomic():
        row = locked_set(problem_set)
        if row.published_at is None:
            return row
        if has_begun(row):
            raise SetRefused(
                "Learners have begun it, so it cannot be taken back. Close it by its times, or take it away: what they "
                "did stays."
            )
        row.published_at = None
        row.save(update_fields=["published_at"])
        noted(course=row.course, actor=actor, deed="take-back-set", about=row.title, problem_set=row)
    return row


def release_results(*, actor: User, problem_set: ProblemSet) -> ProblemSet:
    """Let those who are done see how they did, in a set whose feedback waits for it. What they showed counts for their
    skills from then on. Raises SetRefused for a set that waits for nothing."""
    with transaction.atomic():
        row = locked_set(problem_set)
        if row.feedback != ProblemSet.Feedback.RELEASED:
            raise SetRefused("Results of this set are not waited for: learners see them by themselves.")
        if row.released_at is None:
            row.released_at = clock.now()
            row.save(update_fields=["released_at"])
            noted(course=row.course, actor=actor, deed="release-results", about=row.title, problem_set=row)
        keep_what_is_shown(row)
    return row


def withhold_results(*, actor: User, problem_set: ProblemSet) -> ProblemSet:
    """Take a release back: results are hidden again. What was seen meanwhile cannot be unseen, and what was learnt of
    skills stays."""
    with transaction.atomic():
        row = locked_set(problem_set)
        if row.released_at is not None:
            before = row.released_at.isoformat()
            row.released_at = None
            row.save(update_fields=["released_at"])
            noted(
                course=row.course, actor=actor, deed="withhold-results", about=row.title, problem_set=row,
                before={"released_at": before},
            )  # fmt: skip
    return row


def keep_what_is_shown(problem_set: ProblemSet) -> None:
    """Once the open transaction is committed, let what learners may know of by now count for their skills: at once for
    a small class, by a worker for a large one, and at once all the same where none can be told."""
    transaction.on_commit(lambda: _keep_shown(problem_set))


def keep_released_slice(problem_set_pk: int, *, after: int = 0) -> int | None:
    """Keep as evidence what learners may know of in a set, for some seconds from the variant ``after`` on, and tell a
    worker to go on if there is more: from which variant, or None where it is done. Safe twice."""
    row = ProblemSet.objects.filter(pk=problem_set_pk).first()
    if row is None:
        return None
    reached = keep_some_released(problem_set=row, after=after, seconds=SLICE)
    if reached is not None and not _told_worker(row.pk, reached):
        # Nobody would go on: it takes as long as it takes.
        keep_released(problem_set=row)
    return reached


def _keep_shown(problem_set: ProblemSet) -> None:
    attempts = Attempt.objects.filter(problem_set=problem_set, is_preview=False)
    is_large = attempts[: MOST_AT_ONCE + 1].count() > MOST_AT_ONCE
    if not (is_large and _told_worker(problem_set.pk)):
        keep_released(problem_set=problem_set)


def _told_worker(problem_set_pk: int, after: int = 0) -> bool:
    try:
        current_app.send_task(RELEASE_TASK, args=[problem_set_pk, after], retry=False, ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("What set %s shows is kept without a worker: the broker says %s", problem_set_pk, error)
        return False
    return True
