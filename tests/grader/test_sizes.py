"""How large a text is, in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sizes import size_words, too_large


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 kB"), (1, "0.1 kB"), (64_000, "64 kB"), (64_001, "64.1 kB"), (99_900, "99.9 kB"), (99_901, "100 kB"),
        (311_501, "312 kB"), (999_999, "1,000 kB"), (1_000_000, "1 MB"), (1_000_001, "1.1 MB"), (2_500_000, "2.5 MB"),
    ],
)  # fmt: skip
def test_a_size_is_said_in_a_unit_that_fits_it(size: int, words: str) -> None:
    assert size_words(size) == words


@given(most=st.sampled_from([64_000, 1_000_000, 2_000_000]), more=st.integers(1, 10_000_000))
def test_what_is_too_much_never_reads_as_what_is_allowed(most: int, more: int) -> None:
    assert size_words(most + more) != size_words(most)


def test_the_sentence_agrees_with_its_number() -> None:
    assert too_large(312_000, 64_000) == "Your file is 312 kB; 64 kB are the most"
    assert too_large(1_200_000, 1_000_000, what="Your table") == "Your table is 1.2 MB; 1 MB is the most"
