"""What was decided about the scores of a set, as lists for other systems."""

from collections.abc import Iterable

from django.db.models import QuerySet

from exercises.models import Enrolment, Override, ProblemSet, Ruling


def overrides_at(problem_set: ProblemSet, learner: str = "") -> QuerySet[Override]:
    """The scores set by hand in a set that hold, or those of one learner by user name; to be paged. No query."""
    rows = Override.objects.filter(problem_set=problem_set, withdrawn_at=None).select_related("learner", "given_by")
    return rows.filter(learner__username=learner) if learner else rows


def rulings_at(problem_set: ProblemSet) -> QuerySet[Ruling]:
    """The rulings about a set, also those taken back; to be paged. No query."""
    return Ruling.objects.filter(problem_set=problem_set).select_related("item__problem", "given_by")


def usernames_of(enrolments: Iterable[int]) -> dict[int, str]:
    """The user names of enrolments, by primary key. One query."""
    return dict(Enrolment.objects.filter(pk__in=list(enrolments)).values_list("pk", "user__username"))
