"""Simulated learners whose true success is known. The worlds are made up: they show how a model fails, not that it
is true. Every one is drawn from a fixed seed."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tests.bench.learning.answers import Answer, Stream

Floats = NDArray[np.float64]

LEARNERS, SKILLS, ANSWERS, ITEMS = 400, 4, 30, 8
#: Answers at one skill in one sitting.
SITTING = 5
#: Days in which what was gained falls to a third, where it fades.
FADES_OVER = 20
#: Bayesian knowledge tracing as a world: known at first, learnt by a step, slip, guess.
KNOWN, LEARNT, SLIP, GUESS = 0.25, 0.12, 0.08, 0.08


def bkt_stream(seed: int = 1) -> Stream:
    """A skill is known or not, is learnt at one stroke, and all items are alike: the ground BKT stands on."""
    rng = np.random.default_rng(seed)
    shape = (LEARNERS, SKILLS, ANSWERS)
    known = _known_at(rng, shape)
    right = rng.random(shape) < np.where(known, 1 - SLIP, GUESS)
    return _stream("BKT world", rng, right, np.zeros(SKILLS * ITEMS))


class Teaches(StrEnum):
    """What moves a learner's ability on: right answers alone, or whatever is answered."""

    SUCCESS = "what goes right teaches"
    ANYTHING = "every answer teaches"


def logistic_stream(*, teaches: Teaches = Teaches.SUCCESS, forgets: bool = False, seed: int = 2) -> Stream:
    """Ability grows with practice, quickly at first, quicker with some; items differ, and their authors half know how.

    With ``forgets``, days pass between sittings, and what was gained fades with them.
    """
    rng = np.random.default_rng(seed)
    shape = (LEARNERS, SKILLS, ANSWERS)
    b = rng.normal(0, 0.7, SKILLS * ITEMS)
    item = _items(rng, shape)
    start = rng.normal(-0.4, 0.7, (LEARNERS, 1)) + rng.normal(0, 0.7, (LEARNERS, SKILLS))
    rate = np.abs(rng.normal(0.15, 0.07, (LEARNERS, SKILLS)))
    gaps = rng.integers(2, 15, (LEARNERS, SKILLS, ANSWERS // SITTING)) if forgets else None
    gained = np.zeros((LEARNERS, SKILLS))
    right = np.zeros(shape, dtype=bool)
    for turn in range(ANSWERS):
        if gaps is not None and turn and turn % SITTING == 0:
            gained *= np.exp(-gaps[:, :, turn // SITTING] / FADES_OVER)
        success = _sigmoid(start + gained - b[item[:, :, turn]])
        right[:, :, turn] = rng.random((LEARNERS, SKILLS)) < success
        taught = right[:, :, turn] if teaches is Teaches.SUCCESS else 1
        gained += rate / (1 + turn / 8) * taught
    authored = np.where(np.abs(b) < 0.35, 0.0, 0.7 * np.sign(b))
    name = f"logistic world, {teaches}{', and fades' if forgets else ''}"
    return _stream(name, rng, right, authored, item=item, gaps=gaps)


@dataclass(frozen=True)
class Practice:
    """Learners who practise one skill: answers, and the true success at a typical step after each of them, both
    (learners, answers)."""

    name: str
    right: NDArray[np.bool_]
    success: Floats


def growing(learners: int, *, to_a_ceiling: bool, answers: int = 60, seed: int = 3) -> Practice:
    """Ability grows with every step, quicker with some. With a ceiling it stops somewhere about 0.88, with some short
    of 0.8 for good."""
    rng = np.random.default_rng(seed)
    start = rng.normal(-1, 1, (learners, 1))
    rate = np.abs(rng.normal(0.2, 0.1, (learners, 1)) if to_a_ceiling else rng.normal(0.12, 0.06, (learners, 1)))
    ability = start + rate * np.arange(answers + 1)
    if to_a_ceiling:
        ability = np.minimum(ability, np.maximum(rng.normal(2, 0.5, (learners, 1)), start))
    success = _sigmoid(ability)
    right = rng.random((learners, answers)) < success[:, :-1]
    return Practice("growing to a ceiling" if to_a_ceiling else "growing ability", right, success[:, 1:])


def knowing(learners: int, *, answers: int = 60, seed: int = 4) -> Practice:
    """The BKT world, for one skill: success is one of two values."""
    rng = np.random.default_rng(seed)
    known = _known_at(rng, (learners, answers + 1))
    success = np.where(known, 1 - SLIP, GUESS)
    right = rng.random((learners, answers)) < success[:, :-1]
    return Practice("BKT world", right, success[:, 1:])


def steady(learners: int, success: float, *, answers: int = 60, seed: int = 5) -> Practice:
    """Learners whose success never changes, whatever they do."""
    rng = np.random.default_rng(seed)
    right = rng.random((learners, answers)) < success
    return Practice(f"steady at {success:g}", right, np.full((learners, answers), success))


def _known_at(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Whether the skill is known at each answer, along the last axis: learnt after a geometric number of them."""
    ahead = np.where(rng.random(shape[:-1]) < KNOWN, 0, rng.geometric(LEARNT, shape[:-1]))
    return np.arange(shape[-1]) >= ahead[..., None]


def _items(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64]:
    return rng.integers(0, ITEMS, shape) + ITEMS * np.arange(SKILLS)[None, :, None]


def _stream(
    name: str,
    rng: np.random.Generator,
    right: NDArray[np.bool_],
    authored: Floats,
    *,
    item: NDArray[np.int64] | None = None,
    gaps: NDArray[np.int64] | None = None,
) -> Stream:
    """Everybody's first answers, then everybody's second ones: item difficulties are learnt from all together."""
    item = _items(rng, right.shape) if item is None else item
    day = np.zeros(right.shape)
    if gaps is not None:
        gaps[:, :, 0] = 0
        day = np.repeat(np.cumsum(gaps, axis=2), SITTING, axis=2).astype(float)
    answers = [
        Answer(
            learner,
            skill,
            int(item[learner, skill, turn]),
            float(day[learner, skill, turn]),
            bool(right[learner, skill, turn]),
            float(authored[item[learner, skill, turn]]),
        )
        for turn in range(right.shape[2])
        for learner in range(right.shape[0])
        for skill in range(right.shape[1])
    ]
    return Stream(name, answers)


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-x)))
