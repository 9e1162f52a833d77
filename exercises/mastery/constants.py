"""The numbers of the learner model: starting values; docs/mastery.md says what is known of each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Constants:
    """Raise ``version`` with any change: every row of evidence names the constants it was weighed by."""

    version: str = "1"
    # Strength of a closed step: r · try_factor^(tries − 1) · hint_factor^hints.
    try_factor: float = 0.6
    hint_factor: float = 0.7
    scaffolded_weight: float = 0.5
    #: Different wrong answers after which a step is closed: later ones could hardly show anything any more.
    most_tries: int = 3
    # The filter, on the logit scale.
    start_mean: float = -0.4
    start_variance: float = 1.0
    gain: float = 0.15
    gain_fades_over: float = 8.0
    drift_variance: float = 0.05
    idle_variance_a_day: float = 0.02
    bound: float = 4.0
    # Credit to direct prerequisites, and blame where a named mistake points at one.
    implicit_from: float = 0.9
    implicit_weight: float = 0.25
    blame_weight: float = 0.5
    # Levels.
    typical_success: float = 0.8
    proficient_from: float = 1.0
    learning_below: float = 0.0
    unaided_steps: int = 3
    check_hours: float = 20.0
    check_passed: float = 0.8
    check_failed: float = 0.5
    mixed_skills: int = 3
    retention: float = 0.9
    exam_retention: float = 0.95
    # Difficulty of an item, by its author's word and by how it moves.
    author_difficulty: float = 0.7
    difficulty_step: float = 0.5
    difficulty_fade: float = 0.05
    difficulty_bound: float = 3.0


CONSTANTS = Constants()
