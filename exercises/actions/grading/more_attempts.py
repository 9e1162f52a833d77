"""Another attempt for one learner."""

from django.db import transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.grading.refusals import GradeRefused, checked_reason
from exercises.models import Enrolment, Extension, ProblemSet, User

MOST_GRANTED = 20


def grant_attempt(
    *, actor: User, problem_set: ProblemSet, enrolment: Enrolment, granted: int, reason: str
) -> Extension:
    """Let a learner sit a set so many times more than everybody, in all; the best attempt counts.

    ``granted`` is the number that is to hold then and not how many to add, so that a double click grants one. It never
    takes an attempt away. One transaction, with its entry in the audit trail. Raises GradeRefused.
    """
    said = checked_reason(reason)
    if not 1 <= granted <= MOST_GRANTED:
        raise GradeRefused(f"Grant between 1 and {MOST_GRANTED} attempts more.", "granted")
    with transaction.atomic():
        list(Enrolment.objects.select_for_update(no_key=True).filter(pk=enrolment.pk).values_list("pk"))
        row, _ = Extension.objects.get_or_create(
            problem_set=problem_set,
            learner=enrolment.user,
            defaults={"reason": said, "given_by": actor, "created_at": clock.now()},
        )
        if row.attempts < granted:
            before = row.attempts
            row.attempts = granted
            row.save(update_fields=["attempts"])
            noted(
                course=problem_set.course,
                actor=actor,
                deed="attempt-granted",
                about=f"{enrolment.user.get_username()}: {problem_set.title}",
                problem_set=problem_set,
                learner=enrolment.user,
                before=before,
                after=granted,
                reason=said,
            )
    return row
