"""What the answers of a class say about items and variants, and how much of it the counts can bear."""

import random
from functools import reduce
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.courses.clusters import Cluster, WrongAnswer, clusters, explanation
from exercises.courses.statistics import (
    ENOUGH,
    FEW,
    Surprise,
    correlation,
    grade_of,
    item_figures,
    not_by_chance,
    rests,
    variant_figures,
)

shares = st.floats(0, 1)
classes = st.dictionaries(st.integers(0, 60), shares, max_size=40)


def test_an_item_by_hand() -> None:
    """Ten learners, half of them right, and those the better half: r of two columns 0/1 and 0…9 is 0.8704."""
    scores = {learner: float(learner >= 5) for learner in range(10)}
    figures = item_figures(scores, {learner: learner / 9 for learner in range(10)})
    assert figures.facility == 0.5
    assert figures.discrimination == pytest.approx(0.870388, abs=1e-6)
    assert figures.upper_lower == 1.0
    # Student's 97.5 % point at nine degrees of freedom is 2.262.
    assert figures.low == pytest.approx(0.5 - 2.262 * (10 / 36 / 10) ** 0.5, abs=1e-3)
    # Ten learners are enough to show it, and too few to judge.
    assert figures.flags == ()


def test_a_handful_of_learners_bears_no_interval() -> None:
    figures = item_figures({1: 0.75, 2: 1.0, 3: 0.75}, {})
    assert figures.facility == pytest.approx(5 / 6)
    assert figures.low is figures.high is None


@pytest.mark.parametrize(
    ("easy", "turned", "flags"),
    [(0.1, False, ("too-hard",)), (0.99, False, ("too-easy",)), (0.5, True, ("check-the-key",))],
)
def test_what_is_flagged_with_enough_learners(easy: float, turned: bool, flags: tuple[str, ...]) -> None:
    many = range(100)
    scores = {one: float(one < 100 * easy if turned else one >= 100 * (1 - easy)) for one in many}
    assert item_figures(scores, {one: one / 100 for one in many}).flags == flags


@given(classes, classes)
def test_figures_stay_within_their_bounds(scores: dict[int, float], rest: dict[int, float]) -> None:
    figures = item_figures(scores, rest)
    assert figures.learners == len(scores)
    if figures.facility is not None:
        assert 0 <= figures.facility <= 1
    if figures.low is not None and figures.high is not None and figures.facility is not None:
        assert 0 <= figures.low <= figures.facility + 1e-12
        assert figures.facility - 1e-12 <= figures.high <= 1
    if figures.discrimination is not None:
        assert -1 <= figures.discrimination <= 1
        assert len(scores.keys() & rest.keys()) >= FEW
    if len(scores) < ENOUGH:
        assert figures.flags == ()


@given(st.dictionaries(st.integers(1, 4), classes, min_size=1), st.data())
def test_the_rest_of_an_item_never_knows_the_item(scores: dict[int, dict[int, float]], data: st.DataObject) -> None:
    item = data.draw(st.sampled_from(sorted(scores)))
    weights = dict.fromkeys(scores, 1.0)
    before = rests(scores, weights)[item]
    assert rests({**scores, item: dict.fromkeys(range(99), 1.0)}, weights)[item] == before


def test_who_is_the_same_everywhere_correlates_with_nothing() -> None:
    assert correlation([(1.0, 0.3)] * 20) is None
    assert correlation([(0.1 + 0.2, 1.0), (0.3, 2.0), (0.3, 3.0)]) is None
    assert correlation([(0, 0), (1, 1)]) is None


def simulated(chance: random.Random, shift: float, learners: int = 60) -> list[tuple[float, float]]:
    """First tries at a variant that is ``shift`` logits easier than expected."""
    found = []
    for _ in range(learners):
        ability = chance.gauss(0.5, 1)
        right = chance.random() < 1 / (1 + exp(-(ability + shift)))
        found.append((float(right), 1 / (1 + exp(-ability))))
    return found


def summed(pairs: list[tuple[float, float]]) -> Surprise:
    return reduce(lambda found, pair: found.with_try(*pair), pairs, Surprise())


