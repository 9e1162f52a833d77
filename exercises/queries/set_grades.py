"""The grade book of one set: what each learner has at each item."""

import uuid
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

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


def set_rows(problem_set: ProblemSet, items: Sequence[SetItem], enrolments: Sequence[Enrolment]) -> list[SetRow]:
    """The rows of these learners, one cell an item. Previews are nowhere. Nine queries at most."""
    rows = book_rows([problem_set], enrolments)
    cells = _cells([row.cells[0].attempt for row in rows if row.cells[0].attempt is not None])
    for learner, item in _overridden(problem_set, enrolments):
        if item in cells[learner]:
            cells[learner][item] = cells[learner][item]._replace(is_overridden=True)
    columns = [item.pk for item in items]
    return [SetRow(row.enrolment, row.cells[0], list(map(cells[row.enrolment.user_id].get, columns))) for row in rows]


def _cells(attempts: Sequence[uuid.UUID]) -> dict[int, dict[int, ItemCell]]:
    """What stands in these attempts, one a learner, by learner and item. One query."""
    found: dict[int, dict[int, ItemCell]] = defaultdict(dict)
    several: dict[tuple[int, int], list[ItemCell]] = defaultdict(list)
    rows = AttemptItem.objects.filter(attempt__public_id__in=attempts).order_by("position")
    for learner, item, position, tries, numerator, denominator in rows.values_list(
        "attempt__learner_id", "item_id", "position", "tries", "score_numerator", "score_denominator"
    ):
        score = share(numerator, denominator) if numerator is not None and denominator else None
        cell, theirs = ItemCell(score, position, tries, False), found[learner]
        if item in theirs:
            several[learner, item].append(cell)
        else:
            theirs[item] = cell
    for (learner, item), more in several.items():
        found[learner][item] = _mean([found[learner][item], *more])
    return found


def _mean(places: Sequence[ItemCell]) -> ItemCell:
    """One cell for several variants of an item."""
    scores = [one.score for one in places if one.score is not None]
    mean = sum(scores, Fraction(0)) / len(scores) if len(scores) == len(places) else None
    return ItemCell(mean, places[0].position, sum(one.tries for one in places), False)


def _overridden(problem_set: ProblemSet, enrolments: Sequence[Enrolment]) -> set[tuple[int, int | None]]:
    """(learner, item) where somebody set the score, or the credit of a step, by hand. One query."""
    learners = [one.user_id for one in enrolments]
    rows = Override.objects.filter(
        problem_set=problem_set, learner__any_of=learners, item__isnull=False, withdrawn_at=None
    )
    return set(rows.order_by().values_list("learner_id", "item_id"))
