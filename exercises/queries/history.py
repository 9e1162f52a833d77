"""What was sent before."""

import uuid
from dataclasses import dataclass

from django.db.models import BooleanField, Case, OuterRef, Prefetch, QuerySet, Subquery, When

from exercises.limits import MOST_ROWS
from exercises.models import Grading, ProblemSet, Submission, User, Variant
from grader.verdict import Verdict

_GRADINGS = Prefetch("gradings", queryset=Grading.objects.order_by("pk"), to_attr="judgements")


@dataclass(frozen=True)
class Past:
    """One submission with the verdict that counts, if there is one yet."""

    submission: Submission
    verdict: Verdict | None


def history(variant: Variant, *, limit: int = 50) -> list[Past]:
    """The latest submissions on a variant, newest first. Two queries."""
    rows = Submission.objects.filter(variant=variant).prefetch_related(_GRADINGS)
    return [past(row) for row in rows.order_by("-pk")[: min(max(limit, 1), MOST_ROWS)]]


def own_submissions(learner: User) -> QuerySet[Submission]:
    """The learner's submissions in practice, with their judgements for ``past``. Two queries for a slice of it.

    Those of quizzes and exams are in their attempts, and shown when their rules allow.
    """
    modes = (ProblemSet.Mode.QUIZ, ProblemSet.Mode.EXAM)
    # Asked of one submission after the other, as many as a page shows: as a join, or as EXISTS, PostgreSQL joins all
    # there are to all attempts. In a case, it takes every second one to be practice; a bare IS NULL it takes for rare.
    test = ProblemSet.objects.filter(attempts__items__variants=OuterRef("variant"), mode__in=modes).order_by()
    is_practice = Case(When(test=None, then=True), default=False, output_field=BooleanField())
    own = Submission.objects.filter(author=learner).alias(test=Subquery(test.values("pk")[:1])).filter(is_practice)
    return own.select_related("variant__problem").prefetch_related(_GRADINGS)


def own_history(learner: User, *, before: uuid.UUID | None = None, limit: int = 20) -> list[Past]:
    """The newest of ``own_submissions``, from the one after ``before`` on. Two queries.

    Rows that arrive meanwhile shift nothing, as they would with numbered pages.
    """
    own = own_submissions(learner)
    if before is not None:
        own = own.filter(pk__lt=Submission.objects.filter(author=learner, public_id=before).values("pk"))
    return [past(row) for row in own.order_by("-pk")[: min(max(limit, 1), MOST_ROWS)]]


def past(row: Submission) -> Past:
    """A submission that ``own_submissions`` found, with its verdict. No query."""
    judgements: list[Grading] = row.judgements  # type: ignore[attr-defined]  # by the prefetch
    return Past(row, judgements[-1].judged if judgements else None)
