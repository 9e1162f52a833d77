"""Another attempt for one learner: an extension, as every other that makes something different for them."""

from exercises.actions.grading.refusals import GradeRefused, checked_reason
from exercises.actions.sets.extensions import MOST_ATTEMPTS, grant_attempts
from exercises.actions.sets.refusals import SetRefused
from exercises.models import Enrolment, ProblemSet, User


def grant_attempt(*, actor: User, problem_set: ProblemSet, enrolment: Enrolment, granted: int, reason: str) -> None:
    """Let a learner sit a set so many times more than everybody, in all; the best attempt counts.

    ``granted`` is the number that is to hold then and not how many to add, so that a double click grants one. It never
    takes an attempt away. One transaction, with its entry in the audit trail. Raises GradeRefused.
    """
    said = checked_reason(reason)
    if not 1 <= granted <= MOST_ATTEMPTS:
        raise GradeRefused(f"Grant between 1 and {MOST_ATTEMPTS} attempts more.", "granted")
    try:
        grant_attempts(actor=actor, problem_set=problem_set, enrolment=enrolment, granted=granted, reason=said)
    except SetRefused as refused:
        raise GradeRefused(" ".join(refused.faults.values()) or refused.message, "granted") from refused
