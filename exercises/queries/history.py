"""What was sent before."""

import uuid
from dataclasses import dataclass

from django.db.models import Prefetch, Q, QuerySet

from exercises.limits import MOST_ROWS
from exercises.models import Grading, ProblemSet, Submission, User, Variant
from grader.verdict import Verdict


@dataclass(frozen=True)
class Past:
    """One submission with the verdict that counts, if there is one yet."""

    submission: Submission
    verdict: Verdict | None


def history(variant: Variant, *, limit: int = 50) -> list[Past]:
    """The latest submissions on a variant, newest first. Two queries."""
    return _past(Submission.objects.filter(variant=variant), limit)


def own_history(learner: User, *, before: uuid.UUID | None = None, limit: int = 20) -> list[Past]:
    """The learner's submissions in practice, newest first, from the one after ``before`` on. Two queries.

    Those of quizzes and exams are in their attempts, and shown when their rules allow. Rows that arrive meanwhile shift
    nothing, as they would with numbered pages.
    """
    modes = (ProblemSet.Mode.QUIZ, ProblemSet.Mode.EXAM)
    tests = Q(variant__attempt_item__attempt__problem_set__mode__in=modes)
    own = Submission.objects.filter(author=learner).exclude(tests).select_related("variant__problem")
    if before is not None:
        own = own.filter(pk__lt=Submission.objects.filter(author=learner, public_id=before).values("pk"))
    return _past(own, limit)


def _past(submissions: QuerySet[Submission], limit: int) -> list[Past]:
    gradings = Prefetch("gradings", queryset=Grading.objects.order_by("pk"), to_attr="judgements")
    rows = submissions.order_by("-pk").prefetch_related(gradings)[: min(max(limit, 1), MOST_ROWS)]
    return [Past(row, row.judgements[-1].judged if row.judgements else None) for row in rows]
