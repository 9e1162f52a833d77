"""What can be chosen to be exported."""

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from exercises.models import Problem, User
from exercises.queries.set_choices import SLUG

MOST_OFFERED = 500


def exportable(author: User, usable: QuerySet[Problem]) -> tuple[list[Problem], list[Problem]]:
    """The author's own problems, drafts too, by title, and those of others that they may use (``usable``, from
    ``access``), in the order of the map. Two queries."""
    own = Problem.objects.filter(owner=author, retired=False).order_by("title", "slug")
    others = usable.exclude(owner=author).order_by("position", "title", "slug")
    return list(own[:MOST_OFFERED]), list(others[:MOST_OFFERED])


def exportable_of(author: User, usable: QuerySet[Problem], slugs: Sequence[str]) -> list[Problem]:
    """Those of them with these slugs, in the order of these; what may not be exported is left out. One query."""
    wanted = list(dict.fromkeys(slug for slug in slugs[:MOST_OFFERED] if SLUG.fullmatch(slug)))
    rows = Problem.objects.select_related("current").filter(
        Q(pk__in=usable.values("pk")) | Q(owner=author, retired=False), slug__in=wanted
    )
    return sorted(rows, key=lambda problem: wanted.index(problem.slug))
