"""The formula language: what it means, what it refuses, and that no text is too much for it."""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from grader.errors import FormulaError
from grader.formula import Formula, compile_formula
from grader.functions import FUNCTIONS
from grader.syntax import LEARNER
from tests.grader.tiny import examples

RANKS = {"x": 1, "W": 2, "a": 0}
ENV = {"x": np.array([[5.0, 6.0, 7.0]]), "W": np.array([[[1.0, 2.0], [3.0, 4.0]]]), "a": np.array([[2.0]])}


def value(text: str) -> list[float]:
    with np.errstate(all="ignore"):
        return [float(entry) for entry in np.asarray(compile_formula(text, RANKS)(ENV)).reshape(-1)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("1 - 2 - 3", -4), ("8 / 4 / 2", 1), ("2 ^ 3", 8), ("2 ** 3", 8),
        ("-2 ^ 2", -4), ("2 ^ -1", 0.5), ("2 ^ 3 ^ 2", 512), ("--2", 2), ("+2", 2), ("2 * -3", -6), (".5", 0.5),
        ("5.", 5), ("1e3", 1000), ("1E-3", 0.001), ("007", 7), ("e", math.e), ("pi", math.pi), ("1/3", 1 / 3),
        ("1 < 2", 1), ("2 <= 2", 1), ("1 > 2", 0), ("1 >= 2", 0), ("2 == 2", 1), ("2 != 2", 0), ("1 < 2 < 3", 1),
        ("1 < 3 < 2", 0), ("not 0", 1), ("1 and 0", 0), ("0 or 1", 1), ("not (1 < 2) or 3 > 2", 1),
        ("x[0]", 5), ("x[a]", 7), ("x[len(x) - 1]", 7), ("W[1][0]", 3), ("[4, 9][1]", 9), ("a", 2),
        ("ln(e^2)", 2), ("log2(8)", 3), ("log10(1000)", 3), ("exp(0)", 1), ("sqrt(16)", 4), ("abs(-3)", 3),
        ("-ln(0.5) * a", 2 * math.log(2)),
    ],
)  # fmt: skip
def test_a_formula_means_what_it_means_on_paper(text: str, wanted: float) -> None:
    assert value(text) == pytest.approx([wanted])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x + 1", [6, 7, 8]), ("a * x", [10, 12, 14]), ("x * x", [25, 36, 49]), ("x > 5", [0, 1, 1]),
        ("[a, 1, x[0]]", [2, 1, 5]), ("[]", []), ("x[[2, 0]]", [7, 5]), ("W[a - 1]", [3, 4]), ("2 * W[0]", [2, 4]),
        ("matvec(2 * W, [1, 1])", [6, 14]), ("matvec([x, x], x)", [110, 110]), ("-x", [-5, -6, -7]),
    ],
)  # fmt: skip
def test_numbers_combine_with_vectors_entry_by_entry(text: str, wanted: list[float]) -> None:
    assert value(text) == wanted


@pytest.mark.parametrize(
    ("text", "rank"),
    [("a", 0), ("x", 1), ("W", 2), ("a + x", 1), ("a * W", 2), ("sum(x)", 0), ("x[a]", 0), ("x[x]", 1), ("W[a]", 1),
     ("[a, a]", 1), ("[x, x]", 2), ("softmax(x)", 1), ("matvec(W, x)", 1), ("max(x)", 0), ("max(x, a)", 1)],
)  # fmt: skip
def test_the_rank_is_known_before_anything_is_evaluated(text: str, rank: int) -> None:
    assert compile_formula(text, RANKS).rank == rank


def test_a_name_hides_a_constant() -> None:
    formula = compile_formula("2 * e", {"e": 0})
    assert formula({"e": np.array([[5.0]])}).item() == 10
    assert formula.names == {"e"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("log(2)", "write ln, log2 or log10"), ("log", "write ln, log2 or log10"), ("", "no formula"),
        ("   ", "no formula"), ("exp", "needs brackets"), ("exp()", "takes 1 argument"),
        ("exp(1, 2)", "takes 1 argument"), ("where(1, 2)", "takes 3 arguments"), ("max()", "takes 1 to 8 arguments"),
        ("nosuch(1)", "no function nosuch"), ("y", "y is not known here"), ("2a", r"write a \* between 2 and a"),
        ("e(2)", r"write a \* between e and the bracket"), ("x.y", "no meaning"), ("exp.__class__", "no meaning"),
        ("__import__('os')", "no meaning"), ("'a'", "no meaning"), ("1_000", "write a"), ("0x10", "write a"),
        ("1..2", "cannot be read"), ("1.2.3", "cannot be read"), ("5 % 3", "no meaning"), ("7 // 2", "formula"),
        ("1 & 2", "no meaning"), ("~1", "no meaning"), ("a @ a", "no meaning"), ("a := 1", "no meaning"),
        ("a = 1", "no meaning"), ("1; 2", "no meaning"), ("{1}", "no meaning"), ("# 1", "no meaning"),
        ("True", "only numbers"), ("None", "only numbers"), ("lambda: 1", "no meaning"),
        ("1 if 2 else 3", "not part of the formula language"), ("1 in x", "not part of the formula language"),
        ("a is a", "not part of the formula language"), ("[a for a in x]", "not part of the formula language"),
        ("exp(*x)", "not part of the formula language"), ("(1, 2)", "not part of the formula language"),
        ("x[0, 1]", "not part of the formula language"), ("exp(x)(1)", "not part of the formula language"),
        ("yield", "check brackets"), ("await a", "not part of the formula language"), ("(1", "check brackets"),
        ("1)", "check brackets"),
        ("1 +", "check brackets"), ("* 1", "check brackets"), ("a b", "check brackets"), ("x[", "check brackets"),
        ("x + W", "entry by entry"), ("sum(a)", "takes a vector"), ("sum(W)", "takes a vector"), ("a[0]", "indexed"),
        ("matvec(x, W)", "a matrix and a vector"), ("transpose(x)", "takes a matrix"), ("[a, x]", "a list holds"),
        ("[W, W]", "a list holds"), ("softmax(a)", "takes a vector"), ("contains(W, x)", "does not take a matrix"),
    ],
)  # fmt: skip
def test_what_is_not_in_the_language_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(FormulaError, match=says):
        compile_formula(text, RANKS)


