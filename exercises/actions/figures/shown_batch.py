"""What a set shows of its learners, once they may know of it, as evidence: some hundred variants at a time."""

from typing import Any

from exercises.actions.scores import keep_some_released
from exercises.models import Figures


def shown_batch(row: Figures, work: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """One batch, in a transaction of its own; safe twice. There are no figures in the end."""
    if row.problem_set is None:
        raise ValueError("What is shown is shown of a set.")
    reached = keep_some_released(problem_set=row.problem_set, after=work.get("reached", 0), seconds=0)
    return ({}, {}) if reached is None else ({"reached": reached}, None)
