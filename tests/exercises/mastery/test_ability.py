"""The filter gives the numbers it was measured with, and keeps its promises for any input."""

from math import inf, isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.mastery.ability import chance, idled, predicted, surplus, updated
from exercises.mastery.constants import CONSTANTS

BOUND = CONSTANTS.bound
MEANS = st.floats(-BOUND, BOUND)
VARIANCES = st.floats(1e-3, CONSTANTS.start_variance)
WEIGHTS = st.floats(0, 1000)
STRENGTHS = st.floats(0, 1)
COUNTS = st.sampled_from([0.125, 0.25, 0.5, 1.0])
DIFFICULTIES = st.floats(-3, 3)
GUESSES = st.sampled_from([0.0, 0.25, 1 / 3, 0.5])


@pytest.mark.parametrize(
    ("e", "changes", "mean", "variance"),
    [
        (1.0, {}, 0.2327, 0.8563),
        (0.0, {}, -0.7236, 0.8563),
        (0.5, {}, -0.2454, 0.8563),
        (0.42, {}, -0.3219, 0.8563),
        (1.0, {"w": 0.5}, -0.0578, 0.9178),
        (1.0, {"g": 0.25}, 0.0391, 0.9340),
        (0.0, {"g": 0.25}, -0.7548, 0.9340),
        (1.0, {"b": 0.7}, 0.3819, 0.8922),
        (1.0, {"n": 8.0}, 0.1577, 0.8563),
        (1.0, {"w": 0.0}, -0.4, 1.0),
    ],
)
def test_one_observation_from_the_start(e: float, changes: dict[str, float], mean: float, variance: float) -> None:
    how = {"w": 1.0, "b": 0.0, "g": 0.0} | changes
    before = how.pop("n", 0.0)
    after = updated(-0.4, 1.0, before, e=e, **how)
    assert after == pytest.approx((mean, variance, before + how["w"]), abs=1e-4)


def test_ten_right_answers_lead_to_proficiency_and_one_slip_after_them_does_not_undo_it() -> None:
    means = [0.2327, 0.6786, 1.0165, 1.2888, 1.5177, 1.7162, 1.8920, 2.0504, 2.1947, 2.3276]
    lines = [-1.247, -0.813, -0.443, -0.120, 0.163, 0.412, 0.631, 0.825, 0.997, 1.149]
    state = (-0.4, 1.0, 0.0)
    for mean, line in zip(means, lines, strict=True):
        state = updated(*state, e=1.0, w=1.0)
        assert state[0] == pytest.approx(mean, abs=1e-4)
        assert surplus(*state[:2]) == pytest.approx(line, abs=1e-3)
    state = updated(*state, e=0.0, w=1.0)
    assert state[:2] == pytest.approx((1.7475, 0.6866), abs=1e-4)
    assert surplus(*state[:2]) == pytest.approx(0.436, abs=1e-3)
    for _ in range(4):
        state = updated(*state, e=1.0, w=1.0)
    assert surplus(*state[:2]) == pytest.approx(1.090, abs=1e-3)


def test_idle_time_wears_the_mean_by_what_was_forgotten_and_the_certainty_by_the_days() -> None:
    mean, variance = idled(2.0, 0.6, days=10, retained=0.9)
    assert mean == pytest.approx(1.76)
    assert variance == pytest.approx(0.8)
    assert idled(2.0, 0.6, days=1000, retained=1.0) == (2.0, CONSTANTS.start_variance)
    assert idled(2.0, 0.6, days=0.99, retained=0.9) == (2.0, 0.6)


def test_success_at_a_typical_item_comes_with_its_band() -> None:
    middle, low, high = chance(0.0, 1.0)
    assert middle == pytest.approx(0.5)
    assert low == pytest.approx(0.2173, abs=1e-4)
    assert high == pytest.approx(1 - low)


@given(MEANS, VARIANCES, WEIGHTS, STRENGTHS, STRENGTHS, COUNTS, DIFFICULTIES, GUESSES)
def test_a_stronger_observation_never_gives_a_lower_mean(
    mean: float, variance: float, weight: float, one: float, other: float, w: float, b: float, g: float
) -> None:
    low, high = sorted((one, other))
    worse = updated(mean, variance, weight, e=low, w=w, b=b, g=g)
    better = updated(mean, variance, weight, e=high, w=w, b=b, g=g)
    assert worse[0] <= better[0]
    assert worse[1:] == better[1:]


@given(MEANS, VARIANCES, WEIGHTS, COUNTS, DIFFICULTIES, GUESSES)
def test_a_wrong_answer_never_raises_the_mean_and_a_right_one_never_lowers_it(
    mean: float, variance: float, weight: float, w: float, b: float, g: float
) -> None:
    assert updated(mean, variance, weight, e=0.0, w=w, b=b, g=g)[0] <= mean
    assert updated(mean, variance, weight, e=1.0, w=w, b=b, g=g)[0] >= mean


@given(
    st.floats(-BOUND, BOUND),
    VARIANCES,
    WEIGHTS,
    st.floats(-9, 9),
    st.floats(0, 1),
    st.floats(allow_nan=False),
    st.floats(-1, 2),
)
def test_whatever_is_put_in_the_estimate_stays_finite_and_in_bounds(
    mean: float, variance: float, weight: float, e: float, w: float, b: float, g: float
) -> None:
    after = updated(mean, variance, weight, e=e, w=w, b=b, g=g)
    assert -BOUND <= after[0] <= BOUND
    assert 0 < after[1] <= CONSTANTS.start_variance
    assert isfinite(after[2])
    assert 0 <= predicted(mean, variance, b=b, g=g) <= 1
    middle, low, high = chance(*after[:2])
    assert 0 < low <= middle <= high < 1
    assert isfinite(surplus(*after[:2]))


@given(MEANS, VARIANCES, WEIGHTS, STRENGTHS)
def test_what_counts_nothing_changes_nothing(mean: float, variance: float, weight: float, e: float) -> None:
    assert updated(mean, variance, weight, e=e, w=0.0) == (mean, variance, weight)


@given(MEANS, VARIANCES, st.floats(0, 1e6), st.floats(-1, 2))
def test_idle_time_never_makes_anyone_surer_nor_throws_them_past_the_start(
    mean: float, variance: float, days: float, retained: float
) -> None:
    worn, unsure = idled(mean, variance, days=days, retained=retained)
    start = CONSTANTS.start_mean
    assert min(mean, start) - 1e-9 <= worn <= max(mean, start) + 1e-9
    assert variance <= unsure <= CONSTANTS.start_variance


def test_an_item_out_of_reach_or_one_that_everybody_guesses_says_next_to_nothing() -> None:
    assert updated(0.0, 0.5, 100.0, e=0.0, w=1.0, b=inf)[0] == pytest.approx(0.0, abs=1e-6)
    assert updated(0.0, 0.5, 1e6, e=1.0, w=1.0, g=1.0)[0] == pytest.approx(0.0, abs=0.01)
    assert predicted(0.0, 1.0, b=-inf) == pytest.approx(1.0)
