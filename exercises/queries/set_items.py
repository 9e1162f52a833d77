"""The items of a set in order: all of them, those in use, and those that a grade book has columns for."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from exercises.models import AttemptItem, ProblemSet, SetItem


def items_of(problem_set: ProblemSet) -> QuerySet[SetItem]:
    """All of them, with problems, versions and pools, also those that were taken out. No query."""
    rows = problem_set.items.select_related(
        "problem__current", "problem__owner", "version__adapted_from", "version__problem", "pool"
    )
    return rows.order_by("position", "pk")


def items_in_use(problem_set: ProblemSet) -> list[SetItem]:
    """Those that whoever begins now may be given: none that was taken out. One query."""
    return list(items_of(problem_set).filter(retired=False))


def items_with_columns(problem_set: ProblemSet) -> list[SetItem]:
    """Those in use, and what was taken out after somebody had begun; with their problems and pools. One query."""
    used = AttemptItem.objects.filter(item=OuterRef("pk"), attempt__is_preview=False)
    rows = problem_set.items.select_related("problem", "pool")
    return list(rows.filter(Q(retired=False) | Exists(used)).order_by("position", "pk"))
