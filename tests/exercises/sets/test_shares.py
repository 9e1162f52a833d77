"""Shares as they are typed, exactly."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.courses.shares import ShareError, is_falling, read_share, read_shares, share_words, shares_words

SHARES = st.fractions(0, 1, max_denominator=10_000)


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("1", Fraction(1)),
        ("1/2", Fraction(1, 2)),
        (" 1 / 3 ", Fraction(1, 3)),
        ("25 %", Fraction(1, 4)),
        ("33.3%", Fraction(333, 1000)),
        ("0.1", Fraction(1, 10)),
        ("100 %", Fraction(1)),
        ("0", Fraction(0)),
        ("0,85", Fraction(17, 20)),
        ("12,5 %", Fraction(1, 8)),
    ],
)
def test_each_way_to_write_one(text: str, share: Fraction) -> None:
    assert read_share(text) == share


@pytest.mark.parametrize(
    "text", ["", "half", "-1/2", "1/0", "1.5", "70", "101 %", "1/2/3", "1e-1", "nan", "²", "1" * 400]
)
def test_anything_else_is_refused_in_words(text: str) -> None:
    with pytest.raises(ShareError, match=r"\w{3}"):
        read_share(text)


def test_a_number_that_was_meant_as_percent_is_asked_about() -> None:
    with pytest.raises(ShareError, match="Did you mean 70 %"):
        read_share("70")


def test_a_list_reads_as_it_is_written_in_the_brief() -> None:
    assert read_shares("1, 1, 1/2, 25 %") == (1, 1, Fraction(1, 2), Fraction(1, 4))
    assert read_shares("1; 80 %; 60 %;") == (1, Fraction(4, 5), Fraction(3, 5))
    assert read_shares(" ") == ()
    # Between shares a comma is never one within a number.
    assert read_shares("1,0") == (1, 0)
    with pytest.raises(ShareError, match="'x'"):
        read_shares("1, x")
    with pytest.raises(ShareError, match="at most 30"):
        read_shares("1," * 31)


@given(st.lists(SHARES, max_size=30))
def test_what_is_written_is_read_again_exactly(shares: list[Fraction]) -> None:
    text = shares_words(shares)
    if len(text) <= 300:
        assert read_shares(text) == tuple(shares)
    assert [read_share(share_words(share)) for share in shares] == shares


@given(st.lists(SHARES))
def test_falling_is_sorted_from_the_largest(shares: list[Fraction]) -> None:
    assert is_falling(shares) == (shares == sorted(shares, reverse=True))


@given(st.text(max_size=40))
def test_no_text_is_too_strange_to_answer(text: str) -> None:
    for reading in (read_share, read_shares):
        with suppress(ShareError):
            reading(text)
