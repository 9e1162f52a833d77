"""The rules by which a step is marked; carried errors and named mistakes have files of their own."""

import dataclasses
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import AnswerError, ParameterError
from grader.marking import mark
from grader.solution import solve
from grader.verdict import OUTCOMES, OWN_NOTES, Verdict
from tests.grader.tiny import C1, C2, C3, examples, marks, masked_token, outcome, tiny, told, wrong

FINE = {"x": {"range": [0, 9], "step": 0.0001}}
VALUE = tiny({"a": "x"}, FINE)


def verdict(answers: dict[str, Any], **how: Any) -> Verdict:
    return mark(masked_token(), C1, answers, **how)


# 1. Blank and unreadable


@pytest.mark.parametrize("typed", ["", "   ", "\u200b", "="])
def test_nothing_typed_is_blank_and_earns_nothing(typed: str) -> None:
    given_mark = marks(masked_token(), C1, {"p": typed})["p"]
    assert (given_mark.outcome, given_mark.credit, given_mark.note) == ("blank", 0, "")


def test_a_step_that_was_left_out_is_blank() -> None:
    assert [given_mark.outcome for given_mark in verdict({}).marks] == ["blank"] * 4


@pytest.mark.parametrize("typed", ["abc", "log(0.5)", "1..2", "2e", "1/0", "inf", "nan", "undefined"])
def test_what_cannot_be_read_is_unreadable_and_told_how_to_write_it(typed: str) -> None:
    given_mark = marks(masked_token(), C1, {"p": typed})["p"]
    assert (given_mark.outcome, given_mark.credit) == ("unreadable", 0)
    assert given_mark.message


@pytest.mark.parametrize(
    "typed", [["7.389", "", "1"], ["7.389", "2.718"], ["7.389", "2.718", "1", "0"], ["1", "b", "3"]]
)
def test_a_partly_filled_vector_or_one_of_another_length_is_unreadable(typed: list[str]) -> None:
    assert outcome(masked_token(), C1, "powers", typed)[0] == "unreadable"


def test_an_unreadable_answer_blocks_only_its_own_step() -> None:
    answers = {"powers": ["7.389", "x", "1"], "total": "abc", "p": "0.665", "loss": "0.408"}
    assert told(masked_token(), C1, answers) == {
        "powers": ("unreadable", ""), "total": ("unreadable", ""), "p": ("right", ""), "loss": ("right", ""),
    }  # fmt: skip


# 2. Right


@pytest.mark.parametrize("typed", ["0.665", "0.6652", "0.66524", "0.6652409557748219", "66.5%", "e^2/(e^2+e+1)"])
def test_the_key_is_right_with_the_digits_asked_or_more(typed: str) -> None:
    given_mark = marks(masked_token(), C1, {"p": typed})["p"]
    assert (given_mark.outcome, given_mark.note, given_mark.credit) == ("right", "", 1)


@pytest.mark.parametrize(
    ("parameters", "answers"),
    [
        (C1, {"powers": ["7.389", "2.718", "1.000"], "total": "11.107", "p": "0.665", "loss": "0.408"}),
        (C2, {"powers": ["1.000", "20.086", "1.000"], "total": "22.086", "p": "0.0453", "loss": "3.095"}),
        (C3, {"powers": ["2.718"] * 4, "total": "10.87", "p": "0.25", "loss": "1.386"}),
    ],
)
def test_everything_right_is_exactly_one(parameters: dict[str, Any], answers: dict[str, Any]) -> None:
    assert mark(masked_token(), parameters, answers).score == Fraction(1)


@given(st.integers(100, 999), st.integers(-6, 6), st.booleans())
@examples(150)
def test_both_neighbours_of_a_tie_are_right(head: int, power: int, negative: bool) -> None:
    key = float(f"{'-' if negative else ''}{head}5e{power}")
    problem = tiny({"a": "x"}, {"x": {"range": [0, 1], "step": 1e-10}})
    for neighbour in (head, head + 1):
        typed = f"{'-' if negative else ''}{neighbour}e{power + 1}"
        assert outcome(problem, {"x": key}, "a", typed) == ("right", ""), (key, typed)


