"""Errors carried forward: a learner who errs once loses once."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking import mark
from grader.problem import Problem
from grader.solution import solve
from tests.grader.tiny import C1, C2, examples, marks, masked_token, outcome, tiny, told, wrong


def credits_of(problem: Problem, parameters: dict[str, Any], answers: dict[str, Any]) -> list[Fraction]:
    found = marks(problem, parameters, answers)
    return [found[name].credit for name in answers]


ROOT = {"x": {"range": [1, 9]}}


# The must-holds of the first worked example


def test_the_loss_that_follows_from_a_named_mistake_is_carried() -> None:
    assert told(masked_token(), C1, {"p": "0.6667", "loss": "0.4055"}) == {
        "p": ("mistake", "p.no-exp"), "loss": ("carried", ""),
    }  # fmt: skip
    assert mark(masked_token(), C1, {"p": "0.6667", "loss": "0.4055"}).score == Fraction(2, 3)


def test_the_same_loss_without_the_step_before_is_the_named_mistake() -> None:
    assert told(masked_token(), C1, {"p": "", "loss": "0.4055"})["loss"] == ("mistake", "p.no-exp")


def test_the_loss_of_the_wrong_word_is_carried() -> None:
    found = told(masked_token(), C1, {"p": "0.245", "loss": "1.406"})
    assert found["p"][0] in ("wrong", "mistake")
    assert found["loss"] == ("carried", "")


def test_a_mistake_after_a_right_step_is_no_carried_value() -> None:
    assert told(masked_token(), C1, {"p": "0.665", "loss": "0.588"}) == {
        "p": ("right", ""), "loss": ("mistake", "loss.log2"),
    }  # fmt: skip


# Carried


def test_a_carried_step_earns_all_and_says_where_the_slip_is() -> None:
    given_mark = marks(masked_token(), C1, {"p": "0.5", "loss": "0.693"})["loss"]
    assert (given_mark.outcome, given_mark.credit) == ("carried", 1)
    assert "p_y" in given_mark.message


def test_a_wrong_value_is_carried_through_every_step_after_it() -> None:
    problem = tiny({"a": "sqrt(x)", "b": "a + 1", "c": "b * 2", "d": "c - a"})
    answers = {"a": "2", "b": "3", "c": "6", "d": "4"}
    assert [found[0] for found in told(problem, {"x": 2}, answers).values()] == [
        "wrong",
        "carried",
        "carried",
        "carried",
    ]
    assert mark(problem, {"x": 2}, answers).score == Fraction(3, 4)


def test_a_value_is_carried_past_steps_that_were_left_out() -> None:
    problem = tiny({"a": "sqrt(x)", "b": "a + 1", "c": "b * 2"})
    assert told(problem, {"x": 2}, {"a": "2", "c": "6"}) == {"a": ("wrong", ""), "c": ("carried", "")}
    assert told(problem, {"x": 2}, {"a": "2", "b": "x", "c": "6"})["c"] == ("carried", "")


def test_a_carried_vector_and_a_single_number_go_on_together() -> None:
    answers = {"powers": ["7.389", "2", "1"], "total": "10.389", "p": "0.711", "loss": "0.341"}
    assert [found[0] for found in told(masked_token(), C1, answers).values()] == [
        "wrong",
        "carried",
        "carried",
        "carried",
    ]


def test_two_slips_are_carried_both() -> None:
    problem = tiny({"a": "sqrt(x)", "b": "a + 1", "c": "a * b"})
    answers = {"a": "2", "b": "5", "c": "10"}
    assert [found[0] for found in told(problem, {"x": 2}, answers).values()] == ["wrong", "wrong", "carried"]


def test_a_right_step_after_a_wrong_one_is_right() -> None:
    assert told(masked_token(), C1, {"p": "0.5", "loss": "0.408"})["loss"] == ("right", "")


def test_a_value_that_follows_neither_from_the_key_nor_from_what_was_typed_is_wrong() -> None:
    assert told(masked_token(), C1, {"p": "0.5", "loss": "0.9"})["loss"] == ("wrong", "")


def test_steps_that_do_not_flow_in_do_not_matter() -> None:
    problem = tiny({"a": {"is": "sqrt(x)", "range": "(0, 1)"}, "b": "ln(x + 1)", "c": "b * 2"})
    assert told(problem, {"x": 2}, {"a": "7", "b": "2", "c": "4"}) == {
        "a": ("wrong", ""), "b": ("wrong", ""), "c": ("carried", ""),
    }  # fmt: skip


def test_what_is_carried_may_have_been_rounded_on_paper() -> None:
    # 0.791 was typed where the calculator showed 0.7906, and the calculator went on.
    problem = tiny({"a": "sqrt(x)", "b": "1000 * a"})
    assert told(problem, {"x": 2}, {"a": "0.791", "b": "790.6"})["b"] == ("carried", "")
    assert told(problem, {"x": 2}, {"a": "0.791", "b": "789"})["b"][0] == "wrong"


def test_a_choice_is_carried_like_a_number() -> None:
    assert told(HEAD, {"names": ["a", "b"], "z": [2, 0]}, {"p": ["0.2", "0.8"], "best": "b"})["best"] == ("carried", "")


def test_a_choice_of_the_first_option_is_carried() -> None:
    assert told(HEAD, {"names": ["a", "b"], "z": [0, 2]}, {"p": ["0.8", "0.2"], "best": "a"})["best"] == ("carried", "")


HEAD = tiny(
    {"p": "softmax(z)", "best": {"is": "argmax(p)", "kind": "choice", "options": "names"}},
    {"names": {"choose": 2, "from": "nouns"}, "z": {"range": [0, 3], "size": "names"}},
)


def test_a_count_is_carried_exactly() -> None:
    problem = tiny({"n": {"is": "3 * x", "kind": "count"}, "m": {"is": "8 * n + 1", "kind": "count"}})
    assert told(problem, {"x": 5}, {"n": "20", "m": "161"}) == {"n": ("wrong", ""), "m": ("carried", "")}
    assert told(problem, {"x": 5}, {"n": "20", "m": "160"})["m"] == ("wrong", "")


# Own rounding


def test_what_follows_from_right_but_rounded_values_is_right() -> None:
    # 0.05 is the key 0.04978 with the digits asked of it, and turns the loss from 3.0 into 2.996.
    problem = tiny(
        {"p": {"is": "exp(-x)", "digits": 2}, "loss": {"is": "-ln(p)", "digits": 4}}, digits={"working": 7, "answer": 4}
    )
    assert told(problem, {"x": 3}, {"p": "0.050", "loss": "2.996"}) == {
        "p": ("right", ""),
        "loss": ("right", "own-rounding"),
    }
    assert marks(problem, {"x": 3}, {"p": "0.050", "loss": "2.996"})["loss"].credit == 1
    assert outcome(problem, {"x": 3}, "loss", "2.996")[0] == "wrong"


def test_own_rounding_does_not_excuse_an_answer_nearer_to_a_mistake() -> None:
    problem = tiny(
        {"p": {"is": "exp(-x)", "digits": 2},
         "loss": {"is": "-ln(p)", "digits": 4, "mistakes": {"close": wrong("-ln(p) - 0.005")}}},
        digits={"working": 7, "answer": 4},
    )  # fmt: skip
    assert told(problem, {"x": 3}, {"p": "0.050", "loss": "2.996"})["loss"][0] != "right"


# What is not carried


@pytest.mark.parametrize(("p", "loss"), [("1.5", "-0.405"), ("-0.5", "0.693"), ("1", "0")])
def test_a_value_outside_its_range_is_not_carried_on(p: str, loss: str) -> None:
    found = marks(masked_token(), C2, {"p": p, "loss": loss})["loss"]
    assert (found.outcome, found.credit) != ("carried", 1)
    assert found.outcome in ("wrong", "mistake")


def test_a_refused_value_says_which_range_was_left() -> None:
    given_mark = marks(masked_token(), C2, {"p": "1.5", "loss": "-0.405"})["loss"]
    assert (given_mark.outcome, given_mark.note) == ("wrong", "carry-refused")
    assert "between 0 and 1" in given_mark.message


@pytest.mark.parametrize(
    ("range_", "carried"), [("(0, 2)", False), ("(0, 2]", True), ("[2, inf)", True), ("(2, inf)", False)]
)
def test_the_ends_of_a_range_belong_to_it_as_it_says(range_: str, carried: bool) -> None:
    problem = tiny({"a": {"is": "sqrt(x)", "range": range_}, "b": "a + 1"})
    assert (told(problem, {"x": 2}, {"a": "2", "b": "3"})["b"][0] == "carried") == carried


def test_every_entry_of_a_vector_must_lie_in_the_range() -> None:
    problem = tiny({"p": {"is": "softmax(z)", "range": "(0, 1)"}, "q": "2 * p[0]"}, {"z": {"range": [0, 3], "size": 2}})
    assert told(problem, {"z": [1, 2]}, {"p": ["0.4", "0.6"], "q": "0.8"})["q"] == ("carried", "")
    assert told(problem, {"z": [1, 2]}, {"p": ["0.4", "1.6"], "q": "0.8"})["q"][0] == "wrong"


def test_a_wrong_value_at_a_step_that_allows_no_carry_is_not_carried_on() -> None:
    problem = tiny({"a": {"is": "sqrt(x)", "carry": False}, "b": "2 * a"})
    assert told(problem, {"x": 2}, {"a": "3", "b": "6"})["b"] == ("wrong", "carry-refused")
    assert told(problem, {"x": 2}, {"a": "1.41", "b": "2.83"})["b"][0] == "right"


def test_what_comes_to_nothing_is_not_carried() -> None:
    problem = tiny({"a": "sqrt(x)", "b": "a - 1"})
    assert told(problem, {"x": 2}, {"a": "1", "b": "0"})["b"] == ("wrong", "carry-refused")


def test_what_has_no_finite_value_is_not_carried() -> None:
    problem = tiny({"a": "sqrt(x)", "b": "1 / (a - 1)"})
    for typed in ("0", "1e300", "5"):
        assert told(problem, {"x": 2}, {"a": "1", "b": typed})["b"][0] == "wrong"


MEAN = tiny(
    {
        "count": {"is": "len(v)", "kind": "count"},
        "mean": {"is": "where(count > 0, sum(v) / count, 0 / 0)", "undefined": True},
        "double": {"is": "2 * mean", "undefined": True},
    },
    {"v": {"range": [1, 9], "size": {"pick": [0, 2]}}},
)


def test_undefined_is_not_carried_in() -> None:
    found = told(MEAN, {"v": [1, 4]}, {"count": "2", "mean": "undefined", "double": "undefined"})
    assert found == {"count": ("right", ""), "mean": ("wrong", "not-undefined"), "double": ("wrong", "not-undefined")}
    # The step after is judged as if nothing had been typed.
    assert told(MEAN, {"v": [1, 4]}, {"mean": "undefined", "double": "5"})["double"] == ("right", "")


def test_undefined_is_not_carried_out() -> None:
    found = told(MEAN, {"v": [1, 4]}, {"count": "0", "mean": "undefined"})
    assert found == {"count": ("wrong", ""), "mean": ("wrong", "not-undefined")}


@pytest.mark.parametrize("typed", ["0", "-3", "1e300", "1e-300", "abc", "0/0"])
def test_whatever_was_typed_before_the_steps_after_it_are_marked_as_ever(typed: str) -> None:
    answers = {"powers": [typed] * 3, "total": typed, "p": typed, "loss": "0.408"}
    assert told(masked_token(), C1, answers)["loss"] == ("right", "")


# Slips at steps without weight


def test_a_slip_at_a_step_without_weight_costs_half_of_the_first_step_that_follows() -> None:
    answers = {"total": "12", "p": "0.616", "loss": "0.485"}
    found = marks(masked_token(), C1, answers)
    assert [found[name].outcome for name in answers] == ["wrong", "carried", "carried"]
    assert [found["p"].credit, found["loss"].credit] == [Fraction(1, 2), 1]
    assert "half" in found["p"].message
    assert "half" not in found["loss"].message
    assert mark(masked_token(), C1, answers).score == Fraction(5, 6)


def test_half_a_credit_passes_through_carried_steps_without_weight() -> None:
    answers = {"powers": ["8", "2.718", "1"], "total": "11.718", "p": "0.683", "loss": "0.381"}
    assert credits_of(masked_token(), C1, answers)[2:] == [Fraction(1, 2), 1]


def test_a_slip_at_a_step_with_weight_costs_nothing_more() -> None:
    assert credits_of(masked_token(), C1, {"p": "0.5", "loss": "0.693"}) == [0, 1]


def test_a_slip_at_a_weightless_step_is_paid_for_once() -> None:
    optional = {"optional": True}
    problem = tiny({"a": {"is": "sqrt(x)", **optional}, "b": {"is": "2 * a", **optional}, "c": "a + 1", "d": "b + 1"})
    assert credits_of(problem, {"x": 2}, {"a": "3", "b": "6", "c": "4", "d": "7"})[2:] == [Fraction(1, 2), 1]


def test_two_slips_at_steps_without_weight_are_paid_for_each() -> None:
    optional = {"optional": True}
    problem = tiny({"a": {"is": "sqrt(x)", **optional}, "b": {"is": "ln(x)", **optional}, "c": "a + 1", "d": "b + 1"})
    assert credits_of(problem, {"x": 2}, {"a": "3", "b": "6", "c": "4", "d": "7"})[2:] == [
        Fraction(1, 2),
        Fraction(1, 2),
    ]


# For every slip


@given(st.floats(0.05, 0.95).map(lambda p: round(p, 3)), st.integers(0, 3))
@examples(80)
def test_whoever_goes_on_rightly_from_any_probability_loses_it_alone(p: float, more: int) -> None:
    solution = solve(masked_token(), C1)
    loss = f"{solve(AFTER, {'p': p}).values['loss']:.{3 + more}g}"
    found = marks(masked_token(), C1, {"p": f"{p}", "loss": loss})
    if abs(p - solution.values["p"]) > solution.allowances["p"]:
        assert found["p"].outcome in ("wrong", "mistake")
        assert (found["loss"].outcome, found["loss"].credit) in [("carried", 1), ("right", 1)]
    else:
        assert (found["loss"].outcome, found["loss"].credit) == ("right", 1)


AFTER = tiny({"loss": "-ln(p)"}, {"p": {"range": [0, 1], "step": 0.001}})


def test_a_mistake_that_lies_nearer_than_the_carried_value_is_named() -> None:
    # One power is off, so that 0.6658 would be carried, and 0.6667 with it; but that comes without any power at all.
    answers = {"powers": ["7.389", "2.71", "1"], "p": "0.6667"}
    assert told(masked_token(), C1, answers)["p"] == ("mistake", "p.no-exp")
    assert told(masked_token(), C1, answers | {"p": "0.6661"})["p"] == ("carried", "")


def test_what_follows_from_a_carried_step_names_the_slip_and_not_that_step() -> None:
    given = marks(
        masked_token(), C1, {"powers": ["8.389", "2.718", "1"], "total": "12.107", "p": "0.693", "loss": "0.367"}
    )
    assert [given[name].outcome for name in ("total", "p", "loss")] == ["carried"] * 3
    symbols = {name: masked_token().step(name).symbol for name in ("powers", "total", "p")}
    assert f"${symbols['powers']}$" in given["loss"].message
    assert f"${symbols['total']}$" not in given["loss"].message
    assert f"${symbols['p']}$" not in given["loss"].message
