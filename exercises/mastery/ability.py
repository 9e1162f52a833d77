"""What a learner can do at one skill: a Gaussian estimate on the logit scale, moved by every observation.

The estimate is a mean and a variance. An observation of strength e on an item of difficulty b with guess floor g moves
the mean by how far e was from what was foreseen, times a step that shrinks as certainty grows: Elo whose K is the
posterior variance (Pelánek 2016 for Elo with learners; the Gaussian step is the usual one of Glicko and of extended
Kalman filters). A gain that fades with practice stands for learning by doing. docs/mastery.md tells it in full.
"""

from math import exp, log, pi, sqrt

from exercises.mastery.constants import CONSTANTS, Constants

#: No item tells a learner from another once σ is this far out; it also keeps p(1 − p) away from 0.
FARTHEST = 20.0
#: A floor nobody guesses under: with more, an answer says nothing.
HIGHEST_GUESS = 0.95
#: Of a normal distribution 80 % lie this many standard deviations or less from the middle.
BAND = 1.2816


def predicted(mean: float, variance: float, *, b: float = 0.0, g: float = 0.0) -> float:
    """p̂, the chance of success at an item, averaged over what is not known of the learner (MacKay's approximation)."""
    floor = _guessing(g)
    return floor + (1 - floor) * _sigmoid((mean - b) / sqrt(1 + pi * max(variance, 0.0) / 8))


def idled(
    mean: float, variance: float, *, days: float, retained: float, constants: Constants = CONSTANTS
) -> tuple[float, float]:
    """The estimate after ``days`` without evidence: nearer to where everybody starts, and less certain.

    ``retained`` in [0, 1] is retrievability now over retrievability at the last evidence, 1 where nothing is scheduled
    yet: a ratio, so that no idle day is charged twice. Less than a day changes nothing.
    """
    if days < 1:
        return mean, variance
    start = constants.start_mean
    kept = min(max(retained, 0.0), 1.0)
    return start + (mean - start) * kept, min(constants.start_variance, variance + constants.idle_variance_a_day * days)


def updated(
    mean: float,
    variance: float,
    weight: float,
    *,
    e: float,
    w: float,
    b: float = 0.0,
    g: float = 0.0,
    constants: Constants = CONSTANTS,
) -> tuple[float, float, float]:
    """(mean, variance, weight) after one observation of strength ``e`` in [0, 1] that counts ``w``; w = 0 changes
    nothing. ``weight`` is the sum of w so far: the gain fades with it.

    Higher e gives a higher mean; e = 0 never raises it (the gain multiplies e) and e = 1 never lowers it.
    """
    if w <= 0:
        return mean, variance, weight
    e = min(max(e, 0.0), 1.0)
    floor = _guessing(g)
    q = _sigmoid(mean - b)
    p = floor + (1 - floor) * q
    slope = (1 - floor) * q * (1 - q)
    spread = p * (1 - p)
    posterior = 1 / (1 / variance + w * slope * slope / spread)
    gain = constants.gain / (1 + weight / constants.gain_fades_over)
    moved = mean + posterior * w * (e - p) * slope / spread + gain * w * e
    return (
        min(max(moved, -constants.bound), constants.bound),
        min(constants.start_variance, posterior + constants.drift_variance * w),
        weight + w,
    )


def surplus(mean: float, variance: float, *, constants: Constants = CONSTANTS) -> float:
    """z: by how many standard deviations the estimate lies above the success that a typical item (b = 0) asks for."""
    needed = log(constants.typical_success / (1 - constants.typical_success))
    return (mean - needed) / sqrt(variance)


def chance(mean: float, variance: float) -> tuple[float, float, float]:
    """Success at a typical item: the middle, and the low and high end of the band that holds it in 80 % of cases."""
    reach = BAND * sqrt(variance)
    return _sigmoid(mean), _sigmoid(mean - reach), _sigmoid(mean + reach)


def _sigmoid(x: float) -> float:
    return 1 / (1 + exp(-min(max(x, -FARTHEST), FARTHEST)))


def _guessing(g: float) -> float:
    return min(max(g, 0.0), HIGHEST_GUESS)
