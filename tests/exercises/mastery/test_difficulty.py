"""How hard items are, and how that moves."""

import random
from math import exp, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.mastery.ability import predicted as foreseen_of
from exercises.mastery.difficulty import author_difficulty, foreseen, guess_floor, moved, recentred

LOGITS = st.floats(-3, 3)
SHARES = st.floats(0, 1)
#: Of one row: what was foreseen, at which difficulty, with which guess floor, and how it went.
Row = tuple[float, float, float, float]


def folded(b: float, rows: list[Row]) -> float:
    """The difficulty after these rows."""
    n = 0
    for predicted, then, g, e in rows:
        b, n = moved(b, n, e=e, predicted=foreseen(predicted, then=then, now=b, g=g))
    return b


def met(dice: random.Random, true: float, then: float, g: float, count: int) -> list[Row]:
    """Learners, each with an ability that is foreseen as well as it is known, who meet an item at a difficulty."""
    rows = []
    for _ in range(count):
        mean, variance = dice.gauss(0, 1), dice.uniform(0.5, 1)
        ability = dice.gauss(mean, sqrt(variance))
        chance = g + (1 - g) / (1 + exp(true - ability))
        rows.append((foreseen_of(mean, variance, b=then, g=g), then, g, float(dice.random() < chance)))
    return rows


def test_an_authors_word_is_where_it_starts() -> None:
    assert [author_difficulty(level) for level in ("easy", "medium", "hard")] == [-0.7, 0.0, 0.7]
    with pytest.raises(ValueError, match="write easy, medium or hard"):
        author_difficulty("impossible")


def test_guessing_goes_right_as_often_as_there_are_few_answers() -> None:
    assert [guess_floor("choice", count) for count in (2, 4)] == [0.5, 0.25]
    assert [guess_floor("choices", count) for count in (2, 4)] == [0.25, 0.0625]
    assert guess_floor("number", 0) == guess_floor("choice", 0) == guess_floor("choices", 0) == 0.0


def test_it_moves_by_the_formula() -> None:
    assert moved(0.0, 0, e=0.0, predicted=0.6) == (pytest.approx(0.3), 1)
    assert moved(0.3, 20, e=1.0, predicted=0.6) == (pytest.approx(0.3 - 0.25 * 0.4), 21)


def test_a_chance_is_foreseen_again_at_another_difficulty() -> None:
    for g in (0.0, 0.25):
        stored = foreseen_of(0.4, 0.7, b=-0.7, g=g)
        assert foreseen(stored, then=-0.7, now=-0.7, g=g) == pytest.approx(stored)
        assert foreseen(stored, then=-0.7, now=1.5, g=g) == pytest.approx(foreseen_of(0.4, 0.7, b=1.5, g=g))
        # Where the estimate was surer or less sure than the typical one, it is near all the same.
        for variance in (0.5, 1.0):
            again = foreseen(foreseen_of(0.4, variance, b=0.0, g=g), then=0.0, now=1.5, g=g)
            assert again == pytest.approx(foreseen_of(0.4, variance, b=1.5, g=g), abs=0.02)


@pytest.mark.parametrize("true", [-1.5, -0.5, 0.0, 1.2, 2.0])
@pytest.mark.parametrize("g", [0.0, 0.25])
def test_a_thousand_first_meetings_in_one_night_find_the_difficulty(true: float, g: float) -> None:
    assert folded(0.7, met(random.Random(7), true, 0.7, g, 1000)) == pytest.approx(true, abs=0.3)


@pytest.mark.parametrize("share", [0.1, 0.415, 0.6, 0.9])
def test_more_of_the_same_does_not_carry_it_away(share: float) -> None:
    dice = random.Random(3)
    rows = [(0.415, 0.0, 0.0, float(dice.random() < share)) for _ in range(4000)]
    few, many = folded(0.0, rows[:400]), folded(0.0, rows)
    assert many == pytest.approx(few, abs=0.35)
    # It has come to rest where what is foreseen is what happens.
    assert foreseen(0.415, then=0.0, now=many) == pytest.approx(share, abs=0.03)


def test_it_hardly_matters_in_which_nights_the_answers_came() -> None:
    dice = random.Random(11)
    together = met(dice, 1.0, -0.7, 0.0, 900)
    at_once = folded(-0.7, together)
    # The same learners over thirty nights, each night met at the difficulty that the nights before had left.
    nights, seen, then = [together[first : first + 30] for first in range(0, 900, 30)], [], -0.7
    for night in nights:
        seen += [(foreseen(p, then=-0.7, now=then, g=g), then, g, e) for p, _, g, e in night]
        then = folded(-0.7, seen)
    assert then == pytest.approx(at_once, abs=0.05)
    dice.shuffle(seen)
    assert folded(-0.7, seen) == pytest.approx(at_once, abs=0.2)


@given(LOGITS, st.lists(st.tuples(SHARES, st.floats(-6, 6), st.sampled_from([0.0, 0.25, 0.5]), SHARES), max_size=60))
def test_it_never_leaves_its_bounds_whatever_is_stored(b: float, rows: list[Row]) -> None:
    assert -3 <= folded(b, rows) <= 3


@given(st.dictionaries(st.tuples(st.sampled_from("ab"), st.integers(0, 5)), LOGITS))
def test_nor_does_recentring_take_it_out_of_them(values: dict[tuple[str, int], float]) -> None:
    assert all(-3 <= b <= 3 for b in recentred(values, {item: item[0] for item in values}).values())


@given(LOGITS, st.integers(0, 10_000), SHARES, SHARES)
def test_a_better_answer_than_foreseen_makes_it_easier_and_never_by_more_than_half(
    b: float, n: int, e: float, predicted: float
) -> None:
    after, count = moved(b, n, e=e, predicted=predicted)
    assert count == n + 1
    assert (after - b) * (e - predicted) <= 0
    assert abs(after - b) <= 0.5 + 1e-9


@given(st.dictionaries(st.tuples(st.sampled_from("abc"), st.integers(0, 5)), st.floats(-1.5, 1.5)))
def test_recentring_takes_each_skill_to_zero_and_keeps_distances(values: dict[tuple[str, int], float]) -> None:
    skill_of = {item: item[0] for item in values}
    centred = recentred(values, skill_of)
    assert centred.keys() == values.keys()
    for skill in {item[0] for item in values}:
        own = [item for item in values if item[0] == skill]
        assert sum(centred[item] for item in own) == pytest.approx(0, abs=1e-9)
        for item in own:
            assert centred[item] - centred[own[0]] == pytest.approx(values[item] - values[own[0]], abs=1e-9)
