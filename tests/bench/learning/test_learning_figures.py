"""What the validation says is what happened: its figures on answers that can be counted by hand."""

from math import log

import numpy as np
import pytest

from tests.bench.learning.answers import Answer, Stream
from tests.bench.learning.declaring import RULES, declaration, in_a_row
from tests.bench.learning.foreseeing import Bin, foresight
from tests.bench.learning.models import Bkt, Elo, ItemMean, Model, MovingAverage
from tests.bench.learning.worlds import Practice, bkt_stream, growing, knowing, logistic_stream, steady


class Told:
    """Foresees what it was told to."""

    def __init__(self, chances: list[float]) -> None:
        self.chances = iter(chances)

    def learn(self, answer: Answer) -> float:
        return next(self.chances)


def stream(right: list[bool], judged_from: int = 0) -> Stream:
    return Stream("told", [Answer(0, 0, 0, 0.0, each) for each in right], judged_from)


def test_log_loss_auc_and_bins_are_those_of_the_answers_judged() -> None:
    chances = [0.99, 0.15, 0.45, 0.85, 0.45]
    found = foresight(lambda: Told(chances), stream([False, False, True, True, False], judged_from=1))
    assert found.log_loss == pytest.approx(-(log(0.85) + log(0.45) + log(0.85) + log(0.55)) / 4)
    # Of four pairs of a right and a wrong answer three are in order, and one is a tie.
    assert found.auc == pytest.approx(3.5 / 4)
    assert found.bins == (Bin(1, 0.15, 0.0), Bin(2, 0.45, 0.5), Bin(1, 0.85, 1.0))


def test_several_streams_are_judged_together_and_each_starts_afresh() -> None:
    one = stream([True, False])
    twice = foresight(lambda: Told([0.6, 0.6]), one, one)
    assert twice.log_loss == pytest.approx(foresight(lambda: Told([0.6, 0.6]), one).log_loss)
    assert [each.count for each in twice.bins] == [4]


def test_the_models_compared_with_learn_as_their_sources_say() -> None:
    known = Bkt.traced(0.3, right=True)
    assert known == pytest.approx(0.902, abs=1e-3)
    assert Bkt.traced(known, right=True) == pytest.approx(0.995, abs=1e-3)
    right = Answer(0, 0, 0, 0.0, right=True)
    expected: list[tuple[Model, list[float]]] = [
        (Elo(), [0.5, 1 / (1 + np.exp(-1.0))]),
        (MovingAverage(), [0.5, 0.65]),
        (ItemMean(), [0.5, 2 / 3]),
    ]
    for model, chances in expected:
        assert [model.learn(right), model.learn(right)] == pytest.approx(chances)


def test_a_declaration_is_false_where_success_was_below_the_line_right_then() -> None:
    right = np.array([[1, 1, 1, 1], [0, 1, 1, 1], [1, 0, 1, 0]], dtype=bool)
    success = np.array([[0.7, 0.7, 0.7, 0.9], [0.7, 0.7, 0.7, 0.9], [0.9, 0.9, 0.9, 0.9]])
    found = declaration(in_a_row(3), Practice("told", right, success))
    assert (found.declared, found.false, found.steps) == pytest.approx((2 / 3, 1 / 2, 3.5))
    assert declaration(in_a_row(5), Practice("told", right, success)).declared == 0


def test_who_never_is_right_is_declared_by_no_rule() -> None:
    nobody = steady(3, 0.0)
    assert {name: declaration(rule, nobody).declared for name, rule in RULES.items()} == dict.fromkeys(RULES, 0.0)


def test_a_world_is_the_same_each_time_and_another_for_another_seed() -> None:
    assert bkt_stream() == bkt_stream()
    assert logistic_stream() != logistic_stream(seed=9)
    assert np.array_equal(growing(5, to_a_ceiling=True).right, growing(5, to_a_ceiling=True).right)


def test_answers_come_in_the_order_of_their_days() -> None:
    days: dict[tuple[int, int], list[float]] = {}
    for answer in logistic_stream(forgets=True).answers:
        days.setdefault((answer.learner, answer.skill), []).append(answer.day)
    assert all(each == sorted(each) and each[0] == 0 and each[-1] > 0 for each in days.values())


def test_success_in_the_worlds_is_what_the_answers_show() -> None:
    for practice in (growing(4000, to_a_ceiling=True), knowing(4000), steady(4000, 0.7)):
        # Success after an answer is success at the next one.
        assert practice.right[:, 1:].mean() == pytest.approx(practice.success[:, :-1].mean(), abs=0.005)