@given(st.floats(1e-6, 1e6), st.booleans())
@examples(150)
def test_the_edge_of_the_allowance_is_right_and_what_lies_beyond_is_not(key: float, negative: bool) -> None:
    key = -key if negative else key
    problem = tiny({"a": {"is": "x + y", "ask": None}, "b": "2 * a"},
                   {"x": {"range": [0, 1], "step": 1e-10}, "y": {"range": [0, 1]}})  # fmt: skip
    parameters = {"x": key, "y": 0}
    solution = solve(problem, parameters)
    value, room = solution.values["b"], solution.allowances["b"]
    for side in (1, -1):
        assert outcome(problem, parameters, "b", repr(value + side * room))[0] == "right"
        assert outcome(problem, parameters, "b", repr(value + side * 1.001 * room))[0] != "right"


def test_the_tolerance_depends_on_the_key_and_not_on_what_was_typed() -> None:
    problem = tiny({"a": "x"}, {"x": {"range": [0, 9], "step": 0.1}})
    assert outcome(problem, {"x": 4.0}, "a", "4.005")[0] == "right"
    assert outcome(problem, {"x": 4.0}, "a", "4.0051")[0] == "wrong"
    assert outcome(problem, {"x": 9.99}, "a", "9.995")[0] == "right"
    assert outcome(problem, {"x": 9.99}, "a", "10.0")[0] == "wrong"


@pytest.mark.parametrize("typed", ["0", "0.00", "0.000", "-0", "0*5"])
def test_a_key_of_zero_is_matched_absolutely(typed: str) -> None:
    assert outcome(VALUE, {"x": 0}, "a", typed) == ("right", "")


def test_what_is_only_rounding_noise_counts_as_zero() -> None:
    problem = tiny({"a": "0.1 * x + 0.2 * x - 0.3 * x"})
    assert outcome(problem, {"x": 3}, "a", "0") == ("right", "")
    assert outcome(problem, {"x": 3}, "a", "1e-14") == ("right", "")
    assert outcome(problem, {"x": 3}, "a", "0.001") == ("wrong", "")


@pytest.mark.parametrize("typed", ["0", "0.0005", "1e-9"])
def test_nothing_is_not_a_small_probability(typed: str) -> None:
    assert outcome(masked_token(), C1 | {"z": [0, 21, 0]}, "p", typed)[0] != "right"
    assert outcome(masked_token(), C1 | {"z": [0, 21, 0]}, "p", "7.58e-10")[0] == "right"
    assert (
        outcome(tiny({"p": "softmax(z)[0]"}, {"z": {"range": [0, 9], "size": 2}}), {"z": [0, 21]}, "p", typed)[0]
        == "wrong"
    )


def test_a_key_that_floats_cannot_hold_exactly_is_right() -> None:
    assert (
        outcome(tiny({"a": "x"}, {"x": {"range": [0, 1], "step": 1e-10}}), {"x": 6.306e-7}, "a", "6.306*10^(-7)")[0]
        == "right"
    )


@pytest.mark.parametrize("typed", ["30522", "30,522", "30 522", "30521.9999999999"])
def test_a_count_is_matched_exactly(typed: str) -> None:
    problem = tiny({"n": {"is": "x * 10174", "kind": "count"}})
    assert outcome(problem, {"x": 3}, "n", typed)[0] == "right"


@pytest.mark.parametrize("typed", ["30521", "30523", "30500", "30522.5", "30522.01", "30,5"])
def test_a_count_that_is_only_near_is_not_right(typed: str) -> None:
    problem = tiny({"n": {"is": "x * 10174", "kind": "count"}})
    assert outcome(problem, {"x": 3}, "n", typed)[0] == "wrong"


def test_a_count_is_matched_exactly_however_large() -> None:
    problem = tiny({"n": {"is": "x * 1000000007", "kind": "count"}})
    assert outcome(problem, {"x": 3}, "n", "3000000021")[0] == "right"
    assert outcome(problem, {"x": 3}, "n", "3000000022")[0] == "wrong"


