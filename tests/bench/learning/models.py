"""The models side by side. Each says how likely the next answer is right, and only then learns it.

BKT, Elo and the moving average are here to be compared with, at the values their sources name; the product has none.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from math import exp
from typing import Protocol

from exercises.mastery import ability
from exercises.mastery.constants import CONSTANTS, Constants
from exercises.mastery.difficulty import moved
from exercises.mastery.fold import advanced
from exercises.mastery.levels import idle_until
from exercises.mastery.states import NOTHING, ClosedStep, SkillState
from tests.bench.learning.answers import Answer

START = dt.datetime(2026, 1, 5, 12, tzinfo=dt.UTC)


class Model(Protocol):
    """A model in the middle of a stream."""

    def learn(self, answer: Answer) -> float:
        """The chance of a right answer as foreseen before ``answer`` was seen."""
        ...


class Bkt:
    """Bayesian knowledge tracing (Corbett & Anderson 1995) with default parameters, fitted to nothing."""

    KNOWN, LEARN, SLIP, GUESS = 0.3, 0.15, 0.1, 0.05

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], float] = defaultdict(lambda: self.KNOWN)

    def learn(self, answer: Answer) -> float:
        place = (answer.learner, answer.skill)
        known = self.known[place]
        foreseen = known * (1 - self.SLIP) + (1 - known) * self.GUESS
        self.known[place] = self.traced(known, answer.right)
        return foreseen

    @classmethod
    def traced(cls, known: float, right: bool) -> float:
        """P(known) after one more answer."""
        knew = known * (1 - cls.SLIP if right else cls.SLIP)
        did_not = (1 - known) * (cls.GUESS if right else 1 - cls.GUESS)
        after = knew / (knew + did_not)
        return after + (1 - after) * cls.LEARN


class Elo:
    """Elo for learners and items (Pelánek 2016): K = 1 / (1 + 0.05 n) on either side."""

    FADE = 0.05

    def __init__(self) -> None:
        self.learners: dict[tuple[int, int], tuple[float, int]] = defaultdict(lambda: (0.0, 0))
        self.items: dict[int, tuple[float, int]] = {}

    def learn(self, answer: Answer) -> float:
        place = (answer.learner, answer.skill)
        theta, seen = self.learners[place]
        b, shown = self.items.get(answer.item, (answer.authored, 0))
        foreseen = 1 / (1 + exp(b - theta))
        missed = answer.right - foreseen
        self.learners[place] = (theta + missed / (1 + self.FADE * seen), seen + 1)
        self.items[answer.item] = (b - missed / (1 + self.FADE * shown), shown + 1)
        return foreseen


class MovingAverage:
    """The share of right answers, of late: each new one counts 0.3. Never surer than 0.02, for the log-loss."""

    SHARE, SUREST = 0.3, 0.02

    def __init__(self) -> None:
        self.means: dict[tuple[int, int], float] = defaultdict(lambda: 0.5)

    def learn(self, answer: Answer) -> float:
        place = (answer.learner, answer.skill)
        mean = self.means[place]
        self.means[place] = mean + self.SHARE * (answer.right - mean)
        return min(max(mean, self.SUREST), 1 - self.SUREST)


class ItemMean:
    """The share of right answers at the item so far, whoever gave them: what there is to know without learners."""

    def __init__(self) -> None:
        self.items: dict[int, tuple[float, int]] = defaultdict(lambda: (1.0, 2))

    def learn(self, answer: Answer) -> float:
        right, shown = self.items[answer.item]
        self.items[answer.item] = (right + answer.right, shown + 1)
        return right / shown


class Gym:
    """The product's own fold, with memory, levels and item difficulties, as it stands in exercises.mastery."""

    def __init__(self) -> None:
        self.states: dict[tuple[int, int], SkillState] = defaultdict(lambda: NOTHING)
        self.items: dict[int, tuple[float, int]] = {}

    def learn(self, answer: Answer) -> float:
        place = (answer.learner, answer.skill)
        state = self.states[place]
        b, shown = self.items.get(answer.item, (answer.authored, 0))
        row = closed_step(state.steps, day=answer.day, e=float(answer.right), b=b)
        foreseen = ability.predicted(*idle_until(state, row.closed_at, row.study_day), b=b)
        self.states[place] = advanced(state, row, is_own=True)
        self.items[answer.item] = moved(b, shown, e=row.e, predicted=foreseen)
        return foreseen


class Filter:
    """The product's filter and item difficulties alone: for tests that are over in one sitting."""

    def __init__(self, constants: Constants = CONSTANTS) -> None:
        self.constants = constants
        start = (constants.start_mean, constants.start_variance, 0.0)
        self.learners: dict[tuple[int, int], tuple[float, float, float]] = defaultdict(lambda: start)
        self.items: dict[int, tuple[float, int]] = {}

    def learn(self, answer: Answer) -> float:
        place = (answer.learner, answer.skill)
        state = self.learners[place]
        b, shown = self.items.get(answer.item, (answer.authored, 0))
        foreseen = ability.predicted(state[0], state[1], b=b)
        e = float(answer.right)
        self.learners[place] = ability.updated(*state, e=e, w=1.0, b=b, constants=self.constants)
        self.items[answer.item] = moved(b, shown, e=e, predicted=foreseen, constants=self.constants)
        return foreseen


def closed_step(number: int, *, day: float = 0.0, e: float, b: float = 0.0) -> ClosedStep:
    """The ``number``-th step of somebody at a skill, at the first try and without help, three to a variant."""
    at = START + dt.timedelta(days=day)
    return ClosedStep(
        skill="",
        variant=number // 3,
        step="",
        revision=0,
        submission=number,
        closed_at=at,
        study_day=at.date(),
        e=e,
        w=1.0,
        b=b,
        g=0.0,
        tries=1,
        hints=0,
        is_check=False,
    )


#: Nothing is learnt while a test is sat, so nothing may be gained by sitting it.
WITHOUT_GAIN = replace(CONSTANTS, gain=0.0)

COMPARED: dict[str, Callable[[], Model]] = {
    "BKT": Bkt,
    "Elo": Elo,
    "moving average": MovingAverage,
    "item mean": ItemMean,
}
