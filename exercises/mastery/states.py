"""The records of the learner model: one closed step, and where a learner stands at one skill."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from exercises.mastery.constants import CONSTANTS


class Level(StrEnum):
    """How well a skill is held. That a review is due is another fact, and so is the highest level ever held."""

    NOT_STARTED = "not-started"
    LEARNING = "learning"
    PROFICIENT = "proficient"
    MASTERED = "mastered"

    @property
    def rank(self) -> int:
        """0 to 3."""
        return list(Level).index(self)


@dataclass(frozen=True, slots=True)
class ClosedStep:
    """One closed step as evidence: ``e`` in [0, 1], by how much it counts ``w``, and the item it was shown on.

    ``skill`` is the one it speaks about. ``b`` is the item's difficulty in logits, ``g`` its guess floor, as they were
    then. ``study_day`` is the learner's own, stored. ``is_check``: met in a mixed check. ``submission`` is 0 where no
    answer closed it. Of several revisions of one step of one variant only the highest counts.
    """

    skill: str
    variant: int
    step: str
    revision: int
    submission: int
    closed_at: dt.datetime
    study_day: dt.date
    e: float
    w: float
    b: float
    g: float
    tries: int
    hints: int
    is_check: bool

    @property
    def order(self) -> tuple[dt.datetime, int, int, str]:
        """The order of the fold: when it closed, then the submission; the rest only makes it total."""
        return self.closed_at, self.submission, self.variant, self.step

    @property
    def is_unaided(self) -> bool:
        """At full weight, without a hint and without a wrong try before."""
        return self.w >= 1 and self.hints == 0 and self.tries <= 1


@dataclass(frozen=True, slots=True)
class Memory:
    """What FSRS keeps of one card: ``stability`` in days, ``difficulty`` in [1, 10]; days are study days."""

    stability: float
    difficulty: float
    reviewed_on: dt.date
    reviews: int = 1
    lapses: int = 0


@dataclass(frozen=True, slots=True)
class SkillState:
    """Where a learner stands at one skill after all evidence so far. Every field is a column of the table Mastery.

    ``mean`` and ``variance`` are the estimate in logits as of ``last_at``; ``weight`` is the sum of w. ``steps`` counts
    closed steps of its own, ``failures`` those running with e < 0.5. ``first_variant`` is the first one with an unaided
    right step; ``has_second_variant`` whether there was another. ``since`` is when the present level was reached.
    """

    mean: float = CONSTANTS.start_mean
    variance: float = CONSTANTS.start_variance
    weight: float = 0.0
    last_at: dt.datetime | None = None
    steps: int = 0
    failures: int = 0
    unaided_right: int = 0
    first_variant: int | None = None
    has_second_variant: bool = False
    level: Level = Level.NOT_STARTED
    since: dt.datetime | None = None
    highest: Level = Level.NOT_STARTED
    highest_at: dt.datetime | None = None
    memory: Memory | None = None


NOTHING = SkillState()
