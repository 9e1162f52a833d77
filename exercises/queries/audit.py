"""The audit trail of a course, the latest deeds first."""

from django.core.paginator import Page, Paginator
from django.db.models import Q

from exercises.limits import MOST_ROWS
from exercises.models import AuditEntry, Course, User


def audit_of(course: Course, *, page: int, deed: str = "", person: str = "") -> Page[AuditEntry]:
    """One page of what was done in a course, with who did it and to whom; of one ``deed``, or of what a ``person``, by
    username, did or was done to. Two queries, three with a person."""
    rows = AuditEntry.objects.filter(course=course).select_related("actor", "learner", "problem_set")
    if deed:
        rows = rows.filter(deed=deed)
    if person:
        # Looked up first: both columns are then compared with keys.
        found = list(
            User.objects.filter(username__iexact=person.replace("\0", "")).values_list("pk", flat=True)[:MOST_ROWS]
        )
        rows = rows.filter(Q(actor__in=found) | Q(learner__in=found))
    return Paginator(rows.order_by("-pk"), MOST_ROWS).get_page(page)


def deeds_of(course: Course) -> list[str]:
    """The deeds that there are in the trail of a course, in order. One query."""
    return sorted(AuditEntry.objects.filter(course=course).order_by().values_list("deed", flat=True).distinct())


def deeds_to(course: Course, learner: User) -> list[AuditEntry]:
    """The latest that was done to somebody in a course, as much as a page holds. One query."""
    rows = AuditEntry.objects.filter(course=course, learner=learner).select_related("actor", "problem_set")
    return list(rows.order_by("-pk")[:MOST_ROWS])
