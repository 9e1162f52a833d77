"""How hard an item is: one step of one problem, in logits, whatever numbers were drawn (docs/mastery.md)."""

from collections.abc import Hashable, Mapping
from math import exp, log, pi, sqrt
from typing import TypeVar

from exercises.mastery.constants import CONSTANTS, Constants

Item = TypeVar("Item", bound=Hashable)

_SIGN = {"easy": -1, "medium": 0, "hard": 1}
#: The variance of an estimate when an item is met first lies between about 0.5 and 1; a row does not keep it, and
#: foreseeing divides logits by 1.09 to 1.18 for it, so little is lost by one value for all.
TYPICAL_VARIANCE = 0.7
#: Chances are kept this far from 0 and 1, where a logit has no end.
_EDGE = 1e-6


def author_difficulty(level: str, constants: Constants = CONSTANTS) -> float:
    """The difficulty to start from: −0.7, 0 or +0.7 for the author's ``easy``, ``medium`` or ``hard``.

    Raises ValueError for any other word.
    """
    if level not in _SIGN:
        raise ValueError(f"{level!r} is no level of difficulty: write easy, medium or hard.")
    return _SIGN[level] * constants.author_difficulty


def guess_floor(kind: str, options: int) -> float:
    """How often somebody who knows nothing is right at a step with so many options: 1/k where one of k is chosen, 0.5^k
    where each of k is ticked or not (``choices``), and 0 where there are none to choose from."""
    if options <= 0:
        return 0.0
    return float(0.5**options) if kind == "choices" else 1 / options


def foreseen(predicted: float, *, then: float, now: float, g: float = 0.0) -> float:
    """The p̂ of a row as it would have been at the difficulty ``now``, from the one stored at the difficulty ``then``.

    With x = logit((p̂ − g) / (1 − g)), which is (μ − then) / √(1 + π·v/8), it is g + (1 − g)·σ(x + (then − now) / √…),
    where v is taken as 0.7. The guess floor ``g`` is below 1. Never outside [g, 1].
    """
    chance = min(max((predicted - g) / (1 - g), _EDGE), 1 - _EDGE)
    x = log(chance / (1 - chance)) + (then - now) / sqrt(1 + pi * TYPICAL_VARIANCE / 8)
    return g + (1 - g) / (1 + exp(-x))


def moved(b: float, n: int, *, e: float, predicted: float, constants: Constants = CONSTANTS) -> tuple[float, int]:
    """Difficulty and number of rows behind it after one more row: b − 0.5 / (1 + 0.05 n) · (e − p̂), n + 1.

    Harder if the answer was worse than foreseen. ``predicted`` must be what is foreseen at this very b: then it comes
    to rest where answers are as foreseen, while against a chance that does not follow b it would never stop. Only for
    rows of a first, unaided meeting at full weight: later ones say more about the learner than about the item. Kept
    within ±3.
    """
    step = constants.difficulty_step / (1 + constants.difficulty_fade * n)
    return bounded(b - step * (e - predicted), constants), n + 1


def bounded(b: float, constants: Constants = CONSTANTS) -> float:
    """The difficulty within ±3: beyond it next to everybody or next to nobody succeeds, and answers tell no more."""
    return min(max(b, -constants.difficulty_bound), constants.difficulty_bound)


def recentred(values: Mapping[Item, float], skill_of: Mapping[Item, str]) -> dict[Item, float]:
    """The same difficulties with a mean of 0 over the items of each skill, and their distances kept.

    Only the distance of ability and difficulty can be seen in answers, so both together could drift anywhere.
    Raises KeyError for an item without a skill. An item that would end up
    outside ±3 by it stays at that end.
    """
    by_skill: dict[str, list[float]] = {}
    for item, b in values.items():
        by_skill.setdefault(skill_of[item], []).append(b)
    means = {skill: sum(found) / len(found) for skill, found in by_skill.items()}
    return {item: bounded(b - means[skill_of[item]]) for item, b in values.items()}
