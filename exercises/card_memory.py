"""What a learner remembers of a card: how a state of the schedule stands in its row, and in the log of reviews."""

import datetime as dt
from typing import Any

from exercises.decks.schedule import NEVER, CardState, comes_on
from exercises.mastery.states import Memory
from exercises.models import CardMemory
from exercises.stored import memory_values


def state_of(memory: CardMemory | None) -> CardState:
    """A stored memory as the fold has it."""
    if memory is None or memory.stability is None or memory.difficulty is None or memory.reviewed_on is None:
        return NEVER
    kept = Memory(memory.stability, memory.difficulty, memory.reviewed_on, memory.reviews, memory.lapses)
    is_again = memory.due_on == memory.reviewed_on
    return CardState(kept, is_again, memory.last_at, memory.leech_since)


def columns_of(state: CardState, due: dt.date | None) -> dict[str, Any]:
    """A state as the columns of its row."""
    return {**memory_values(state.memory), "due_on": due, "last_at": state.last_at, "leech_since": state.leech_since}


def logged(state: CardState, due: dt.date | None) -> dict[str, Any] | None:
    """A state as the log keeps it, in JSON; None where there was nothing."""
    if state.memory is None:
        return None
    kept = {**memory_values(state.memory), "due_on": due}
    return {name: value.isoformat() if isinstance(value, dt.date) else value for name, value in kept.items()}


def due_of(state: CardState, *, learner_id: int, card_id: int, exam_on: dt.date | None) -> dt.date | None:
    """The study day on which a learner's card comes again in this state; None if it was never reviewed."""
    return comes_on(state, key=f"{learner_id}:{card_id}", exam_on=exam_on)
