"""How hard items are, and how that moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.mastery.difficulty import author_difficulty, moved, recentred

LOGITS = st.floats(-4, 4)
SHARES = st.floats(0, 1)


def test_an_authors_word_is_where_it_starts() -> None:
    assert [author_difficulty(level) for level in ("easy", "medium", "hard")] == [-0.7, 0.0, 0.7]
    with pytest.raises(ValueError, match="write easy, medium or hard"):
        author_difficulty("impossible")


def test_it_moves_by_the_formula() -> None:
    assert moved(0.0, 0, e=0.0, predicted=0.6) == (pytest.approx(0.3), 1)
    assert moved(0.3, 20, e=1.0, predicted=0.6) == (pytest.approx(0.3 - 0.25 * 0.4), 21)


@given(LOGITS, st.integers(0, 10_000), SHARES, SHARES)
def test_a_better_answer_than_foreseen_makes_it_easier_and_never_by_more_than_half(
    b: float, n: int, e: float, predicted: float
) -> None:
    after, count = moved(b, n, e=e, predicted=predicted)
    assert count == n + 1
    assert (after - b) * (e - predicted) <= 0
    assert abs(after - b) <= 0.5 + 1e-9


@given(st.dictionaries(st.tuples(st.sampled_from("abc"), st.integers(0, 5)), LOGITS))
def test_recentring_takes_each_skill_to_zero_and_keeps_distances(values: dict[tuple[str, int], float]) -> None:
    skill_of = {item: item[0] for item in values}
    centred = recentred(values, skill_of)
    assert centred.keys() == values.keys()
    for skill in {item[0] for item in values}:
        own = [item for item in values if item[0] == skill]
        assert sum(centred[item] for item in own) == pytest.approx(0, abs=1e-9)
        for item in own:
            assert centred[item] - centred[own[0]] == pytest.approx(values[item] - values[own[0]], abs=1e-9)
