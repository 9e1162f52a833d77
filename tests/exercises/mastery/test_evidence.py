"""A step speaks the less for a skill the more help and the more tries it took."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.mastery.evidence import strength


@pytest.mark.parametrize(
    ("correctness", "tries", "hints", "is_revealed", "expected"),
    [
        (1.0, 1, 0, False, 1.0),
        (1.0, 2, 0, False, 0.6),
        (1.0, 3, 0, False, 0.36),
        (1.0, 1, 1, False, 0.7),
        (1.0, 2, 1, False, 0.42),
        (0.5, 1, 0, False, 0.5),
        (0.0, 3, 0, False, 0.0),
        (1.0, 1, 0, True, 0.0),
        (0.75, 0, 0, False, 0.75),
    ],
)
def test_strength_falls_with_tries_hints_and_reveals(
    correctness: float, tries: int, hints: int, is_revealed: bool, expected: float
) -> None:
    assert strength(correctness, tries=tries, hints=hints, is_revealed=is_revealed) == pytest.approx(expected)


@given(st.floats(0, 1), st.integers(0, 50), st.integers(0, 50), st.booleans())
def test_strength_is_a_share_and_a_hint_never_makes_it_less_than_a_wrong_answer(
    correctness: float, tries: int, hints: int, is_revealed: bool
) -> None:
    with_hints = strength(correctness, tries=tries, hints=hints, is_revealed=is_revealed)
    without = strength(correctness, tries=tries, hints=0, is_revealed=is_revealed)
    wrong = strength(0.0, tries=tries, hints=0, is_revealed=is_revealed)
    assert wrong == 0 <= with_hints <= without <= 1


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 9), st.integers(0, 9))
def test_more_right_is_never_less_strong(one: float, other: float, tries: int, hints: int) -> None:
    low, high = sorted((one, other))
    assert strength(low, tries=tries, hints=hints, is_revealed=False) <= strength(
        high, tries=tries, hints=hints, is_revealed=False
    )
