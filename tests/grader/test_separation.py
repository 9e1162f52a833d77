"""Separation: a variant is drawn only if no named mistake can pass for the right answer."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import DrawError
from grader.problem import Problem, load
from grader.sampling import draw, draw_with_reasons
from grader.solution import solve
from tests.grader.tiny import MASKED_TOKEN, examples, masked_token, outcome, tiny, wrong

FINE = {"range": [1, 9], "step": 0.001}


def with_rule(step: str, formula: str) -> Problem:
    """The masked-token problem with a wrong rule in place of a step's own: its key is the mistake's value."""
    text = MASKED_TOKEN.read_text(encoding="utf-8")
    right = {"p": "powers[t] / total", "loss": "-ln(p)"}[step]
    assert f"    is: {right}\n" in text
    return load(text.replace(f"    is: {right}\n", f"    is: {formula}\n"))


RULES = {mistake.note: mistake.formulas[mistake.step].text for mistake in masked_token().mistakes}
TWINS = {note: with_rule(note.split(".")[0], rule) for note, rule in RULES.items()}


@given(st.integers(0, 2**40))
@examples(60)
def test_every_active_mistake_lies_outside_both_allowances_at_every_step(seed: int) -> None:
    parameters = draw(masked_token(), seed)
    solution = solve(masked_token(), parameters)
    for note, twin in TWINS.items():
        mistaken = solve(twin, parameters)
        for step in ("total", "p", "loss"):
            value, key = mistaken.values[step], solution.values[step]
            if value is None or abs(value - key) <= 1e-9 * max(abs(value), abs(key)):
                continue
            both = mistaken.allowances[step] + solution.allowances[step]
            assert abs(value - key) > both, (note, step, parameters)


@given(st.integers(0, 2**40))
@examples(60)
def test_every_key_is_finite_and_its_allowance_small(seed: int) -> None:
    solution = solve(masked_token(), draw(masked_token(), seed))
    assert all(math.isfinite(solution.values[step]) for step in ("total", "p", "loss"))
    assert all(0 < solution.allowances[step] <= 0.02 * solution.values[step] for step in ("total", "p", "loss"))
    assert 0 < solution.values["p"] < 1


def drawn_values(problem: Problem, name: str = "x", seeds: int = 60) -> set[Any]:
    return {draw(problem, seed)[name] for seed in range(seeds)}


def picking(values: list[Any], steps: dict[str, Any], **rest: Any) -> Problem:
    return tiny(steps, {"x": {"pick": values}}, **rest)


def test_a_variant_in_which_a_mistake_is_too_near_is_drawn_again() -> None:
    # sqrt(x) and x/2 meet at 4; at 4.02 they are 2.005 and 2.01, one answer digit apart.
    problem = picking([4.02, 4.5, 9.0], {"a": {"is": "sqrt(x)", "mistakes": {"half": wrong("x / 2")}}})
    assert drawn_values(problem) == {4.5, 9.0}
    reasons = {reason for seed in range(20) for reason in draw_with_reasons(problem, seed)[1]}
    assert any("a.half" in reason for reason in reasons)


def test_a_variant_in_which_a_mistake_gives_the_key_is_kept() -> None:
    problem = picking([4.0, 9.0], {"a": {"is": "sqrt(x)", "mistakes": {"half": wrong("x / 2")}}})
    assert drawn_values(problem) == {4.0, 9.0}
    assert not solve(problem, {"x": 4.0}).mistakes["a.half"]["active"]


def test_a_variant_in_which_a_mistake_has_no_value_is_kept() -> None:
    problem = picking([4.0, 9.0], {"a": {"is": "sqrt(x)", "mistakes": {"pole": wrong("1 / (x - 9)")}}})
    assert drawn_values(problem) == {4.0, 9.0}


def test_a_mistake_must_be_apart_at_the_steps_that_follow_from_it_too() -> None:
    # 8 and 9 are apart, their sigmoids 0.9997 and 0.9999 are not.
    steps = {"a": {"is": "x", "mistakes": {"one": wrong("x + 1")}}, "b": "sigmoid(a)"}
    assert drawn_values(picking([1.5, 8.0], steps)) == {1.5}
    hidden = {"a": steps["a"], "b": {"is": "sigmoid(a)", "ask": None}}
    assert drawn_values(picking([1.5, 8.0], hidden)) == {1.5, 8.0}


def test_every_entry_of_a_vector_must_be_apart() -> None:
    problem = tiny({"v": {"is": "[10, x]", "mistakes": {"other": wrong("[20, 3]")}}}, {"x": {"pick": [3.001, 5.0]}})
    assert drawn_values(problem) == {5.0}


def test_two_mistakes_that_coincide_with_each_other_force_no_redraw() -> None:
    both = {"one": wrong("x + 2"), "two": wrong("2 + x")}
    problem = picking([3.0, 5.0], {"a": {"is": "2 * x + 7", "mistakes": both}})
    assert drawn_values(problem) == {3.0, 5.0}
    assert draw_with_reasons(problem, 0)[1] == []


def test_a_saturated_value_is_drawn_again() -> None:
    problem = picking([2.0, 12.0], {"q": "sigmoid(x)", "loss": "-ln(q)"})
    assert drawn_values(problem) == {2.0}
    solution = solve(problem, {"x": 12.0})
    assert solution.allowances["loss"] > 0.02 * solution.values["loss"]


@pytest.mark.parametrize("formula", ["1 / (x - 2)", "ln(x - 2)", "sqrt(x - 3)", "exp(1000 * (3 - x))"])
def test_a_value_that_is_not_finite_is_drawn_again(formula: str) -> None:
    assert drawn_values(picking([2.0, 5.0], {"a": formula})) == {5.0}


def test_a_value_that_is_not_finite_is_drawn_again_even_where_it_is_not_asked() -> None:
    problem = picking([2.0, 5.0], {"a": {"is": "1 / (x - 2)", "ask": None}, "b": {"is": "x", "kind": "count"}})
    assert drawn_values(problem) == {5.0}


def test_undefined_is_drawn_where_it_may_be_answered() -> None:
    sizes = {"v": {"range": [1, 9], "size": {"pick": [0, 2]}}}
    allowed = tiny({"mean": {"is": "mean(v)", "undefined": True}}, sizes)
    assert {len(draw(allowed, seed)["v"]) for seed in range(30)} == {0, 2}
    refused = tiny({"mean": "mean(v)"}, sizes)
    assert {len(draw(refused, seed)["v"]) for seed in range(30)} == {2}


def test_a_problem_whose_mistake_is_always_too_near_cannot_be_drawn_and_names_it() -> None:
    problem = picking([3.0, 5.0], {"a": {"is": "x", "mistakes": {"hair": wrong("x + 0.001")}}})
    with pytest.raises(DrawError, match=r"a\.hair"):
        draw(problem, 0)


def test_a_mistake_that_replaces_several_steps_must_be_apart_at_each() -> None:
    steps = {
        "a": {"is": "x", "mistakes": {"both": wrong("x + 1", also={"b": "x * x + 0.001"})}},
        "b": {"is": "x * x"},
    }
    with pytest.raises(DrawError, match="too near to b"):
        draw(picking([3.0], steps), 0)


@given(st.integers(1000, 9000).map(lambda k: k / 1000), st.integers(1, 40).map(lambda k: k / 1000))
@examples(80)
def test_what_is_accepted_as_right_never_reaches_past_the_midpoint_to_a_mistake(x: float, distance: float) -> None:
    """Also for parameters given by hand, which nothing separated."""
    problem = tiny({"a": {"is": "x", "mistakes": {"up": wrong(f"x + {distance}")}}}, {"x": FINE})
    for share in (0.51, 0.6, 0.9, 1.0):
        assert outcome(problem, {"x": x}, "a", repr(x + share * distance))[0] != "right"
    assert outcome(problem, {"x": x}, "a", repr(x))[0] == "right"