UNDEFINED = tiny(
    {"mean": {"is": "mean(v)", "undefined": True, "mistakes": {"zero": wrong("0", "Over nothing there is no mean.")}}},
    {"v": {"range": [1, 9], "size": {"pick": [0, 2]}}},
)


@pytest.mark.parametrize("typed", ["undefined", "0/0", "Undefined"])
def test_undefined_is_right_where_there_is_nothing_to_divide_by(typed: str) -> None:
    assert outcome(UNDEFINED, {"v": []}, "mean", typed) == ("right", "")
    assert outcome(UNDEFINED, {"v": [1, 4]}, "mean", typed) == ("wrong", "not-undefined")


def test_a_number_where_the_value_is_undefined_is_not_right() -> None:
    assert outcome(UNDEFINED, {"v": []}, "mean", "0") == ("mistake", "mean.zero")
    assert outcome(UNDEFINED, {"v": []}, "mean", "2.5") == ("wrong", "undefined-here")
    assert marks(UNDEFINED, {"v": []}, {"mean": "2.5"})["mean"].message


KINDS = tiny(
    {
        "best": {"is": "argmax(z)", "kind": "choice", "options": {"first": "the first", "second": "the second"}},
        "above": {"is": "z > 0", "kind": "choices", "options": ["left", "right"]},
        "size": {"is": "[len(z), 768]", "kind": "shape"},
        "name": {"kind": "text", "accept": ["cross-entropy", "log loss"],
                 "mistakes": {"softmax": {"accept": ["softmax"], "says": "That makes the probabilities."}}},
    },
    {"z": {"range": [-3, 3], "size": 2}},
)  # fmt: skip


def test_every_kind_of_answer_can_be_right() -> None:
    answers = {"best": "second", "above": ["right"], "size": "2 x 768", "name": "Cross-Entropy"}
    assert mark(KINDS, {"z": [-1, 2]}, answers).score == 1
    assert outcome(KINDS, {"z": [-1, 2]}, "name", "LOG  loss") == ("right", "")


def test_every_kind_of_answer_can_be_wrong() -> None:
    answers = {"best": "first", "above": ["left"], "size": "768 x 2", "name": "entropy"}
    assert {name: found[0] for name, found in told(KINDS, {"z": [-1, 2]}, answers).items()} == dict.fromkeys(
        answers, "wrong"
    )
    assert outcome(KINDS, {"z": [-1, 2]}, "name", "Softmax") == ("mistake", "name.softmax")


def test_of_several_choices_a_false_pick_takes_back_what_a_hit_earned() -> None:
    earned = {
        picks: marks(KINDS, {"z": [1, 2]}, {"above": list(picks)})["above"].credit
        for picks in [("left", "right"), ("left",)]
    }  # fmt: skip
    assert earned == {("left", "right"): 1, ("left",): Fraction(1, 2)}
    assert marks(KINDS, {"z": [-1, 2]}, {"above": ["left", "right"]})["above"].credit == 0


# 5. Wrong, and the score


def test_what_fits_nothing_is_wrong() -> None:
    given_mark = marks(masked_token(), C1, {"p": "0.9"})["p"]
    assert (given_mark.outcome, given_mark.note, given_mark.credit) == ("wrong", "", 0)


def test_a_vector_earns_its_right_entries() -> None:
    given_mark = marks(masked_token(), C1, {"powers": ["7.389", "2", "1"]})["powers"]
    assert (given_mark.outcome, given_mark.credit, given_mark.entries) == ("wrong", Fraction(2, 3), (True, False, True))


def test_the_score_is_the_weighted_mean_of_the_credits() -> None:
    assert verdict({"p": "0.665", "loss": "0.588"}).score == (1 + 2 * Fraction(1, 4)) / 3
    assert verdict({"loss": "0.408"}).score == Fraction(2, 3)
    assert verdict({"powers": ["7.389", "2.718", "1"]}).score == 0