def test_an_unfair_variant_stands_out_and_fair_ones_do_not() -> None:
    false = found = 0
    for seed in range(60):
        chance = random.Random(seed)
        tries = {f"fair {place}": simulated(chance, 0.0) for place in range(11)}
        tries["hard"] = simulated(chance, -2.2)
        figures = variant_figures({name: summed(pairs) for name, pairs in tries.items()})
        found += figures["hard"].grade != "A"
        assert figures["hard"].effect < 0
        false += sum(figures[f"fair {place}"].grade != "A" for place in range(11))
    assert found >= 57
    assert false <= 0.05 * 60 * 11


def test_few_learners_say_little_of_a_variant() -> None:
    figures = variant_figures({"one": summed([(0.0, 0.9)]), "none": Surprise()})
    assert abs(figures["one"].effect) < 0.1
    assert figures["one"].grade == figures["none"].grade == "A"


@pytest.mark.parametrize(
    ("effect", "deviation", "grade"),
    [(0.42, 9, "A"), (0.43, 1.99, "A"), (-0.43, -2, "B"), (0.64, 2.99, "B"), (-0.64, -3, "C"), (0.63, 9, "B")],
)
def test_the_borders_of_the_classes(effect: float, deviation: float, grade: str) -> None:
    assert grade_of(effect, deviation) == grade


def test_what_stands_out_among_many_by_hand() -> None:
    """The example of Benjamini and Hochberg (1995): of 15 the first four stand out at 5 %."""
    chances = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590,
        1.0,
    ]  # fmt: skip
    named = {f"{place:02}": chance for place, chance in enumerate(chances)}
    assert not_by_chance(named) == {"00", "01", "02", "03"}
    assert not_by_chance({}) == set()


def answers(ratio: float, learners: int, variants: int) -> list[WrongAnswer]:
    keys = [0.4076, 1.386, 0.6931, 2.303]
    return [
        WrongAnswer(one, f"v{one % variants}", float(f"{keys[one % len(keys)] * ratio:.3g}"), keys[one % len(keys)])
        for one in range(learners)
    ]


@pytest.mark.parametrize(
    ("ratio", "says"),
    [
        (1 / log(10), "log₁₀ was used instead of ln"),
        (1 / log(2), "log₂ was used instead of ln"),
        (-1.0, "the sign is lost"),
        (3 / 4, "3/4 of the key"),
        (-0.5, "1/2 of the key and its sign is lost"),
        (100.0, "in percent"),
    ],
)
def test_a_ratio_that_many_share_is_found_through_their_rounding_and_explained(ratio: float, says: str) -> None:
    noise = [WrongAnswer(90 + one, f"w{one}", 3.7 + one * 1.3, 0.41) for one in range(4)]
    (found, *others) = clusters([*noise, *answers(ratio, 12, 4)], all_wrong=20)
    assert isinstance(found, Cluster)
    assert says in found.says
    assert (found.answers, found.learners, found.variants) == (12, 12, 4)
    assert found.part == 0.6
    assert not others


def test_a_difference_that_many_share_is_found() -> None:
    rows = [WrongAnswer(one, f"v{one % 3}", key + 1, key) for one, key in enumerate([3, 30, 300, 7, 19])]
    (found,) = clusters(rows, all_wrong=5)
    assert (found.kind, found.value, found.says) == ("difference", 1, "")


@pytest.mark.parametrize(
    ("learners", "variants", "all_wrong"), [(2, 2, 10), (9, 1, 10), (3, 2, 31)], ids=["learners", "variants", "part"]
)
def test_too_few_alike_are_no_cluster(learners: int, variants: int, all_wrong: int) -> None:
    assert clusters(answers(0.434, learners, variants), all_wrong=all_wrong) == []


def test_one_learner_again_and_again_is_one_learner() -> None:
    rows = [WrongAnswer(1, f"v{place}", 0.177, 0.4076) for place in range(9)]
    assert clusters(rows, all_wrong=9) == []


def test_what_is_no_number_is_left_out() -> None:
    rows = [WrongAnswer(one, f"v{one}", value, key) for one, (value, key) in enumerate([(float("nan"), 1), (1, 0)] * 9)]
    found = clusters(rows, all_wrong=18)
    assert [(one.kind, one.value) for one in found] == [("difference", 1)]
    assert explanation(0.123) == ""
