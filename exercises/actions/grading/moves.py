"""Dry runs: who would move, from what to what, found out by reading alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from django.db.models import QuerySet

from exercises.actions.grading.places import keys_of_places
from exercises.models import AttemptItem, Enrolment, ProblemSet, SetItem
from exercises.queries.attempt_scores import worked_out
from exercises.queries.decided import Supposed
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
    supposed: Supposed,
    item: SetItem | None = None,
    *,
    is_whole: bool = False,
) -> Moves:
    """What would move in the scores of these learners if that were decided, worked out by the very code that keeps
    scores. Nothing is written or locked; memory stays flat, since they are worked out batch by batch.

    Only ``item`` is worked out anew, if one is given; unless ``is_whole`` then says that all of the attempt is.
    """
    listed: list[Move] = []
    looked_at = raised = lowered = 0
    for batch in batches(enrolments.select_related("user").order_by("pk").iterator(chunk_size=BATCH)):
        looked_at += len(batch)
        for move in _moves(problem_set, batch, supposed, item, is_whole=is_whole):
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
    problem_set: ProblemSet, batch: Sequence[Enrolment], supposed: Supposed, item: SetItem | None, *, is_whole: bool
) -> list[Move]:
    learners = [one.user_id for one in batch]
    then = worked_out(keys_of_places(problem_set, learners, None if is_whole else item), supposed=supposed)
    scores = {pk: score for pk, (score, _) in then.attempts.items()}
    items = {pk: score for pk, (_, score) in then.items.items()}
    columns = book_rows([problem_set], batch), book_rows([problem_set], batch, supposed=supposed, scores=scores)
    at_item = _best_at(item, learners, {}), _best_at(item, learners, items)
    found = []
    for one, *rows in zip(batch, *columns, strict=True):
        (before,), (after,) = (row.cells for row in rows)
        item_before, item_after = (best.get(one.user_id) for best in at_item)
        if (before.score, item_before) != (after.score, item_after):
            found.append(Move(one.pk, name_of(one), before.score, after.score, item_before, item_after))
    return found


def _best_at(
    item: SetItem | None, learners: Sequence[int], scores: Mapping[int, Fraction | None]
) -> dict[int, Fraction]:
    """The best score of each learner at an item, with other ``scores`` than are kept where these are given. One query
    at most."""
    best: dict[int, Fraction] = {}
    if item is None:
        return best
    rows = AttemptItem.objects.filter(item=item, attempt__is_preview=False, attempt__learner__any_of=learners)
    for row in rows.select_related("attempt").defer("saved"):
        score = scores.get(row.pk, row.score)
        if score is not None:
            best[row.attempt.learner_id] = max(score, best.get(row.attempt.learner_id, score))
    return best
