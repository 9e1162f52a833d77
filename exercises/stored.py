"""How states and closed steps stand in the tables Mastery and Evidence: the one place that turns rows into records."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from exercises.mastery.states import ClosedStep, Level, Memory, SkillState
from exercises.models import Evidence

#: The columns of a SkillState, those of its memory last.
STATE_COLUMNS = (
    "mean",
    "variance",
    "weight",
    "last_at",
    "steps",
    "failures",
    "unaided_right",
    "first_variant",
    "has_second_variant",
    "level",
    "since",
    "highest",
    "highest_at",
    "stability",
    "difficulty",
    "reviewed_on",
    "reviews",
    "lapses",
)
_LEVELS = {level.value: level for level in Level}
_LEVEL, _HIGHEST, _MEMORY = (STATE_COLUMNS.index(name) for name in ("level", "highest", "stability"))
#: The columns of a ClosedStep, in the order of its fields.
CLOSED_COLUMNS = (
    "skill",
    "variant_id",
    "step",
    "revision",
    "submission_id",
    "closed_at",
    "study_day",
    "e",
    "w",
    "b",
    "g",
    "tries",
    "hints",
    "is_check",
)
_SUBMISSION = CLOSED_COLUMNS.index("submission_id")


def state_of(values: Sequence[Any]) -> SkillState:
    """The state that stands in these values of STATE_COLUMNS."""
    plain = list(values[:_MEMORY])
    plain[_LEVEL], plain[_HIGHEST] = _LEVELS[plain[_LEVEL]], _LEVELS[plain[_HIGHEST]]
    stability, difficulty, reviewed_on, reviews, lapses = values[_MEMORY:]
    memory = None if stability is None else Memory(stability, difficulty, reviewed_on, reviews, lapses)
    return SkillState(*[*plain, memory])


def mastery_values(learner: int, skill: str, state: SkillState) -> dict[str, Any]:
    """The values of the row that holds a state."""
    return {
        "learner_id": learner,
        "skill": skill,
        "mean": state.mean,
        "variance": state.variance,
        "weight": state.weight,
        "last_at": state.last_at,
        "steps": state.steps,
        "failures": state.failures,
        "unaided_right": state.unaided_right,
        "first_variant": state.first_variant,
        "has_second_variant": state.has_second_variant,
        "level": state.level.value,
        "since": state.since,
        "highest": state.highest.value,
        "highest_at": state.highest_at,
        **memory_values(state.memory),
    }


def memory_values(memory: Memory | None) -> dict[str, Any]:
    """The columns that hold a memory, of a skill or of a card."""
    return {
        "stability": memory.stability if memory else None,
        "difficulty": memory.difficulty if memory else None,
        "reviewed_on": memory.reviewed_on if memory else None,
        "reviews": memory.reviews if memory else 0,
        "lapses": memory.lapses if memory else 0,
    }


def closed_step(values: Sequence[Any]) -> ClosedStep:
    """The closed step that stands in these values of CLOSED_COLUMNS."""
    plain = list(values)
    plain[_SUBMISSION] = plain[_SUBMISSION] or 0
    return ClosedStep(*plain)


def closed_step_of(row: Evidence) -> ClosedStep:
    """The same of a row."""
    return closed_step([getattr(row, name) for name in CLOSED_COLUMNS])


def that_count(rows: QuerySet[Evidence]) -> QuerySet[Evidence]:
    """Without the rows that a later revision stands for, whatever skill that one speaks about."""
    newer = Evidence.objects.filter(
        variant=OuterRef("variant"), step=OuterRef("step"), revision__gt=OuterRef("revision")
    )
    # Said once more for the index that holds nothing but these: they are few, and looked up for every row.
    return rows.filter(~Exists(newer.filter(revision__gt=0)))
