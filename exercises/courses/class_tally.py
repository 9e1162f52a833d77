"""Counting up where a class stands and which mistakes it makes: counts only, nothing about anybody."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: Variants of a learner in which a mistake could show, before they count for how common it is.
LEAST_VARIANTS = 2
#: Failures running from which somebody is stuck at a skill.
STUCK = 2


@dataclass
class ClassTally:
    """All of it so far: learners, for each skill how many stand at each level, are due and are stuck, for each named
    mistake how many are likely to make it, of how many, how often it was made, and the last variant with it."""

    learners: int = 0
    levels: dict[str, dict[str, int]] = field(default_factory=dict)
    due: dict[str, int] = field(default_factory=dict)
    stuck: dict[str, int] = field(default_factory=dict)
    mistakes: dict[str, dict[str, Any]] = field(default_factory=dict)

    def take_standing(self, skill: str, level: str, *, is_due: bool, failures: int) -> None:
        """Where one more learner stands at a skill."""
        counts = self.levels.setdefault(skill, {})
        counts[level] = counts.get(level, 0) + 1
        if is_due:
            self.due[skill] = self.due.get(skill, 0) + 1
        if failures >= STUCK:
            self.stuck[skill] = self.stuck.get(skill, 0) + 1

    def take_mistake(self, note: str, *, is_likely: bool, k: int, n: int, variant: int | None, step: str) -> None:
        """One more learner with whom a mistake could show ``n`` times and did ``k`` times."""
        if n < LEAST_VARIANTS and not k:
            return
        held = self.mistakes.setdefault(note, {"likely": 0, "learners": 0, "made": 0, "variant": None, "step": ""})
        held["made"] += k
        if n >= LEAST_VARIANTS:
            held["learners"] += 1
            held["likely"] += is_likely
        if variant is not None and (held["variant"] is None or variant > held["variant"]):
            held["variant"], held["step"] = variant, step

    def to_json(self) -> dict[str, Any]:
        """Plain data, which ``from_json`` goes on from."""
        return dict(vars(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ClassTally":
        """The tally that ``to_json`` wrote."""
        return cls(**data)
