"""Grades and decisions about them, with scores as exact fractions and in words."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from exercises.actions.grading import Moves, words_of
from exercises.course_rules import policy_of
from exercises.models import Attempt, Enrolment, Override, ProblemSet, Ruling, SetItem
from exercises.queries.decisions import usernames_of
from exercises.queries.gradebook import Cell, book_rows, maxima
from exercises.queries.set_grades import ItemCell, set_rows
from server.api.shapes import grades as shapes
from server.api.telling.attempts import attempts_told, score_told


def course_grades_told(sets: Sequence[ProblemSet], rows: Sequence[Enrolment]) -> list[dict[str, Any]]:
    """What these learners have in these sets. Eight queries at most, however many."""
    points, marks = maxima(sets), {one.pk: policy_of(one).pass_mark for one in sets}
    return [
        dict(
            shapes.LearnerGrades(
                {
                    **_who(row.enrolment),
                    "grades": [
                        {"problem_set": one.public_id, **_cell(cell, points[one.pk], marks[one.pk])}
                        for one, cell in zip(sets, row.cells, strict=True)
                    ],
                }
            ).data
        )
        for row in book_rows(sets, rows)
    ]


def set_grades_told(
    problem_set: ProblemSet, items: Sequence[SetItem], rows: Sequence[Enrolment]
) -> list[dict[str, Any]]:
    """What these learners have at the items of a set. Ten queries at most, however many."""
    points, mark = maxima([problem_set])[problem_set.pk], policy_of(problem_set).pass_mark
    return [
        dict(
            shapes.LearnerSetGrades(
                {
                    **_who(row.enrolment),
                    **_cell(row.whole, points, mark),
                    "items": [
                        _item(item, cell) for item, cell in zip(items, row.items, strict=True) if cell is not None
                    ],
                }
            ).data
        )
        for row in set_rows(problem_set, items, rows)
    ]


def moves_told(moves: Moves) -> dict[str, Any]:
    """What a dry run says. One query."""
    names = usernames_of(one.enrolment for one in moves.listed)
    shares = ("before", "after", "item_before", "item_after")
    listed = [
        {"learner": names[one.enrolment], "name": one.name, **{name: _share(getattr(one, name)) for name in shares}}
        for one in moves.listed
    ]
    said = {"looked_at": moves.looked_at, "raised": moves.raised, "lowered": moves.lowered, "listed": listed}
    return dict(shapes.GradeMoves(said).data)


def overrides_told(rows: Sequence[Override]) -> list[dict[str, Any]]:
    """Scores by hand, with learners and givers. No query."""
    return list(shapes.Override(rows, many=True).data)


def rulings_told(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Rulings, with items, problems and givers. No query."""
    for row in rows:
        row.words = words_of(row)
    return list(shapes.Ruling(rows, many=True).data)


def override_decided(override: Override | None, moves: Moves | None = None) -> dict[str, Any]:
    """A score by hand, or what it would come to."""
    return {
        "moves": moves_told(moves) if moves else None,
        "override": overrides_told([override])[0] if override else None,
    }


def ruling_decided(ruling: Ruling | None, moves: Moves | None = None) -> dict[str, Any]:
    """A ruling, or what it would come to."""
    return {"moves": moves_told(moves) if moves else None, "ruling": rulings_told([ruling])[0] if ruling else None}


def count_as_decided(attempt: Attempt, moves: Moves | None = None) -> dict[str, Any]:
    """An attempt after it was decided what it counts as handed in at, or what that would come to."""
    return {"moves": moves_told(moves) if moves else None, "attempt": attempts_told([attempt], tells=True)[0]}


def _who(enrolment: Any) -> dict[str, Any]:
    """Who a row is about; the enrolment has ``graded_at``."""
    return {
        "learner": enrolment.user.get_username(),
        "name": enrolment.name,
        "external_id": enrolment.external_id,
        "updated_at": enrolment.graded_at,
    }


def _cell(cell: Cell, points: Fraction, pass_mark: Fraction | None) -> Mapping[str, Any]:
    earned = None if cell.score is None else cell.score * points
    return {
        **cell._asdict(),
        **score_told(cell.score, threshold=pass_mark),
        "points": _share(earned),
        "out_of": str(points),
    }


def _item(item: SetItem, cell: ItemCell) -> Mapping[str, Any]:
    return {
        "item": item.pk,
        "tries": cell.tries,
        "is_overridden": cell.is_overridden,
        **score_told(cell.score),
    }


def _share(share: Fraction | None) -> str | None:
    return None if share is None else str(share)
