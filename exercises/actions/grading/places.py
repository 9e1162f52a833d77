"""Where a decision reaches: the places of attempts at which an item stands, their learners, and the steps asked."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from exercises.loading import loaded
from exercises.models import AttemptItem, Enrolment, ProblemSet, ProblemVersion, SetItem
from exercises.refusals import ProblemBroken


def keys_of_places(problem_set: ProblemSet, learners: Sequence[int], item: SetItem | None) -> list[int]:
    """The places of these learners' attempts at which that item stands, or all of them; by primary key. One query."""
    rows = AttemptItem.objects.filter(
        attempt__problem_set=problem_set, attempt__learner__any_of=learners, attempt__is_preview=False
    )
    if item is not None:
        rows = rows.filter(item=item)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def reached_by(item: SetItem, digest: str = "") -> QuerySet[Enrolment]:
    """The learners to whom an item was put, also those who left; with a digest only where a variant of theirs has
    these parameters. No query."""
    places = AttemptItem.objects.filter(item=item, attempt__is_preview=False)
    if digest:
        places = places.filter(variants__digest=digest)
    learners: Any = places.order_by().values("attempt__learner")
    return Enrolment.objects.filter(course=item.problem_set.course_id, user__in=learners)


def steps_of(item: SetItem) -> set[str]:
    """The steps asked by any version of an item that somebody was given. Two queries; unreadable versions have none."""
    # As a list: joined, PostgreSQL looks at every place that was ever given of these versions, in any course.
    used = list(AttemptItem.objects.filter(item=item).order_by().values_list("version", flat=True).distinct())
    found: set[str] = set()
    for version in ProblemVersion.objects.filter(pk__in=used):
        try:
            found |= {step.name for step in loaded(version).asked}
        except ProblemBroken:
            continue
    return found