def test_a_refusal_points_at_the_column() -> None:
    with pytest.raises(FormulaError) as caught:
        compile_formula("1 + 2 ? 3", RANKS)
    assert caught.value.position == 6


@pytest.mark.parametrize(
    "text",
    ["1+" * 300 + "1", "(" * 199 + "1" + ")" * 200, "-" * 150 + "1", "[" * 60 + "1" + "]" * 60, "1+" * 190 + "1",
     "exp(" * 40 + "1" + ")" * 40, "not " * 60 + "1", "9" * 500, "1" + "0" * 399],
)  # fmt: skip
def test_length_depth_and_size_are_bounded(text: str) -> None:
    with pytest.raises(FormulaError):
        compile_formula(text, RANKS)


@pytest.mark.parametrize("text", ["9^9^9^9^9", "-10^400", "1e999", "exp(exp(exp(9)))", "0^-1"])
def test_what_is_too_large_is_infinite_and_takes_no_time(text: str) -> None:
    assert math.isinf(value(text)[0])


def test_sizes_that_do_not_fit_are_an_error_that_quotes_the_formula() -> None:
    formula = compile_formula("x + [1, 2]", RANKS)
    with pytest.raises(FormulaError, match=r"sizes in 'x \+ \[1, 2\]' do not fit"):
        formula(ENV)


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"exp", "ln", "log2", "log10", "sqrt", "sigmoid"}))
def test_learners_type_numbers_and_the_functions_of_the_course_only(name: str) -> None:
    with pytest.raises(FormulaError, match=f"no function {name}"):
        compile_formula(f"{name}(1)", {}, LEARNER)


@pytest.mark.parametrize("text", ["1 < 2", "1 and 2", "not 1", "[1, 2]", "[1][0]", "1 == 1"])
def test_learners_type_no_conditions_and_no_lists(text: str) -> None:
    with pytest.raises(FormulaError, match="only numbers"):
        compile_formula(text, {}, LEARNER)


# Against Python's own arithmetic

_OPERATORS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "exp": math.exp, "ln": math.log, "log2": math.log2, "log10": math.log10, "sqrt": math.sqrt, "abs": abs,
}  # fmt: skip


def _trees(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.tuples(st.sampled_from(sorted(_OPERATORS)), children, children),
        st.tuples(st.sampled_from(sorted(_FUNCTIONS)), children),
        st.tuples(st.just("-"), children),
    )


TREES = st.recursive(st.integers(0, 99).map(lambda k: k / 10), _trees, max_leaves=12)


def _written(tree: Any) -> str:
    if isinstance(tree, float):
        return repr(tree)
    if len(tree) == 3:
        return f"({_written(tree[1])} {tree[0]} {_written(tree[2])})"
    return f"(-{_written(tree[1])})" if tree[0] == "-" else f"{tree[0]}({_written(tree[1])})"


def _worked_out(tree: Any) -> float:
    if isinstance(tree, float):
        return tree
    if len(tree) == 3:
        return _OPERATORS[tree[0]](_worked_out(tree[1]), _worked_out(tree[2]))
    inner = _worked_out(tree[1])
    return -inner if tree[0] == "-" else _FUNCTIONS[tree[0]](inner)


@examples(150)
@given(TREES)
def test_arithmetic_is_that_of_python(tree: Any) -> None:
    text = _written(tree)
    assume(len(text) <= 400)
    try:
        wanted = _worked_out(tree)
    except (ValueError, ZeroDivisionError, OverflowError):
        value(text)  # where Python raises, the language gives NaN or infinity, or what that leads to
        return
    assert value(text)[0] == pytest.approx(wanted, rel=1e-12, abs=1e-300)


PIECES = st.sampled_from(
    [*"0123456789.+-*/^()[],<>=!_ \n\t'\"\\#@%&|~{}:;$?é²−٣\x00\ud800", "**", "<=", "==", "ln", "exp(", "softmax(x",
     "sum(x)", "x[", "places(", "one_hot(", "contains(x,", "matvec(W,", "where(", " and ", " not ", " if ", " else ",
     "lambda", "__class__", "e", "pi", "a", "x", "W", "[[", "1e308", "1e999", " in ", "True", "99999"]
)  # fmt: skip


@examples(400)
@given(st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=60)))
@example("5[0]")
@example("5(3)")
@example("1if 2else 3")
@example("\\d")
def test_any_text_is_a_formula_with_finite_size_or_an_error(text: str) -> None:
    try:
        formula = compile_formula(text, RANKS)
        with np.errstate(all="ignore"):
            found = np.asarray(formula(ENV))
    except FormulaError:
        return
    assert isinstance(formula, Formula)
    assert found.size < 100_000
    assert found.ndim == formula.rank + 1 + (formula.rank == 0)
