"""Which work a regrade is about: that problem, in the attempts of the course, of one set of it or of all."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from exercises.models import Attempt, RegradeEvent, Submission, Variant
from exercises.models.submission import REMOVED_ANSWERS


def submissions_of(event: RegradeEvent) -> QuerySet[Submission]:
    """The submissions on the problem in attempts that count, whatever became of them; those whose answers went with
    their author's account keep what they earned. No query."""
    return Submission.objects.filter(**_about(event, "variant__")).exclude(answers=REMOVED_ANSWERS).order_by("pk")


def variants_of(event: RegradeEvent) -> QuerySet[Variant]:
    """The variants of the problem in attempts that count. No query."""
    return Variant.objects.filter(**_about(event, "")).order_by("pk")


def sets_of(variants: Iterable[Variant]) -> dict[int, int]:
    """The problem set in which each of these variants stands, by primary keys. One query."""
    rows = Variant.objects.filter(pk__in=[one.pk for one in variants]).order_by()
    return dict(rows.values_list("pk", "attempt_item__attempt__problem_set"))


def attempts_of(event: RegradeEvent) -> QuerySet[Attempt]:
    """The attempts that may hold the problem. No query."""
    found = Attempt.objects.filter(problem_set__course=event.course_id, is_preview=False).order_by("pk")
    return found if event.problem_set_id is None else found.filter(problem_set=event.problem_set_id)


def covers(event: RegradeEvent, set_id: int) -> bool:
    """Whether a regrade of the same course is about that set."""
    return event.problem_set_id in (None, set_id)


def overlap(one: RegradeEvent, other: RegradeEvent) -> bool:
    """Whether two regrades of one problem in one course may touch the same answers."""
    return None in (one.problem_set_id, other.problem_set_id) or one.problem_set_id == other.problem_set_id


def _about(event: RegradeEvent, variant: str) -> dict[str, Any]:
    attempt = f"{variant}attempt_item__attempt__"
    about: dict[str, Any] = {
        f"{variant}problem": event.problem_id,
        f"{attempt}problem_set__course": event.course_id,
        f"{attempt}is_preview": False,
    }
    if event.problem_set_id is not None:
        about[f"{attempt}problem_set"] = event.problem_set_id
    return about
