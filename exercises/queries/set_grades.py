"""The grade book of one set: what each learner has at each item."""

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q

from exercises.models import AttemptItem, Enrolment, Override, ProblemSet, SetItem
from exercises.queries.gradebook import Cell, book_rows, share


class ItemCell(NamedTuple):
    """One item of the attempt that counts: its score, where it stands there, and how often it was tried.

    Of an item with several variants the score is their mean, and nothing as long as one of them has none.
    """

    score: Fraction | None
    position: int
    tries: int
    is_overridden: bool


class SetRow(NamedTuple):
    """One learner: the whole set, then a cell for each item; None where it was not put to them."""

    enrolment: Enrolment
    whole: Cell
    items: list[ItemCell | None]


class _Place(NamedTuple):
    position: int
    tries: int
    score: Fraction | None


def items_of(problem_set: ProblemSet) -> list[SetItem]:
    """The items that have a column: those of the set, and what was taken out after somebody had begun. One query."""
    used = AttemptItem.objects.filter(item=OuterRef("pk"), attempt__is_preview=False)
    rows = SetItem.objects.filter(problem_set=problem_set).select_related("problem", "pool")
    return list(rows.filter(Q(retired=False) | Exists(used)).order_by("position", "pk"))


def set_rows(problem_set: ProblemSet, items: Sequence[SetItem], enrolments: Sequence[Enrolment]) -> list[SetRow]:
    """The rows of these learners, one cell an item. Previews are nowhere. Nine queries at most."""
    rows = book_rows([problem_set], enrolments)
    counting = [row.cells[0].attempt for row in rows if row.cells[0].attempt is not None]
    places = _places(counting)
    overridden = _overridden(problem_set, enrolments)

    columns = [item.pk for item in items]

    def cell(place: tuple[int, int]) -> ItemCell | None:
        found = places.get(place)
        if not found:
            return None
        if len(found) == 1:
            return ItemCell(found[0].score, found[0].position, found[0].tries, place in overridden)
        scores = [one.score for one in found if one.score is not None]
        mean = sum(scores, Fraction(0)) / len(scores) if len(scores) == len(found) else None
        return ItemCell(mean, found[0].position, sum(one.tries for one in found), place in overridden)

    return [SetRow(row.enrolment, row.cells[0], [cell((row.enrolment.user_id, pk)) for pk in columns]) for row in rows]


def _places(attempts: Sequence[uuid.UUID]) -> Mapping[tuple[int, int], list[_Place]]:
    """What stands in these attempts, one a learner, by learner and item, in order. One query."""
    found: dict[tuple[int, int], list[_Place]] = defaultdict(list)
    rows = AttemptItem.objects.filter(attempt__public_id__in=attempts).order_by("position")
    for learner, item, position, tries, numerator, denominator in rows.values_list(
        "attempt__learner_id", "item_id", "position", "tries", "score_numerator", "score_denominator"
    ):
        score = share(numerator, denominator) if numerator is not None and denominator else None
        found[learner, item].append(_Place(position, tries, score))
    return found


def _overridden(problem_set: ProblemSet, enrolments: Sequence[Enrolment]) -> set[tuple[int, int | None]]:
    """(learner, item) where somebody set the score, or the credit of a step, by hand. One query."""
    learners = [one.user_id for one in enrolments]
    rows = Override.objects.filter(
        problem_set=problem_set, learner__any_of=learners, item__isnull=False, withdrawn_at=None
    )
    return set(rows.order_by().values_list("learner_id", "item_id"))
