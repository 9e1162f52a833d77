"""Texts with drawn numbers and words in them."""

import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import FormulaError, ProblemError
from grader.sampling import read_parameters
from grader.template import Names, Template, compile_template, number_text
from grader.wording import statement
from tests.grader.tiny import C1, examples, masked_token, tiny

PARAMETERS = {
    "words": {"choose": 3, "from": "nouns"},
    "z": {"range": [-2, 4], "step": 0.5, "size": "words"},
    "t": {"index": "words"},
    "W": {"range": [-1, 1], "step": 0.25, "size": [2, 3], "symbol": r"\mathbf{W}"},
    "rate": {"pick": [0.15, 0.5]},
    "n": {"range": [0, 40000]},
    "empty": {"range": [0, 1], "size": {"pick": [0, 1]}},
    "name": {"pick": ["Ada", "Bo"]},
}
DRAWN: dict[str, Any] = C1 | {
    "W": [[1, -0.5, 0], [0.25, 0, 1]], "rate": 0.15, "n": 30522, "empty": [], "name": "Ada", "z": [2.0, -1.0, 0.5],
}  # fmt: skip


def shown(text: str, **parameters: Any) -> str:
    problem = tiny({"a": "n"}, PARAMETERS, statement=text)
    return statement(problem, DRAWN | parameters)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("no slots", "no slots"), ("{{ n }}", "30522"), ("{{n}} and {{ n }}", "30522 and 30522"),
        ("{{ z[0] }}", "2.0"), ("{{ z[t + 1] }}", "\u22121.0"), ("${{ z[1] }}$", "$-1.0$"),
        ("$${{ z[1] }}$$", "$$-1.0$$"),
        (r"cost \$5 {{ z[1] }}", "cost \\$5 \u22121.0"), ("$a$ {{ z[1] }}", "$a$ \u22121.0"),
        ("{{ words[t] }}", "mat"), ("{{ words[2] }}", "sky"), ("{{ name }}", "Ada"), ("{{ 2 * n }}", "61044"),
        ("{{ len(words) }}", "3"), ("{{ words }}", "mat, car, sky"), ("{{ z }}", "2.0, \u22121.0, 0.5"),
        ("{{ listing(words) }}", "mat, car and sky"), ("{{ listing(z) }}", "2.0, \u22121.0 and 0.5"),
        ("{{ listing(empty) }}", "none"), ("{{ percent(rate) }}", "15\u202f%"), ("${{ percent(rate) }}$", r"$15\,\%$"),
        ("{{ percent(1 / 8) }}", "12.5\u202f%"), ("{{ t + 1 }}", "1"), ("{{ 1 / 0 }}", "undefined"),
        ("${{ vector(z) }}$", r"$\begin{bmatrix}2.0 \\ -1.0 \\ 0.5\end{bmatrix}$"),
        ("${{ matrix(W) }}$", r"$\begin{bmatrix}1.00 & -0.50 & 0.00 \\ 0.25 & 0.00 & 1.00\end{bmatrix}$"),
        ("{{ table(words, z) }}", "| | mat | car | sky |\n|---|---|---|---|\n| $z$ | 2.0 | \u22121.0 | 0.5 |"),
    ],
)  # fmt: skip
def test_a_slot_is_filled_with_what_was_drawn(text: str, wanted: str) -> None:
    assert shown(text) == wanted


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{{ }}", "no formula"), ("{{ q }}", "q is not known"), ("{{ log(2) }}", "write ln"), ("{{ W }}", "matrix"),
        ("{{ matrix(z) }}", "takes one matrix"), ("{{ vector(W) }}", "matrix"),
        ("{{ table(words) }}", "at least one row"),
        ("{{ listing() }}", "no formula"), ("{{ percent(rate, n) }}", "takes one number"), ("{{ name + 1 }}", "name"),
        ("{{ n.__class__ }}", "no meaning"), ("{{ __import__('os') }}", "no meaning"), ("{{ words[q] }}", "q is not"),
        ("{{ a }}", "a is not known"),
    ],
)  # fmt: skip
def test_a_slot_that_cannot_be_filled_is_refused_when_the_file_is_read(text: str, says: str) -> None:
    with pytest.raises(ProblemError, match=says):
        tiny({"a": "n"}, PARAMETERS, statement=text)


def test_a_refusal_quotes_the_slot() -> None:
    with pytest.raises(FormulaError, match=r"\{\{ x \+ \}\}"):
        compile_template("well {{ x + }}", Names({"x": 0}))


def test_what_was_drawn_is_never_read_as_a_slot_again() -> None:
    assert shown("{{ words[t] }}", words=["{{ n }}", "b", "c"]) == "{{ n }}"


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(2, 0, "2"), (2, 1, "2.0"), (-0.0, 1, "0.0"), (0.15, 0, "0.15"), (1 / 3, 2, "0.333333333333"), (1e6, 0, "1000000"),
     (0.1 + 0.2, 1, "0.3"), (-1.5, 1, "\u22121.5"), (float("nan"), 2, "undefined"), (float("inf"), 2, "undefined"),
     (1e-7, 0, "0.0000001")],
)  # fmt: skip
def test_a_number_is_shown_with_the_decimals_of_its_grid_or_more(value: float, decimals: int, text: str) -> None:
    assert number_text(value, decimals) == text


@given(st.integers(-(10**6), 10**6), st.integers(0, 4))
@examples(100)
def test_the_number_on_the_page_is_the_number_marked_against(k: int, decimals: int) -> None:
    value = round(k / 10**decimals, decimals)
    assert float(number_text(value, decimals).replace("\u2212", "-")) == value
    assert float(number_text(value, decimals, math=True)) == value


def test_every_logit_of_a_statement_stands_on_the_page_as_it_is() -> None:
    found = statement(masked_token(), C1 | {"z": [7.25, -9, 0.125]})
    row = next(line for line in found.splitlines() if line.startswith("| $z$"))
    assert [float(cell.replace("\u2212", "-")) for cell in row.split("|")[2:-1]] == [7.25, -9, 0.125]


def test_a_text_for_every_variant_has_no_slots() -> None:
    template = compile_template("From {{ words[0] }} to {{\n  words[1]\n}}.", Names({"words": 1}, frozenset({"words"})))
    assert template.unfilled == "From … to …."


def test_the_names_in_a_text_are_known() -> None:
    template = compile_template(
        "{{ words[t] }} of {{ table(words, z) }}", Names({"words": 1, "t": 0, "z": 1}, frozenset({"words"}))
    )
    assert {"words", "t", "z"} <= template.names
    assert template.fill(read_parameters(masked_token(), C1)).startswith("mat of | | mat")


@given(st.text("{}a \n", max_size=24))
@examples(200)
def test_a_slot_goes_from_two_braces_to_the_next_two_that_close(text: str) -> None:
    assert Template(text).unfilled == re.sub(r"\{\{.*?\}\}", "…", text, flags=re.DOTALL)


def test_braces_that_nothing_closes_take_no_time() -> None:
    text = "{{" * 20_000
    started = time.process_time()
    assert compile_template(text, Names({})).parts == (text,)
    assert time.process_time() - started < 2
