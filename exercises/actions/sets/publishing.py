"""Publishing a set, taking it back, releasing its results and taking the release back."""

from django.db import transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.figures import shown_is_kept, tell_worker, want_shown
from exercises.actions.lms.outbox import want_set
from exercises.actions.scores import keep_released
from exercises.actions.sets.locking import has_begun_for_good, locked_set
from exercises.actions.sets.refusals import NotReady, SetRefused
from exercises.actions.sets.versions import ask_for_check
from exercises.models import Attempt, Figures, ProblemSet, User
from exercises.queries.set_items import items_in_use
from exercises.queries.set_obstacles import obstacles

#: With more attempts than this, what a release makes known is written by a worker.
MOST_AT_ONCE = 30


def publish_set(*, actor: User, problem_set: ProblemSet) -> ProblemSet:
    """Let learners see it. Does nothing for one that is published. Raises NotReady with every reason against it."""
    waiting: list[int] = []
    try:
        with transaction.atomic():
            row = locked_set(problem_set)
            if row.published_at is not None:
                return row
            items = items_in_use(row)
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
        if has_begun_for_good(row):
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
    """Let what learners may know of by now count for their skills, once the open transaction is committed: at once for
    a small class, by a worker for a large one. That it is to be done stands in the tables until it is, so that neither
    a lost message nor a killed process loses anything of it. Platforms are told as well. ``problem_set`` comes with its
    course."""
    row = want_shown(problem_set)
    want_set(problem_set)
    transaction.on_commit(lambda: _keep_shown(problem_set, row), robust=True)


def _keep_shown(problem_set: ProblemSet, row: Figures) -> None:
    attempts = Attempt.objects.filter(problem_set=problem_set, is_preview=False)
    if attempts[: MOST_AT_ONCE + 1].count() > MOST_AT_ONCE:
        tell_worker(row.pk)
    else:
        keep_released(problem_set=problem_set)
        shown_is_kept(row)
