"""The figure of a variant: the numbers it is drawn from, and nothing of an answer before its step is right."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import ParameterError, ProblemError
from grader.picture import Figure, figure_data
from grader.problem import Problem
from grader.sampling import draw
from tests.grader.tiny import C1, examples, masked_token, tiny

Z = {"words": {"choose": 3, "from": "nouns"}, "z": {"range": [-2, 4], "size": "words"}, "t": {"index": "words"}}


def drawn(figure: dict[str, Any], revealed: set[str], steps: dict[str, Any] | None = None) -> Figure:
    problem = tiny(steps or {"p": "softmax(z)[t]"}, Z, figure=figure)
    found = figure_data(problem, {name: C1[name] for name in Z}, revealed)
    assert found is not None
    json.dumps(found.data, allow_nan=False)
    return found


def test_a_problem_without_a_figure_has_none() -> None:
    assert figure_data(tiny({"a": "x"}), {"x": 1}, set()) is None


def test_bars_are_empty_until_their_step_is_right() -> None:
    before = figure_data(masked_token(), C1, set())
    after = figure_data(masked_token(), C1, {"p"})
    assert before is not None
    assert after is not None
    assert before.kind == after.kind == "bars"
    assert before.data["labels"] == ["mat", "car", "sky"]
    assert before.data["values"] is None
    assert after.data["values"] == pytest.approx([0.66524, 0.24473, 0.09003], abs=1e-5)


@given(st.integers(0, 2**40))
@examples(20)
def test_no_number_of_a_figure_is_shown_before_its_step_is_right(seed: int) -> None:
    for revealed in (set(), {"powers"}, {"total", "loss"}):
        found = figure_data(masked_token(), draw(masked_token(), seed), revealed)
        assert found is not None
        assert found.data["values"] is None


def test_what_is_made_from_a_step_waits_for_that_step_without_being_told_to() -> None:
    steps = {"q": {"is": "softmax(z)"}, "p": "q[t]"}
    assert drawn({"bars": "q", "labels": "words"}, set(), steps).data["values"] is None
    assert drawn({"bars": "q", "labels": "words"}, {"q"}, steps).data["values"] is not None
    assert drawn({"curve": "p"}, {"q"}, steps).data["p"] is None


def test_bars_may_stand_open_from_the_start() -> None:
    found = drawn({"bars": "z", "labels": "words", "highlight": "t"}, set())
    assert found.data == {"labels": ["mat", "car", "sky"], "values": [2, 1, 0], "highlight": 0}


def test_tokens_carry_their_marks_by_slot() -> None:
    found = drawn({"tokens": "words", "mask": "[1]", "kept": "[3]", "special": "[]"}, set())
    assert found.kind == "tokens"
    assert found.data == {"tokens": ["mat", "car", "sky"], "marks": {1: "mask", 3: "kept"}, "first": 1}


def test_marks_that_are_the_answer_wait() -> None:
    figure = {"tokens": "words", "mask": "[1]", "reveal": "p"}
    assert drawn(figure, set()).data["marks"] == {}
    assert drawn(figure, {"p"}).data["marks"] == {1: "mask"}


def test_vectors_and_a_matrix() -> None:
    found = drawn({"vectors": {"z": "z", "2z": "2 * z"}, "matrix": {"name": "W", "is": "[z, z]"}}, set())
    assert found.data == {
        "vectors": [{"name": "z", "values": [2, 1, 0]}, {"name": "2z", "values": [4, 2, 0]}],
        "matrix": {"name": "W", "rows": [[2, 1, 0], [2, 1, 0]]},
    }


def test_rows_that_are_added_up() -> None:
    found = drawn({"embeddings": {"token": "z", "sum": "total"}}, set(), {"total": "z + 1"})
    assert found.kind == "embeddings"
    assert found.data == {"rows": [{"name": "token", "values": [2, 1, 0]}]}
    assert len(drawn({"embeddings": {"token": "z", "sum": "total"}}, {"total"}, {"total": "z + 1"}).data["rows"]) == 2


def test_a_funnel_has_its_sizes() -> None:
    found = drawn({"funnel": [768, "len(z)"], "labels": "words", "activation": "softmax"}, set())
    assert found.data == {"inputs": 768, "outputs": 3, "labels": ["mat", "car", "sky"], "activation": "softmax"}


def test_the_loss_curve_has_its_point_once_the_probability_is_right() -> None:
    assert drawn({"curve": "p", "reveal": "p"}, set()).data["p"] is None
    found = drawn({"curve": "p", "reveal": "p"}, {"p"})
    assert found.kind == "loss-curve"
    assert (found.data["p"], found.data["loss"]) == (pytest.approx(0.66524, abs=1e-5), pytest.approx(0.40761, abs=1e-5))


@pytest.mark.parametrize(
    "figure",
    [{}, {"bars": "z", "curve": "z[0]"}, {"bars": "nosuch"}, {"tokens": "z"}, {"tokens": "nosuch"}, {"pie": "z"},
     {"bars": "z", "reveal": "nosuch"}, {"bars": "z", "labels": "nosuch"}, {"funnel": [768]}],
)  # fmt: skip
def test_a_figure_that_cannot_be_drawn_is_refused_when_the_file_is_read(figure: dict[str, Any]) -> None:
    with pytest.raises(ProblemError, match="figure"):
        tiny({"p": "softmax(z)[t]"}, Z, figure=figure)


def test_a_figure_of_parameters_that_do_not_fit_is_refused() -> None:
    problem: Problem = masked_token()
    with pytest.raises(ParameterError):
        figure_data(problem, {"z": [1]}, set())
