"""What an author writes is drawn, told and checked within bounds, or refused with a reason."""

import pytest

from grader.checking import check
from grader.errors import ParameterError, ProblemError
from grader.marking import mark
from grader.picture import figure_data
from grader.wording import hints, worked_solution
from tests.grader.tiny import tiny

V = {"v": {"range": [1, 9], "size": 2}}
MANY = {"v": {"range": [1, 9], "size": 200}}
BARS = {"bars": "v / sum(v)", "labels": ["a", "b", "c"]}


def test_bars_without_labels_are_a_fault_of_the_file() -> None:
    with pytest.raises(ProblemError, match="labels"):
        tiny({"s": "sum(v)"}, V, figure={"bars": "v"})


def test_a_part_of_a_figure_must_be_of_its_rank() -> None:
    with pytest.raises(ProblemError, match="a matrix is needed"):
        tiny({"s": "sum(v)"}, V, figure={"vectors": {"v": "v"}, "matrix": {"name": "W", "is": "v"}})


@pytest.mark.parametrize(
    "figure", [BARS, {"funnel": ["ln(-1)", 2]}, {"funnel": [1.5, 2]}, {"bars": "v / 0", "labels": ["a", "b"]}]
)
def test_a_figure_that_cannot_be_drawn_fails_the_check(figure: dict[str, object]) -> None:
    problem = tiny({"s": "sum(v)"}, V, figure=figure)
    assert any("figure cannot be drawn" in failure for failure in check(problem, range(5)).failures)
    with pytest.raises(ParameterError, match="figure cannot be drawn"):
        figure_data(problem, {"v": [1, 2]}, ["s"])


def test_a_hint_stays_short_where_hidden_rules_would_double_again_and_again() -> None:
    steps: dict[str, object] = {"a0": {"is": "sum(v)", "ask": None}}
    for k in range(1, 14):
        steps[f"a{k}"] = {"is": f"a{k - 1} + a{k - 1}", "ask": None}
    steps["end"] = "a13 + a13"
    told = hints(tiny(steps, V), {"v": [1, 2]}, "end", {})
    assert told
    assert max(map(len, told)) < 500


def test_more_values_than_anybody_works_out_are_refused() -> None:
    problem = tiny({"a": "exp(v / 9)", "b": "a + 1"}, MANY)
    with pytest.raises(ParameterError, match="at most 256 values"):
        mark(problem, {"v": [1] * 200}, {})
    assert not check(problem, range(3)).passed


def test_a_text_that_points_at_no_word_fails_the_check() -> None:
    words = {"words": {"choose": 2, "from": "nouns"}, "k": {"range": [1, 3]}}
    problem = tiny({"s": "k + 0.5"}, words, statement="The word is {{ words[k] }}.")
    assert any("points at a word that is not there" in failure for failure in check(problem, range(20)).failures)


def test_a_worked_solution_that_nobody_could_read_fails_the_check() -> None:
    matrix = {"W": {"range": [0.001, 9], "step": 0.001, "size": [9, 9]}, "h": {"range": [1, 900], "size": 9}}
    long = tiny({"s": "+".join(["sum(matvec(W,h))"] * 23)}, matrix)
    assert any("the worked solution of s is longer" in failure for failure in check(long, range(3)).failures)
    assert check(tiny({"s": "sum(matvec(W,h))"}, matrix), range(3)).failures == []


def test_of_a_large_matrix_only_the_terms_that_are_shown_are_written() -> None:
    problem = tiny(
        {"s": "sum(matvec(W,h))"}, {"W": {"range": [1, 9], "size": [60, 60]}, "h": {"range": [1, 9], "size": 60}}
    )
    numbers = worked_solution(problem, {"W": [[2] * 60] * 60, "h": [3] * 60}).steps[0].numbers
    assert r"\ldots" in numbers
    assert numbers.count(r"2 \cdot 3") < 100
