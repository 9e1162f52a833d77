"""One editor at a time: the row of a set is locked for whoever changes anything about it."""

from django.db.models import F

from exercises.actions.courses.locks import hold_enrolments
from exercises.actions.sets.refusals import CHANGED, GONE, SetChanged, SetRefused
from exercises.models import Attempt, ProblemSet


def locked_set(problem_set: ProblemSet, *, revision: int | None = None) -> ProblemSet:
    """The set as it is now, with its course, locked for the transaction that is open. Before attempts and learners.

    Raises SetRefused if it is gone or its course is archived, SetChanged if it has another revision than was seen. One
    query.
    """
    # Not for the key: whoever begins meanwhile refers to it, and must not wait.
    rows = ProblemSet.objects.select_for_update(of=("self",), no_key=True).select_related("course")
    row = rows.filter(pk=problem_set.pk, retired=False, course__archived_at=None).first()
    if row is None:
        raise SetRefused(GONE)
    if revision is not None and row.revision != revision:
        raise SetChanged(CHANGED)
    return row


def count_revision(problem_set: ProblemSet) -> None:
    """Let every form of the set that is open now be an older one. One query."""
    ProblemSet.objects.filter(pk=problem_set.pk).update(revision=F("revision") + 1)
    problem_set.revision += 1


def has_begun(problem_set: ProblemSet) -> bool:
    """Whether any learner has begun it; previews do not count. One query."""
    return Attempt.objects.filter(problem_set=problem_set, is_preview=False).exists()


def has_begun_for_good(problem_set: ProblemSet) -> bool:
    """The same, once whoever is beginning just now has; nobody else in its course begins until the open transaction is
    over. For a set that is locked. Two queries."""
    hold_enrolments(problem_set.course)
    return has_begun(problem_set)
