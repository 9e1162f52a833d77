"""The audit trail of a course: what somebody who teaches did, written in the transaction of the deed."""

from typing import Any

from exercises.actions.events import tell_deeds
from exercises.courses.deeds import DEEDS
from exercises.models import AuditEntry, Course, ProblemSet, User

MOST_ABOUT = 300
MOST_REASON = 500


def noted(
    *,
    course: Course,
    actor: User | None,
    deed: str,
    about: str,
    problem_set: ProblemSet | None = None,
    learner: User | None = None,
    before: Any = None,
    after: Any = None,
    reason: str = "",
) -> AuditEntry:
    """Note a deed: ``deed`` is one word for programs, ``about`` says in words what it was done to, ``before`` and
    ``after`` are plain data. Call it in the transaction of the deed: both are kept, or neither. Deeds that programs
    follow become events as well. Two queries at most. Raises ValueError for a deed that ``exercises.courses.deeds`` has
    no words for."""
    if deed not in DEEDS:
        raise ValueError(f"There are no words for {deed!r}: add them to exercises.courses.deeds.")
    entry = AuditEntry.objects.create(
        course=course,
        actor=actor,
        deed=deed,
        about=about[:MOST_ABOUT],
        problem_set=problem_set,
        learner=learner,
        before=before,
        after=after,
        reason=reason[:MOST_REASON],
    )
    tell_deeds([entry])
    return entry
