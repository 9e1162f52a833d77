"""Where to go on: the variant that was begun last, and the exercise that comes next by the learner model."""

from collections.abc import Sequence
from dataclasses import dataclass

from exercises.mastery.choosing import Choice
from exercises.queries import ProblemRow

GO_ON, BEGIN, NEXT = "Go on where you were", "Begin here", "Next for you"


@dataclass(frozen=True)
class NextStep:
    """One problem of the strip above the map, with the words before it and why it comes now; ``skill`` is what it is
    proposed for, where it is drawn anew."""

    words: str
    row: ProblemRow
    reason: str = ""
    skill: str = ""


def next_steps(rows: Sequence[ProblemRow], choice: Choice | None) -> list[NextStep]:
    """At most two; none with nothing begun and nothing to choose. ``rows`` in the order of the map. No query."""
    begun = [(row.variant.pk, place) for place, row in enumerate(rows) if row.state == "begun" and row.variant]
    current = rows[max(begun)[1]] if begun else None
    chosen = next((row for row in rows if choice and row.problem.slug == choice.slug), None)
    reason = choice.reason if choice else ""
    if current is not None and chosen is not None and chosen.problem.pk == current.problem.pk:
        return [NextStep(GO_ON, current, reason)]
    found = [NextStep(GO_ON, current)] if current else []
    if chosen is not None:
        is_start = all(row.state == "new" for row in rows)
        found.append(NextStep(BEGIN if is_start else NEXT, chosen, reason, choice.skill if choice else ""))
    return found
