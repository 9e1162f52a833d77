"""What a typed answer is read as, before it is marked: the same reading that the mark is given for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.answers import read_answer
from grader.errors import AnswerError, ParameterError
from grader.problem import Problem
from grader.reading import Reading
from tests.grader.tiny import C1, examples, marks, masked_token, tiny

PROBLEM = tiny(
    {
        "v": "2 * u",
        "n": {"is": "len(u)", "kind": "count"},
        "share": {"is": "100 * u[0] / sum(u)", "unit": "percent"},
        "mean": {"is": "mean(u)", "undefined": True},
        "best": {"is": "argmax(u)", "kind": "choice", "options": "words"},
        "above": {"is": "u > 3", "kind": "choices", "options": {"l": "the {{ words[0] }}", "r": "the other"}},
        "size": {"is": "[n, 768]", "kind": "shape"},
        "name": {"kind": "text", "accept": ["softmax"]},
        "hidden": {"is": "sum(u)", "ask": None},
    },
    {"words": {"choose": 2, "from": "nouns"}, "u": {"range": [1, 9], "size": "words"}},
)
PARAMETERS: dict[str, Any] = {"words": ["mat", "car"], "u": [4, 2]}


def reading(step: str, typed: Any, locale: str = "en") -> Reading:
    return read_answer(PROBLEM, PARAMETERS, step, typed, locale)


@pytest.mark.parametrize(
    ("step", "typed", "shown"),
    [
        ("v", ["8", "1/2"], "[8, 0.5]"), ("n", "30,522", "30522"), ("share", "66.7 %", "66.7"),
        ("mean", "0/0", "undefined"),
        ("best", "Mat", "mat"), ("above", ["l", "r"], "the mat; the other"), ("above", "the mat", "the mat"),
        ("size", "2 x 768", "2 × 768"), ("name", "Soft  Max", "Soft Max"),
    ],
)  # fmt: skip
def test_an_answer_is_read_as_its_step_and_variant_ask_for_it(step: str, typed: Any, shown: str) -> None:
    assert (reading(step, typed).status, reading(step, typed).shown) == ("read", shown)


@pytest.mark.parametrize(
    ("step", "typed"),
    [
        ("v", ["8"]),
        ("v", ["8", ""]),
        ("n", "15 %"),
        ("share", "undefined"),
        ("best", "dog"),
        ("above", ["x"]),
        ("size", "2 x"),
    ],
)
def test_what_does_not_fit_the_step_is_refused_with_the_reason(step: str, typed: Any) -> None:
    assert reading(step, typed).status == "unreadable"
    assert reading(step, typed).message


def test_an_answer_is_read_in_the_language_it_was_typed_in() -> None:
    assert read_answer(masked_token(), C1, "loss", "0,408", "de").value == 0.408
    assert read_answer(masked_token(), C1, "loss", "1.386", "de").status == "unreadable"


@pytest.mark.parametrize("step", ["hidden", "nosuch", "", None, 3])
def test_only_a_step_that_is_asked_can_be_read(step: Any) -> None:
    with pytest.raises(AnswerError, match="there are v, n"):
        reading(step, "1")


def test_parameters_must_fit() -> None:
    with pytest.raises(ParameterError):
        read_answer(PROBLEM, {"u": [1]}, "v", ["1"])


TEXT = st.one_of(
    st.text(max_size=10), st.text("0123456789.,-/x ", max_size=8), st.sampled_from(["l", "mat", "softmax"])
)


@given(
    st.sampled_from([step.name for step in PROBLEM.asked]),
    st.one_of(TEXT, st.lists(TEXT, max_size=3)),
    st.sampled_from(["en", "de", "", "zz"]),
)
@examples(150)
def test_the_mark_tells_the_very_reading_that_was_shown_while_typing(step: str, typed: Any, locale: str) -> None:
    problem: Problem = PROBLEM
    found = read_answer(problem, PARAMETERS, step, typed, locale)
    given_mark = marks(problem, PARAMETERS, {step: typed}, locale=locale)[step]
    match found.status:
        case "read":
            assert given_mark.outcome not in ("blank", "unreadable")
            assert given_mark.read_as == found.shown
        case "unreadable":
            assert (given_mark.outcome, given_mark.message) == ("unreadable", found.message)
        case _:
            assert given_mark.outcome == "blank"
