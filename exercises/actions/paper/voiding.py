"""Taking an entered copy back: it was entered for the wrong learner, or should not have been entered at all."""

from typing import Any

from django.db import transaction
from django.db.models import Max

from exercises.actions.audit import noted
from exercises.actions.evidence import take_back_evidence
from exercises.actions.lms.outbox import want_pairs
from exercises.actions.paper.refusals import PaperRefused
from exercises.models import Attempt, Enrolment, PaperCopy, ProblemSet, Submission, User, Variant

MOST_REASON = 500


def void_paper(*, copy: PaperCopy, actor: User, reason: str) -> None:
    """Take back what was entered of a copy, which can then be entered for whoever wrote it.

    Nothing that was entered is deleted: the attempt stays as one that counts nowhere, in no list, score or statistics,
    and what it showed of its learner is taken back, also from platforms. What stood in it is noted in the audit trail.
    Does nothing for a copy that is not entered. ``copy`` comes with run, set and course. Raises PaperRefused without a
    reason.
    """
    said = " ".join(reason.split())
    if not said or len(said) > MOST_REASON:
        raise PaperRefused(f"Say why it is taken back, in up to {MOST_REASON} characters: its learner may ask.")
    problem_set = copy.run.problem_set
    with transaction.atomic():
        locked = PaperCopy.objects.select_for_update(no_key=True, of=("self",)).get(pk=copy.pk)
        if locked.attempt_id is None:
            return
        learner = Attempt.objects.values_list("learner", flat=True).get(pk=locked.attempt_id)
        attempt = _held(locked.attempt_id, learner, problem_set)
        before = _entered(attempt)
        locked.attempt = None
        locked.save(update_fields=["attempt"])
        attempt.number, attempt.is_preview = _free_number(attempt), True
        attempt.save(update_fields=["number", "is_preview"])
        noted(
            course=problem_set.course,
            actor=actor,
            deed="void-paper",
            about=f"copy {copy.number} ({copy.code}) of {problem_set.title}",
            problem_set=problem_set,
            learner=attempt.learner,
            before=before,
            reason=said,
        )
        # Their column shows what was entered, and no attempt that counts says so any more.
        want_pairs([(problem_set.pk, learner)])
        # It takes the learner's row, which always comes last.
        take_back_evidence(Variant.objects.filter(attempt_item__attempt=attempt))
    copy.attempt = None


def _held(pk: int, learner: int, problem_set: ProblemSet) -> Attempt:
    """The attempt, taken after its learner's enrolment as by whoever begins: their numbers go on. Two queries."""
    own = Enrolment.objects.select_for_update(no_key=True).filter(course=problem_set.course_id, user=learner)
    list(own.values_list("pk"))
    return Attempt.objects.select_for_update(no_key=True, of=("self",)).select_related("learner").get(pk=pk)


def _entered(attempt: Attempt) -> dict[str, Any]:
    """What stood in it: the latest answers by place, and its score."""
    rows = Submission.objects.filter(variant__attempt_item__attempt=attempt).order_by("pk")
    answers = {str(place): said for place, said in rows.values_list("variant__attempt_item__position", "answers")}
    score = None if attempt.score is None else str(attempt.score)
    return {"attempt": str(attempt.public_id), "number": attempt.number, "answers": answers, "score": score}


def _free_number(attempt: Attempt) -> int:
    beside = Attempt.objects.filter(problem_set=attempt.problem_set_id, learner=attempt.learner_id, is_preview=True)
    return (beside.aggregate(last=Max("number"))["last"] or 0) + 1
