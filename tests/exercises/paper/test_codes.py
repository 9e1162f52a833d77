"""Codes of copies: what is typed by hand is known to be wrong before anything is looked for."""

from hypothesis import given
from hypothesis import strategies as st

from exercises.courses.codes import LENGTH, LETTERS, read_code, shown_code
from exercises.courses.paper_codes import is_paper_code, new_paper_code

codes = st.builds(new_paper_code)


@given(codes, st.integers(0, LENGTH - 1), st.sampled_from(LETTERS))
def test_one_mistyped_sign_is_no_code(code: str, place: int, sign: str) -> None:
    typed = code[:place] + sign + code[place + 1 :]
    assert is_paper_code(typed) == (typed == code)


@given(codes, st.integers(0, LENGTH - 2))
def test_two_neighbours_exchanged_are_no_code(code: str, place: int) -> None:
    typed = code[:place] + code[place + 1] + code[place] + code[place + 2 :]
    # The check sign and its neighbour are the one pair that a sum by place may miss.
    if place < LENGTH - 2:
        assert is_paper_code(typed) == (typed == code)


@given(codes)
def test_a_code_is_read_as_it_is_printed_and_as_it_is_typed(code: str) -> None:
    assert read_code(shown_code(code)) == code
    assert read_code(f" {shown_code(code).lower().replace('-', ' – ')} ") == code


def test_what_is_no_code_is_none() -> None:
    for text in ("", "0000-0000", "IOIOIOIO", "7KQM", "7KQM2XWD7KQM", "ü" * LENGTH):
        assert not is_paper_code(read_code(text))