def test_only_the_steps_that_are_asked_are_marked_and_scored() -> None:
    found = verdict({"p": "0.665", "loss": "0.3"}, only=["p"])
    assert (found.score, [given_mark.step for given_mark in found.marks]) == (1, ["p"])
    assert verdict({"powers": ["7.389", "2", "1"]}, only=["powers"]).score == Fraction(2, 3)


def test_a_step_that_is_not_marked_still_carries_forward() -> None:
    found = verdict({"p": "0.5", "loss": "0.693"}, only=["loss"])
    assert [(given_mark.outcome, given_mark.credit) for given_mark in found.marks] == [("carried", 1)]


def test_answers_are_read_in_their_own_language() -> None:
    assert outcome(masked_token(), C1, "loss", "0,408", locale="de") == ("right", "")
    assert marks(masked_token(), C1, {"loss": "0,408"}, locale="de")["loss"].read_as == "0,408"
    assert outcome(masked_token(), C3, "loss", "1.386", locale="de")[0] == "unreadable"
    assert outcome(masked_token(), C3, "loss", "1.386", locale="en")[0] == "right"


def test_a_verdict_is_frozen_and_survives_storage() -> None:
    found = verdict({"powers": ["7.389", "2", "1"], "p": "0.6667", "loss": "0.4055"})
    assert Verdict.from_json(found.to_json()) == found
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.score = Fraction(1)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        found.marks[0].credit = Fraction(1)  # type: ignore[misc]


# What may be given at all


@pytest.mark.parametrize(
    "answers",
    [{"q": "1"}, {"p": 0.665}, {"p": None}, {"powers": [1, 2, 3]}, {"p": {"a": 1}}, {"powers": ["1"] * 300}, []],
)
def test_what_is_no_answer_to_a_step_is_an_error_of_the_caller(answers: Any) -> None:
    with pytest.raises(AnswerError):
        mark(masked_token(), C1, answers)


def test_a_hidden_step_cannot_be_answered_or_asked_for() -> None:
    problem = tiny({"a": {"is": "x", "ask": None}, "b": "2 * a"})
    with pytest.raises(AnswerError, match="there are b"):
        mark(problem, {"x": 1}, {"a": "1"})
    with pytest.raises(AnswerError):
        mark(problem, {"x": 1}, {"b": "2"}, only=["a"])


def test_parameters_that_do_not_fit_together_are_a_parameter_error() -> None:
    vector = {"range": [1, 3], "size": 2}
    problem = tiny({"a": "u * w"}, {"u": vector, "w": vector})
    with pytest.raises(ParameterError):
        mark(problem, {"u": [1, 2, 3], "w": [1, 2]}, {"a": ["1", "2"]})


# For whatever is typed

TYPED = st.one_of(
    st.text(max_size=20),
    st.text("0123456789.,-+eE/*^()% ", max_size=12),
    st.floats().map(repr),
    st.sampled_from(["inf", "-inf", "nan", "1e999", "∞", "0/0", "undefined", "1e400", "10^309", "exp(999)", "0", "-0"]),
)
ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        "powers": st.one_of(st.lists(TYPED, max_size=4), TYPED), "total": TYPED, "p": TYPED, "loss": TYPED,
    },
)  # fmt: skip


def finite_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return True


@given(ANSWERS, st.sampled_from([C1, C2, C3 | {"z": [1, 1, 1, 1.5]}]), st.sampled_from(["en", "de"]))
@examples(300)
def test_any_text_is_marked_and_never_right_when_it_is_not_finite(
    answers: dict[str, Any], parameters: dict[str, Any], locale: str
) -> None:
    found = mark(masked_token(), parameters, answers, locale=locale)
    notes = {*OWN_NOTES, *(mistake.note for mistake in masked_token().mistakes)}
    assert 0 <= found.score <= 1
    for given_mark in found.marks:
        assert given_mark.outcome in OUTCOMES
        assert given_mark.note in notes
        assert isinstance(given_mark.credit, Fraction)
        assert 0 <= given_mark.credit <= 1
        typed = answers.get(given_mark.step, "")
        for text in typed if isinstance(typed, list) else [typed]:
            assert finite_number(text) or given_mark.outcome == "unreadable"
