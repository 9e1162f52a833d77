"""Whom a problem set is for, who has begun it, and how far its learner is in one for practice."""

from dataclasses import dataclass
from fractions import Fraction

from exercises.models import Attempt, AttemptItem, Enrolment, ProblemSet, SetItem
from exercises.queries.grade_roster import name_of
from exercises.queries.people import by_name

#: Names that are told of those who have begun.
MOST_NAMES = 12


@dataclass(frozen=True)
class Begun:
    """Who has begun a set: how many learners, and the names of the first of them."""

    count: int
    names: list[str]


@dataclass(frozen=True)
class PracticeItem:
    """One item of a practice set as its learner has it; ``position`` in their attempt, None before it is begun."""

    item: SetItem
    position: int | None
    score: Fraction | None
    tries: int


def begun_by(problem_set: ProblemSet) -> Begun:
    """Who has begun the set, previews aside. Two queries."""
    own = Attempt.objects.filter(problem_set=problem_set, is_preview=False)
    learners = own.order_by().values("learner").distinct()
    count = learners.count()
    if not count:
        return Begun(0, [])
    members = Enrolment.objects.select_related("user").filter(course=problem_set.course_id, user__in=learners)
    return Begun(count, [name_of(member) for member in by_name(members)[:MOST_NAMES]])


def practice_items(problem_set: ProblemSet, attempt: Attempt | None) -> list[PracticeItem]:
    """What a learner practises in a practice set: the places of their attempt with the best so far, or before it the
    items that everybody gets; what a pool gives is not known until then. One query."""
    if attempt is not None:
        rows = AttemptItem.objects.select_related("item__problem").filter(attempt=attempt).order_by("position")
        return [PracticeItem(row.item, row.position, row.score, row.tries) for row in rows]
    items = problem_set.items.select_related("problem").filter(retired=False, pool=None)
    return [PracticeItem(item, None, None, 0) for item in items.order_by("position", "pk")]


def position_of(attempt: Attempt, item_pk: int) -> int | None:
    """The first place in an attempt where that item of the set stands, or None. One query."""
    rows = attempt.items.filter(item=item_pk).order_by("position")
    return rows.values_list("position", flat=True).first()


def groups_for(problem_set: ProblemSet) -> list[str]:
    """The names of the groups that a set is for; none is everybody. One query."""
    return list(problem_set.groups.order_by("name").values_list("name", flat=True))
