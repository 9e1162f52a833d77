"""The bars of the learner model, on simulated learners and on real answers; `make validate` prints more."""

import pytest

from tests.bench.learning.declaring import bkt, declaration, in_a_row, proficient
from tests.bench.learning.foreseeing import foresight
from tests.bench.learning.models import WITHOUT_GAIN, Bkt, Elo, Filter, Gym, ItemMean, MovingAverage
from tests.bench.learning.real import law_school, verbal_aggression
from tests.bench.learning.worlds import growing, knowing, logistic_stream, steady

LEARNERS = 1500
ORDERS = range(3)


def sitting() -> Filter:
    """As for a test that teaches nothing."""
    return Filter(WITHOUT_GAIN)


def test_answers_about_verbal_aggression_are_foreseen_better_than_by_elo_or_by_the_item_alone() -> None:
    orders = [verbal_aggression(order) for order in ORDERS]
    ours = foresight(sitting, *orders).log_loss
    assert ours <= 0.565
    assert ours < foresight(Elo, *orders).log_loss < foresight(ItemMean, *orders).log_loss


@pytest.mark.parametrize(("name", "bar"), [("lsat6", 0.520), ("lsat7", 0.540)])
def test_answers_at_an_admission_test_are_foreseen_better_than_by_elo_or_by_the_item_alone(
    name: str, bar: float
) -> None:
    orders = [law_school(name, order) for order in ORDERS]
    ours = foresight(sitting, *orders).log_loss
    assert ours <= bar
    assert ours < foresight(Elo, *orders).log_loss
    assert ours < foresight(ItemMean, *orders).log_loss


def test_real_answers_are_those_that_were_published() -> None:
    facility = {"lsat6": [0.924, 0.709, 0.553, 0.763, 0.870], "lsat7": [0.828, 0.658, 0.772, 0.606, 0.843]}
    for name, published in facility.items():
        answers = law_school(name).answers
        shares = [sum(each.right for each in answers if each.item == item) / 1000 for item in range(5)]
        assert shares == pytest.approx(published, abs=5e-4)
    assert len(verbal_aggression().answers) == 316 * 24


@pytest.mark.parametrize("to_a_ceiling", [False, True])
def test_of_learners_who_grow_few_are_called_proficient_too_early(to_a_ceiling: bool) -> None:
    world = growing(LEARNERS, to_a_ceiling=to_a_ceiling)
    ours = declaration(proficient, world)
    assert ours.false <= 0.08
    assert ours.declared >= 0.75
    # What a model says is worth something only where a simpler one says less.
    assert declaration(in_a_row(3), world).false > 0.5
    assert declaration(bkt, world).false > 0.5


def test_of_learners_who_know_it_or_not_hardly_one_is_called_proficient_too_early() -> None:
    ours = declaration(proficient, knowing(LEARNERS))
    assert ours.false <= 0.01
    assert ours.declared >= 0.95


def test_learners_who_stay_below_the_line_are_seldom_called_proficient_and_able_ones_are() -> None:
    assert declaration(proficient, steady(LEARNERS, 0.6)).declared <= 0.12
    assert declaration(proficient, steady(LEARNERS, 0.85)).declared >= 0.9
    assert declaration(proficient, steady(LEARNERS, 0.9)).declared >= 0.98


@pytest.mark.parametrize("forgets", [False, True])
def test_chances_foreseen_are_what_happens_in_each_of_ten_bins(forgets: bool) -> None:
    stream = logistic_stream(forgets=forgets)
    ours = foresight(Gym, stream)
    assert len(ours.bins) == 10
    assert all(each.count >= 200 for each in ours.bins)
    assert ours.worst_bin <= 0.05
    for other in (Bkt, Elo, MovingAverage):
        assert ours.log_loss < foresight(other, stream).log_loss
