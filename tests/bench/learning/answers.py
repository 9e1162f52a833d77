"""Answers in the order in which they were given: what every model is asked to foresee, one after the other."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """``right`` or not, by a learner at an item of a skill, ``day`` days after the beginning. ``authored`` is what the
    item's author takes its difficulty to be, in logits."""

    learner: int
    skill: int
    item: int
    day: float
    right: bool
    authored: float = 0.0


@dataclass(frozen=True)
class Stream:
    """Answers in order; those before ``judged_from`` only warm the models up."""

    name: str
    answers: Sequence[Answer]
    judged_from: int = 0
