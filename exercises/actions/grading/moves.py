"""Dry runs: who moves, from what to what, found out by doing it in a transaction that is rolled back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from django.db import transaction
from django.db.models import QuerySet

from exercises.actions.grading.places import places_of
from exercises.actions.scores import keep_scores
from exercises.models import AttemptItem, Enrolment, ProblemSet, SetItem
from exercises.queries.grade_roster import name_of
from exercises.queries.gradebook import book_rows

#: Learners whose scores are worked out together.
BATCH = 100
#: Moves that are listed one by one; beyond that they are only counted.
MOST_LISTED = 200


@dataclass(frozen=True)
class Move:
    """One learner whose score is another than before, of the set or of the item in question; None is none yet."""

    enrolment: int
    name: str
    before: Fraction | None
    after: Fraction | None
    item_before: Fraction | None = None
    item_after: Fraction | None = None

    @property
    def is_lower(self) -> bool:
        """Whether the learner loses by it."""
        pairs = ((self.before, self.after), (self.item_before, self.item_after))
        before, after = next(((old, new) for old, new in pairs if old != new), (None, None))
        return before is not None and (after is None or after < before)


@dataclass(frozen=True)
class Moves:
    """What a decision comes to: how many learners it looks at, how many it raises and lowers, and the first of them."""

    looked_at: int
    raised: int
    lowered: int
    listed: tuple[Move, ...]

    @property
    def moved(self) -> int:
        """How many move at all."""
        return self.raised + self.lowered


def dry_run(
    problem_set: ProblemSet,
    enrolments: QuerySet[Enrolment],
    change: Callable[[], object],
    item: SetItem | None = None,
    *,
    is_whole: bool = False,
) -> Moves:
    """What ``change`` moves in the scores of these learners. Nothing is kept: each batch of them is worked out in a
    transaction of its own that is rolled back, so that memory stays flat and nobody waits long for a lock.

    Only ``item`` is worked out anew, if one is given; unless ``is_whole`` then says that all of the attempt is.
    """
    listed: list[Move] = []
    looked_at = raised = lowered = 0
    for batch in batches(enrolments.select_related("user").order_by("pk").iterator(chunk_size=BATCH)):
        looked_at += len(batch)
        for move in _moves(problem_set, batch, change, item, is_whole=is_whole):
            lowered += move.is_lower
            raised += not move.is_lower
            if len(listed) < MOST_LISTED:
                listed.append(move)
    return Moves(looked_at, raised, lowered, tuple(listed))


def batches(rows: Iterator[Enrolment]) -> Iterator[list[Enrolment]]:
    """The rows in lists of ``BATCH``."""
    while batch := list(islice(rows, BATCH)):
        yield batch


def _moves(
    problem_set: ProblemSet,
    batch: Sequence[Enrolment],
    change: Callable[[], object],
    item: SetItem | None,
    *,
    is_whole: bool,
) -> list[Move]:
    learners = [one.user_id for one in batch]
    with transaction.atomic():
        before = _stand(problem_set, batch, item)
        change()
        keep_scores(places_of(problem_set, learners, None if is_whole else item))
        after = _stand(problem_set, batch, item)
        transaction.set_rollback(True)
    return [
        Move(one.pk, name_of(one), before[one.pk][0], after[one.pk][0], before[one.pk][1], after[one.pk][1])
        for one in batch
        if before[one.pk] != after[one.pk]
    ]


def _stand(
    problem_set: ProblemSet, batch: Sequence[Enrolment], item: SetItem | None
) -> dict[int, tuple[Fraction | None, Fraction | None]]:
    """What the grade book says of the set, and the best score at the item; by enrolment."""
    best: dict[int, Fraction] = {}
    if item is not None:
        rows = AttemptItem.objects.filter(
            item=item,
            attempt__is_preview=False,
            attempt__learner__any_of=[one.user_id for one in batch],
            score_numerator__isnull=False,
        ).select_related("attempt")
        for row in rows:
            if row.score is not None:
                best[row.attempt.learner_id] = max(row.score, best.get(row.attempt.learner_id, row.score))
    return {
        row.enrolment.pk: (row.cells[0].score, best.get(row.enrolment.user_id))
        for row in book_rows([problem_set], batch)
    }
