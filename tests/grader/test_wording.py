"""What a variant says: boxes, hints, the worked solution; and that no hint holds a key before its time."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import AnswerError, ParameterError
from grader.problem import Problem
from grader.sampling import draw, read_parameters
from grader.solution import solve
from grader.wording import fields, forecast, hints, rounded_text, rounding_note, statement, worked_solution
from tests.grader.tiny import C1, C2, examples, masked_token, tiny

SEEDS = st.integers(0, 2**40)


def numbers_in(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", text)]


def flat(value: Any) -> list[float]:
    entries = value if isinstance(value, list) else [value]
    return [float(entry) for entry in entries if isinstance(entry, int | float)]


# Boxes and texts


def test_a_box_tells_what_is_needed_to_draw_it_and_nothing_of_the_key() -> None:
    found = fields(masked_token(), C1)
    assert [(box.step, box.kind, box.size) for box in found] == [
        ("powers", "vector", 3), ("total", "number", 1), ("p", "number", 1), ("loss", "number", 1),
    ]  # fmt: skip
    assert found[0].labels == ("mat", "car", "sky")
    assert [box.optional for box in found] == [True, True, False, False]
    assert found[2].ask == "Probability of mat"
    assert found[2].symbol == "p_y"
    key = solve(masked_token(), C1).values
    told = repr(found)
    assert not any(f"{key[name]:.3g}" in told for name in ("total", "p", "loss"))


def test_the_boxes_of_two_variants_differ_only_in_what_was_drawn() -> None:
    problem = tiny({"mean": {"is": "mean(v)", "undefined": True}}, {"v": {"range": [1, 9], "size": {"pick": [0, 2]}}})
    assert fields(problem, {"v": []}) == fields(problem, {"v": [1, 4]})
    assert fields(problem, {"v": []})[0].undefined


def test_a_forecast_is_filled_in_and_may_be_missing() -> None:
    assert forecast(masked_token(), C1) == r"Will the loss be above $\ln 3$?"
    assert forecast(tiny({"a": "x"}), {"x": 1}) == ""


@pytest.mark.parametrize("call", [statement, fields, forecast, worked_solution])
def test_parameters_that_do_not_fit_are_refused(call: Any) -> None:
    with pytest.raises(ParameterError):
        call(masked_token(), {"z": [1]})


def test_hints_and_notes_belong_to_steps_that_are_asked() -> None:
    with pytest.raises(AnswerError):
        hints(masked_token(), C1, "nosuch", {})
    with pytest.raises(AnswerError):
        rounding_note(masked_token(), "nosuch")


@given(SEEDS)
@examples(20)
def test_the_rounding_expected_is_told_without_a_word_of_the_key(seed: int) -> None:
    notes = {rounding_note(masked_token(), step) for step in ("p", "loss")}
    (note,) = notes
    assert "4" in note
    assert "3" in note
    assert rounding_note(tiny({"n": {"is": "x", "kind": "count"}}), "n") == ""


# Hints


def test_hints_go_from_the_author_s_word_to_the_rule_to_the_learner_s_own_numbers() -> None:
    found = hints(masked_token(), C1, "p", {"powers": ["7.39", "2.72", "1"], "total": "11.11"})
    assert found == [
        "Which share of the sum belongs to the true word?",
        r"$\displaystyle p_y = \frac{\text{powers}_{t}}{\text{total}}$",
        r"$\displaystyle p_y = \frac{7.39}{11.11}$",
    ]


def test_an_earlier_step_that_was_not_answered_stays_a_letter() -> None:
    assert hints(masked_token(), C1, "loss", {}) == [r"$\mathcal{L} = -\ln\left(p_y\right)$"]
    assert hints(masked_token(), C1, "loss", {"p": "abc"}) == hints(masked_token(), C1, "loss", {})


def test_a_hint_is_given_in_the_numbers_the_learner_typed_even_if_they_are_wrong() -> None:
    assert hints(masked_token(), C1, "loss", {"p": "0.3"})[-1] == r"$\mathcal{L} = -\ln\left(0.3\right)$"
    assert hints(masked_token(), C1, "loss", {"p": "0,3"}, "de")[-1] == r"$\mathcal{L} = -\ln\left(0.3\right)$"


@pytest.mark.parametrize("step", ["powers", "total", "p", "loss"])
@given(SEEDS, st.booleans())
@examples(25)
def test_no_hint_holds_a_key_that_was_not_found_yet(step: str, seed: int, typed: bool) -> None:
    parameters = draw(masked_token(), seed)
    given_answers: dict[str, Any] = (
        {"powers": ["5.01", "5.02", "5.03"], "total": "15.1", "p": "0.3217"} if typed else {}
    )
    shown = set(flat(parameters["z"]))
    order = [asked.name for asked in masked_token().asked]
    values = solve(masked_token(), parameters).values
    secret = [key for name in order[: order.index(step) + 1] for key in flat(values[name]) if key not in (0, 1)]
    for hint in hints(masked_token(), parameters, step, given_answers):
        for number in numbers_in(hint):
            assert number in shown or not any(abs(number - key) <= 5e-4 * abs(key) for key in secret), hint


COUNT = {"is": "len(v)", "kind": "count"}


@pytest.mark.parametrize(
    "steps",
    [
        {"count": COUNT, "mean": "mean(v)"}, {"count": COUNT, "same": {"is": "count + 0", "kind": "count"}},
        {"first": "v[0]"}, {"place": {"is": "argmax(v)", "kind": "count"}, "top": "v[place]"},
    ],
    ids=["the length in a mean", "the length", "an entry", "a place"],
)  # fmt: skip
def test_no_hint_tells_what_only_has_to_be_read_off(steps: dict[str, Any]) -> None:
    problem, drawn = tiny(steps, {"v": {"range": [1, 99], "size": 3}}), {"v": [40, 70, 21]}
    keys = {name: float(value) for name, value in solve(problem, drawn).values.items()}
    shown = {0.0} | set(map(float, drawn["v"]))
    for at, name in enumerate(steps):
        secret = {keys[other] for other in list(steps)[: at + 1]} - shown
        for hint in hints(problem, drawn, name, {}):
            numbers = set(numbers_in(hint.split("=", 1)[1]))
            assert not numbers & secret, hint
            assert numbers != {keys[name]}, hint


def test_a_hint_puts_the_rule_of_a_step_that_is_not_asked_in_its_place() -> None:
    problem = tiny({"u": {"is": "exp(-s)", "ask": None}, "q": "1 / (1 + u)"}, {"s": {"range": [-3, 3], "step": 0.1}})
    assert hints(problem, {"s": 1.2}, "q", {}) == [
        r"$\displaystyle q = \frac{1}{1 + e^{-s}}$",
        r"$\displaystyle q = \frac{1}{1 + e^{-1.2}}$",
    ]


def test_a_choice_has_no_hint_but_the_author_s() -> None:
    choice = {"is": "argmax(v)", "kind": "choice", "options": ["a", "b"], "hint": "Look for the larger one."}
    problem = tiny({"best": choice}, {"v": {"range": [1, 9], "size": 2}})
    assert hints(problem, {"v": [1, 2]}, "best", {}) == ["Look for the larger one."]


# The worked solution


def worked(problem: Problem, parameters: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    return {line.step: (line.formula, line.numbers, line.value) for line in worked_solution(problem, parameters).steps}


def test_the_worked_solution_of_the_first_example_reads_like_the_paper() -> None:
    assert worked(masked_token(), C1) == {
        "powers": ("e^{z}", r"\left(e^{2.0},\; e^{1.0},\; e^{0.0}\right)", r"\left(7.389,\; 2.718,\; 1\right)"),
        "total": (r"\sum \text{powers}", "7.389 + 2.718 + 1", "11.11"),
        "p": (r"\frac{\text{powers}_{t}}{\text{total}}", r"\frac{7.389}{11.11}", "0.6652"),
        "loss": (r"-\ln\left(p_y\right)", r"-\ln\left(0.6652\right)", "0.4076"),
    }
    solution = worked_solution(masked_token(), C1)
    assert [line.ask for line in solution.steps][2] == "Probability of mat"
    assert solution.checks == (("The probabilities sum to one.", True),)


def test_the_worked_solution_of_the_second_example_holds_its_numbers() -> None:
    assert worked(masked_token(), C2)["loss"] == (r"-\ln\left(p_y\right)", r"-\ln\left(0.04528\right)", "3.095")


@given(SEEDS)
@examples(25)
def test_the_value_of_every_line_is_the_key_to_the_working_digits(seed: int) -> None:
    parameters = draw(masked_token(), seed)
    values = solve(masked_token(), parameters).values
    for line in worked_solution(masked_token(), parameters).steps:
        assert numbers_in(line.value) == pytest.approx(flat(values[line.step]), rel=1e-3)


NEGATIVE = {"s": {"range": [-3, 3], "step": 0.1}, "b": {"range": [-3, 3], "step": 0.1}}


@pytest.mark.parametrize(
    ("formula", "symbols", "numbers"),
    [
        ("s - b", "s - b", r"-1.2 - \left(-0.5\right)"),
        ("s * b", r"s \cdot b", r"\left(-1.2\right) \cdot \left(-0.5\right)"),
        ("-s", "-s", r"-\left(-1.2\right)"),
        ("(s + 1) * 2", r"\left(s + 1\right) \cdot 2", r"\left(-1.2 + 1\right) \cdot 2"),
        ("s - (b - 1)", r"s - \left(b - 1\right)", r"-1.2 - \left(-0.5 - 1\right)"),
        ("s ^ 2", "s^{2}", r"\left(-1.2\right)^{2}"),
        ("1 / (1 + exp(-s))", r"\frac{1}{1 + e^{-s}}", r"\frac{1}{1 + e^{-\left(-1.2\right)}}"),
        ("sigmoid(s)", r"\sigma\left(s\right)", r"\sigma\left(-1.2\right)"),
        ("abs(s)", r"\left|s\right|", r"\left|-1.2\right|"),
        ("log2(3 - s)", r"\log_2\left(3 - s\right)", r"\log_2\left(3 - \left(-1.2\right)\right)"),
    ],
)  # fmt: skip
def test_signs_and_brackets_of_a_rule_survive_the_numbers(formula: str, symbols: str, numbers: str) -> None:
    (line,) = worked_solution(tiny({"a": formula}, NEGATIVE), {"s": -1.2, "b": -0.5}).steps
    assert line.formula == symbols
    assert line.numbers.replace(r"\left(-1.2\right) \cdot", r"-1.2 \cdot") in (
        numbers,
        numbers.replace(r"\left(-1.2\right) \cdot", r"-1.2 \cdot"),
    )


def test_a_step_that_is_not_asked_is_worked_all_the_same() -> None:
    problem = tiny({"a": {"is": "2 * x", "ask": None}, "b": "a + 1"})
    assert list(worked(problem, {"x": 3})) == ["a", "b"]


def test_an_answer_that_is_no_number_is_worked_in_words() -> None:
    problem = tiny(
        {"best": {"is": "argmax(v)", "kind": "choice", "options": {"l": "the **left** one", "r": "the right one"}},
         "both": {"is": "v > 0", "kind": "choices", "options": ["left", "right"]},
         "name": {"kind": "text", "accept": ["Softmax", "soft max"]},
         "size": {"is": "[len(v), 768]", "kind": "shape"}},
        {"v": {"range": [1, 9], "size": 2}},
    )  # fmt: skip
    texts = {line.step: line.text for line in worked_solution(problem, {"v": [5, 2]}).steps}
    assert texts["best"] == "the **left** one"
    assert texts["both"] == "left; right"
    assert texts["name"] == "Softmax"
    assert worked(problem, {"v": [5, 2]})["size"][2] == r"2 \times 768"


def test_undefined_is_worked_as_undefined() -> None:
    problem = tiny({"mean": {"is": "mean(v)", "undefined": True}}, {"v": {"range": [1, 9], "size": {"pick": [0, 2]}}})
    assert worked(problem, {"v": []})["mean"][2] == r"\text{undefined}"


def test_a_line_that_verifies_tells_whether_it_holds() -> None:
    problem = tiny(
        {"a": "2 * x"}, verify=[{"holds": "a > x", "says": "Doubled."}, {"holds": "a > 9", "says": "Large."}]
    )
    assert worked_solution(problem, {"x": 3}).checks == (("Doubled.", True), ("Large.", False))


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(0.66524, 4, "0.6652"), (11.10734, 4, "11.11"), (7.0, 4, "7"), (30522.0, 4, "30522"), (0.25, 4, "0.25"),
     (1.5, 4, "1.5"), (1234567.8, 4, "1234568"), (-0.66524, 3, "-0.665"), (1.2e-8, 3, r"1.2 \cdot 10^{-8}"),
     (0.0, 4, "0"),
     (9.9996, 4, "10.00"), (0.2 * 0.2, 4, "0.04")],
)  # fmt: skip
def test_a_value_is_written_at_its_digits_and_not_longer_than_it_is(value: float, digits: int, text: str) -> None:
    assert rounded_text(value, digits) == text


def test_reading_parameters_twice_fills_the_same_statement() -> None:
    drawn = draw(masked_token(), 5)
    assert statement(masked_token(), drawn) == statement(
        masked_token(), dict(read_parameters(masked_token(), drawn).values)
    )
