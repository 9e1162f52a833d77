"""Regrades, and whom one moves."""

from collections.abc import Sequence
from typing import Any

from exercises.models import RegradeEvent, RegradeMove
from exercises.queries.regrades import Why, move_counts, why_moved
from grader.verdict import Mark
from server.api.shapes import regrades as shapes


def regrades_told(rows: Sequence[RegradeEvent]) -> list[dict[str, Any]]:
    """Regrades with problem, version, set and who made them. No query."""
    return list(shapes.Regrade(rows, many=True).data)


def regrade_told(event: RegradeEvent) -> dict[str, Any]:
    """One regrade with how many it moves. Two queries."""
    counts = vars(move_counts(event))
    return {**regrades_told([event])[0], "moves": dict(shapes.RegradeMoves(counts).data)}


def moves_told(event: RegradeEvent, rows: Sequence[RegradeMove]) -> list[dict[str, Any]]:
    """A page of moves, with why. One query."""
    why = why_moved(event, [row.attempt_item_id for row in rows])
    return [dict(shapes.RegradeMove(_move(row, why.get(row.attempt_item_id, []))).data) for row in rows]


def _move(row: RegradeMove, why: Sequence[Why]) -> dict[str, Any]:
    place = row.attempt_item
    names = ("item_before", "item_after", "attempt_before", "attempt_after", "is_raised")
    return {
        **{name: getattr(row, name) for name in names},
        "attempt": place.attempt.public_id,
        "problem_set": place.attempt.problem_set.public_id,
        "learner": place.attempt.learner.get_username(),
        "position": place.position,
        "why": [_why(one) for one in why],
    }


def _why(one: Why) -> dict[str, Any]:
    return {
        "submission": one.change.submission.public_id,
        "before": str(one.before),
        "after": str(one.after),
        "steps": [{"step": step.step, "before": _mark(step.before), "after": _mark(step.after)} for step in one.steps],
    }


def _mark(mark: Mark | None) -> dict[str, Any] | None:
    return mark.to_json() if mark else None
