"""When a rule says that a learner can do it, and how often it should not have.

A rule gives for each learner the number of the answer after which it first says so, or -1 if it never does.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, log
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from exercises.mastery import ability
from exercises.mastery.constants import CONSTANTS, Constants
from exercises.mastery.fold import advanced
from exercises.mastery.states import NOTHING, Level
from tests.bench.learning.models import Bkt, Elo, MovingAverage, closed_step
from tests.bench.learning.worlds import Practice

Right = NDArray[np.bool_]
Declared = NDArray[np.int64]
Rule = Callable[[Right], Declared]
State = TypeVar("State")


@dataclass(frozen=True)
class Declaration:
    """Of those whom the rule declared: the share whose success at a typical step was below 0.8, and the answers it
    took; and the share of all learners whom it ever declared."""

    false: float
    steps: float
    declared: float


def declaration(rule: Rule, practice: Practice) -> Declaration:
    """What comes of ``rule`` in a world; all zeros where it declares nobody."""
    at = rule(practice.right)
    who = np.flatnonzero(at >= 0)
    if not who.size:
        return Declaration(0.0, 0.0, 0.0)
    is_false = practice.success[who, at[who]] < CONSTANTS.typical_success - 1e-9
    return Declaration(float(is_false.mean()), float(at[who].mean() + 1), float(who.size / at.size))


def in_a_row(count: int) -> Rule:
    """So many right answers running."""

    def rule(right: Right) -> Declared:
        running, reached = np.zeros(len(right), dtype=int), np.zeros(right.shape, dtype=bool)
        for turn in range(right.shape[1]):
            running = np.where(right[:, turn], running + 1, 0)
            reached[:, turn] = running >= count
        return _first(reached)

    return rule


def bkt(right: Right) -> Declared:
    """P(known) of default BKT at 0.95."""
    return _one_by_one(right, Bkt.KNOWN, Bkt.traced, lambda known: known >= 0.95)


def elo(right: Right) -> Declared:
    """Elo's ability above what success of 0.8 at a typical step asks for, after five answers at least."""
    line = log(CONSTANTS.typical_success / (1 - CONSTANTS.typical_success))

    def step(state: tuple[float, int], is_right: bool) -> tuple[float, int]:
        theta, seen = state
        return theta + (is_right - 1 / (1 + exp(-theta))) / (1 + Elo.FADE * seen), seen + 1

    return _one_by_one(right, (0.0, 0), step, lambda state: state[0] >= line and state[1] >= 5)


def moving_average(right: Right) -> Declared:
    """The share of right answers of late at 0.9."""
    share = MovingAverage.SHARE
    return _one_by_one(right, 0.5, lambda mean, is_right: mean + share * (is_right - mean), lambda mean: mean >= 0.9)


def proficient(right: Right) -> Declared:
    """The product: its own fold, until it says proficient."""
    declared = np.full(len(right), -1)
    for learner, answers in enumerate(right.tolist()):
        state = NOTHING
        for number, is_right in enumerate(answers):
            state = advanced(state, closed_step(number, e=float(is_right)), is_own=True)
            if state.level is Level.PROFICIENT:
                declared[learner] = number
                break
    return declared


def filtered(constants: Constants) -> Rule:
    """The product's estimate alone, at another line or with another gain."""
    start = (constants.start_mean, constants.start_variance, 0.0)

    def step(state: tuple[float, float, float], is_right: bool) -> tuple[float, float, float]:
        return ability.updated(*state, e=float(is_right), w=1.0, constants=constants)

    return lambda right: _one_by_one(
        right, start, step, lambda state: ability.surplus(state[0], state[1]) >= constants.proficient_from
    )


RULES: dict[str, Rule] = {
    "3 in a row": in_a_row(3),
    "5 in a row": in_a_row(5),
    "BKT at 0.95": bkt,
    "Elo above the line": elo,
    "moving average at 0.9": moving_average,
    "this product": proficient,
    "... line at 0.5": filtered(replace(CONSTANTS, proficient_from=0.5)),
    "... line at 1.28": filtered(replace(CONSTANTS, proficient_from=1.28)),
    "... gain never fading": filtered(replace(CONSTANTS, gain_fades_over=1e9)),
}


def _one_by_one(
    right: Right, start: State, step: Callable[[State, bool], State], is_enough: Callable[[State], bool]
) -> Declared:
    declared = np.full(len(right), -1)
    for learner, answers in enumerate(right.tolist()):
        state = start
        for number, is_right in enumerate(answers):
            state = step(state, is_right)
            if is_enough(state):
                declared[learner] = number
                break
    return declared


def _first(reached: Right) -> Declared:
    return np.where(reached.any(axis=1), reached.argmax(axis=1), -1)
