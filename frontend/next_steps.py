"""Where to go on: the variant that was begun last, and the first problem that one is ready for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exercises.queries import ProblemRow
from frontend.skill_map import SkillEntry


@dataclass(frozen=True)
class NextStep:
    """One problem of the strip above the map, with the words before it."""

    words: str
    row: ProblemRow


def next_steps(rows: Sequence[ProblemRow], entries: Iterable[SkillEntry]) -> list[NextStep]:
    """At most two; none when everything is solved. ``rows`` in the order of the map. No query."""
    begun = [(row.variant.pk, place) for place, row in enumerate(rows) if row.state == "begun" and row.variant]
    found = [NextStep("Go on where you were", rows[max(begun)[1]])] if begun else []
    by_skill = {entry.skill.id: entry for entry in entries}
    ready = (row for row in rows if row.state in ("new", "shown") and _is_ready(row, by_skill))
    first = next(ready, None)
    if first is not None:
        is_start = all(row.state == "new" for row in rows)
        found.append(NextStep("Begin here" if is_start else "Next for you", first))
    return found


def _is_ready(row: ProblemRow, by_skill: dict[str, SkillEntry]) -> bool:
    """Whether something was solved of every skill that its own skills build on, where there is something to solve."""
    needed = {need.id for skill in row.skills for need in by_skill[skill].needs} - set(row.skills)
    return all(by_skill[need].solved or not by_skill[need].rows for need in needed)
