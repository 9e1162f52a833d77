"""How strongly one closed step speaks for a skill."""

from exercises.mastery.constants import CONSTANTS, Constants


def strength(
    correctness: float, *, tries: int, hints: int, is_revealed: bool, constants: Constants = CONSTANTS
) -> float:
    """e in [0, 1]: what was right in the end, less for every wrong try before it and for every hint.

    ``correctness`` r in [0, 1] is judged by the learner's own carried values, ``tries`` counts graded tries with
    different answers, the last included. A solution that was shown before the step was right leaves nothing of it.
    A hint takes a share, so a step with hints never falls below a wrong one. This is not the mark: marks never use e.
    """
    if is_revealed:
        return 0.0
    right = min(max(correctness, 0.0), 1.0)
    return right * constants.try_factor ** max(tries - 1, 0) * constants.hint_factor ** max(hints, 0)
