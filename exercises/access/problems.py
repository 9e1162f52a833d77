"""Finding problems for whoever writes and teaches with them: one's own, and those that others share."""

from django.db.models import Q, QuerySet

from exercises.access.found import first_or_404
from exercises.models import Problem, User


def authored_problem(author: User, slug: str) -> Problem:
    """A problem of one's own, drawn from or not yet: the only kind that may be changed. One query."""
    return first_or_404(
        Problem.objects.select_related("current", "forked_from__problem").filter(owner=author, slug=slug)
    )


def usable_problem(author: User, slug: str) -> Problem:
    """A problem that an author may put into a set, look at and fork: built in, shared, or their own. One query."""
    return first_or_404(usable_problems(author).select_related("current", "owner").filter(slug=slug))


def usable_problems(author: User) -> QuerySet[Problem]:
    """Every problem that an author may put into a set. No query."""
    return Problem.objects.filter(
        Q(owner=None) | Q(is_shared=True) | Q(owner=author), retired=False, current__isnull=False
    )


def readable_problems(author: User) -> QuerySet[Problem]:
    """Every problem whose text an author may read: those they may use, and all of their own. No query."""
    return (usable_problems(author) | Problem.objects.filter(owner=author)).order_by()


def problems_whose_faults(user: User) -> Q:
    """Of which problems somebody who writes some is told what is wrong: built in, shared and their own, also where
    nothing can be drawn from them; of all for those who run the service. A fault quotes the text. No query."""
    return Q() if user.is_staff else Q(owner=None) | Q(is_shared=True) | Q(owner=user)


def readable_problem(author: User, slug: str) -> Problem:
    """One of them. One query."""
    rows = readable_problems(author).select_related("current", "owner", "forked_from__problem")
    return first_or_404(rows.filter(slug=slug))
