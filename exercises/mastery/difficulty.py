"""How hard an item is: one step of one problem, in logits, whatever numbers were drawn (docs/mastery.md)."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

from exercises.mastery.constants import CONSTANTS, Constants

Item = TypeVar("Item", bound=Hashable)

_SIGN = {"easy": -1, "medium": 0, "hard": 1}


def author_difficulty(level: str, constants: Constants = CONSTANTS) -> float:
    """The difficulty to start from: −0.7, 0 or +0.7 for the author's ``easy``, ``medium`` or ``hard``.

    Raises ValueError for any other word.
    """
    if level not in _SIGN:
        raise ValueError(f"{level!r} is no level of difficulty: write easy, medium or hard.")
    return _SIGN[level] * constants.author_difficulty


def moved(b: float, n: int, *, e: float, predicted: float, constants: Constants = CONSTANTS) -> tuple[float, int]:
    """Difficulty and number of rows behind it after one more row: b − 0.5 / (1 + 0.05 n) · (e − p̂), n + 1.

    Harder if the answer was worse than foreseen. Only for rows of a first, unaided meeting at full weight: later ones
    say more about the learner than about the item.
    """
    step = constants.difficulty_step / (1 + constants.difficulty_fade * n)
    return b - step * (e - predicted), n + 1


def recentred(values: Mapping[Item, float], skill_of: Mapping[Item, str]) -> dict[Item, float]:
    """The same difficulties with a mean of 0 over the items of each skill, and their distances kept.

    Only the distance of ability and difficulty can be seen in answers, so both together could drift anywhere.
    Raises KeyError for an item without a skill.
    """
    by_skill: dict[str, list[float]] = {}
    for item, b in values.items():
        by_skill.setdefault(skill_of[item], []).append(b)
    means = {skill: sum(found) / len(found) for skill, found in by_skill.items()}
    return {item: b - means[skill_of[item]] for item, b in values.items()}
