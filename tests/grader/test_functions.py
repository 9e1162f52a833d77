"""The reference functions against the textbook, written again in plain Python."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import FormulaError
from grader.formula import compile_formula
from grader.functions import FUNCTIONS
from tests.grader.tiny import examples

LOGITS = st.lists(st.floats(-30, 30), min_size=1, max_size=12)


def run(text: str, **names: object) -> list[float]:
    """The value of a formula over plain numbers, lists and lists of lists, as a list."""
    arrays = {name: np.array(value, dtype=float) for name, value in names.items()}
    ranks = {name: array.ndim for name, array in arrays.items()}
    env = {name: array[None, None] if array.ndim == 0 else array[None] for name, array in arrays.items()}
    with np.errstate(all="ignore"):
        value = np.asarray(compile_formula(text, ranks)(env), dtype=float)
    return [float(entry) for entry in value.reshape(-1)]


def one(text: str, **names: object) -> float:
    (value,) = run(text, **names)
    return value


def textbook_softmax(z: list[float]) -> list[float]:
    powers = [math.exp(entry - max(z)) for entry in z]
    return [power / math.fsum(powers) for power in powers]


@examples(50)
@given(LOGITS)
def test_softmax_is_the_share_of_each_exponential(z: list[float]) -> None:
    assert run("softmax(z)", z=z) == pytest.approx(textbook_softmax(z), rel=1e-12)
    assert one("sum(softmax(z))", z=z) == pytest.approx(1, abs=1e-12)


@examples(50)
@given(LOGITS, st.floats(-500, 500))
def test_adding_a_constant_to_all_logits_changes_nothing(z: list[float], c: float) -> None:
    assert run("softmax(z + c)", z=z, c=c) == pytest.approx(run("softmax(z)", z=z), rel=1e-9)


@examples(50)
@given(LOGITS)
def test_log_softmax_is_the_logarithm_of_softmax(z: list[float]) -> None:
    assert run("log_softmax(z)", z=z) == pytest.approx([math.log(p) for p in textbook_softmax(z)], rel=1e-9, abs=1e-12)


@examples(50)
@given(LOGITS, st.data())
def test_cross_entropy_is_minus_the_log_probability_of_the_true_class(z: list[float], data: st.DataObject) -> None:
    t = data.draw(st.integers(0, len(z) - 1))
    wanted = -math.log(textbook_softmax(z)[t])
    assert one("cross_entropy(z, t)", z=z, t=t) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("softmax([1000, 0, 0])", [1, 0, 0]),
        ("log_softmax([1000, 0])", [0, -1000]),
        ("[cross_entropy([1000, 0], 1)]", [1000]),
        ("[sigmoid(1000), sigmoid(-1000), sigmoid(0)]", [1, 0, 0.5]),
    ],
)
def test_large_logits_overflow_nothing(text: str, wanted: list[float]) -> None:
    assert run(text) == pytest.approx(wanted, abs=1e-300)


@examples(50)
@given(st.floats(-30, 30))
def test_sigmoid_and_its_mirror_sum_to_one(s: float) -> None:
    assert one("sigmoid(s)", s=s) == pytest.approx(1 / (1 + math.exp(-s)), rel=1e-9)
    assert one("sigmoid(s) + sigmoid(-s)", s=s) == pytest.approx(1, rel=1e-12)


@examples(50)
@given(st.floats(1e-9, 1 - 1e-9), st.floats(0, 1))
def test_binary_cross_entropy_weighs_both_sides(q: float, y: float) -> None:
    wanted = -(y * math.log(q) + (1 - y) * math.log1p(-q))
    assert one("binary_cross_entropy(q, y)", q=q, y=y) == pytest.approx(wanted, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(("q", "y"), [(1, 1), (0, 0)])
def test_a_side_without_weight_costs_nothing_even_at_the_limit(q: float, y: float) -> None:
    assert one("binary_cross_entropy(q, y)", q=q, y=y) == 0


@examples(50)
@given(st.lists(st.floats(-100, 100), max_size=20))
def test_sums_products_and_lengths(x: list[float]) -> None:
    assert one("sum(x)", x=x) == pytest.approx(math.fsum(x), abs=1e-9)
    assert one("prod(x)", x=x) == pytest.approx(math.prod(x), rel=1e-9)
    assert one("len(x)", x=x) == len(x)


@examples(50)
@given(st.lists(st.floats(-100, 100), min_size=1, max_size=20))
def test_means_and_extremes(x: list[float]) -> None:
    assert one("mean(x)", x=x) == pytest.approx(math.fsum(x) / len(x), abs=1e-9)
    assert [one("max(x)", x=x), one("min(x)", x=x)] == [max(x), min(x)]
    assert one("argmax(x)", x=x) == x.index(max(x))
    assert one("argmin(x)", x=x) == x.index(min(x))


@pytest.mark.parametrize("text", ["mean(x)", "max(x)", "min(x)"])
def test_of_nothing_there_is_no_mean_and_no_extreme(text: str) -> None:
    assert math.isnan(one(text, x=[]))


def test_of_nothing_the_sum_is_zero_and_the_product_one() -> None:
    assert [one("sum(x)", x=[]), one("prod(x)", x=[]), one("len(x)", x=[])] == [0, 1, 0]


def test_among_equals_the_first_is_the_largest() -> None:
    assert [one("argmax([1, 3, 3])"), one("argmin([2, 1, 1])")] == [1, 1]


def test_several_arguments_are_compared_entry_by_entry() -> None:
    assert run("max([1, 5], [3, 2])") == [3, 5]
    assert run("min([1, 5], 2)") == [1, 2]


@pytest.mark.parametrize(("x", "wanted"), [(0.5, 1), (1.5, 2), (2.5, 3), (-0.5, -1), (-2.5, -3), (2.4, 2), (7, 7)])
def test_halves_are_rounded_away_from_zero(x: float, wanted: float) -> None:
    assert one("round(x)", x=x) == wanted


def test_floor_and_ceiling() -> None:
    assert run("[floor(2.7), floor(-2.1), ceil(2.1), ceil(-2.7)]") == [2, -3, 3, -2]


def test_a_product_with_a_matrix_goes_row_by_row() -> None:
    w, h = [[1, 2, 3], [4, 5, 6]], [1, 0, -1]
    assert run("matvec(W, h)", W=w, h=h) == [-2, -2]
    assert run("matvec(transpose(W), [1, 1])", W=w) == [5, 7, 9]
    assert run("W[1]", W=w) == [4, 5, 6]
    assert one("dot(h, h)", h=h) == 2


def test_a_matrix_of_another_width_is_refused_by_its_sizes() -> None:
    with pytest.raises(FormulaError, match="2 columns cannot be multiplied by 3"):
        run("matvec(W, h)", W=[[1, 2]], h=[1, 2, 3])


def test_places_and_hits() -> None:
    assert run("one_hot(2, 4)") == [0, 0, 1, 0]
    assert run("places(3)") == [0, 1, 2]
    assert run("contains([3, 7], [1, 3, 7, 8])") == [0, 1, 1, 0]
    assert run("where(x > 2, x, -x)", x=[1, 2, 3]) == [-1, -2, 3]


@pytest.mark.parametrize("place", ["-1", "3", "0.5", "0/0", "1/0"])
def test_a_place_outside_a_vector_has_no_value(place: str) -> None:
    assert math.isnan(one(f"x[{place}]", x=[1, 2, 3]))
    assert math.isnan(run(f"x[[0, {place}]]", x=[1, 2, 3])[1])
    assert all(math.isnan(entry) for entry in run(f"W[{place}]", W=[[1, 2], [3, 4], [5, 6]]))


def test_a_vector_indexed_by_places_gives_these_entries() -> None:
    assert run("x[[2, 0]]", x=[5, 6, 7]) == [7, 5]


@pytest.mark.parametrize("text", ["ln(-1)", "sqrt(-1)", "0/0", "(-8)^(1/3)", "log2(-1)", "log10(-0.5)"])
def test_what_has_no_value_is_nan_and_raises_nothing(text: str) -> None:
    assert math.isnan(one(text))


@pytest.mark.parametrize("text", ["places(5000)", "one_hot(0, 1e9)", "places(-1)", "places(2.5)", "places(0/0)"])
def test_no_axis_is_made_too_long_or_of_no_whole_length(text: str) -> None:
    with pytest.raises(FormulaError, match="whole number from 0 to 4096"):
        run(text)


@pytest.mark.parametrize(
    "text",
    ["sum(contains(places(4096), places(4096)))", "sum(places(4096))", "sum(matvec([places(4096)], places(4096)))"],
)
def test_no_formula_takes_more_than_a_few_megabytes(text: str) -> None:
    tracemalloc.start()
    try:
        run(text)
    except FormulaError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 4_000_000


#: A call of every function, over x (a vector), W (a matrix), a and b (numbers).
CALLS = {
    name: f"{name}({arguments})"
    for names, arguments in [
        ("exp ln log2 log10 sqrt abs sigmoid round floor ceil", "x"),
        ("min max sum prod mean len argmax argmin softmax log_softmax", "x"),
        ("cross_entropy", "x, 1"),
        ("binary_cross_entropy", "sigmoid(a), b > 0"),
        ("dot", "x, 2 * x"),
        ("matvec", "W, x"),
        ("where", "a > b, a, b"),
        ("one_hot", "1, len(x)"),
        ("places", "len(x)"),
        ("contains", "x, [a, b]"),
    ]
    for name in names.split()
} | {"transpose": "matvec(transpose(W), [a, b])"}


def test_every_function_of_the_language_is_called_here() -> None:
    assert set(CALLS) == set(FUNCTIONS)


@examples(25)
@given(st.integers(2, 40), st.integers(0, 2**32 - 1))
def test_a_batch_gives_each_row_what_it_gives_alone(rows: int, seed: int) -> None:
    numbers = np.random.default_rng(seed).uniform(-3, 3, (rows, 11))
    env = {
        "x": numbers[:, :3], "W": numbers[:, 3:9].reshape(rows, 2, 3), "a": numbers[:, 9:10], "b": numbers[:, 10:],
    }  # fmt: skip
    ranks = {"x": 1, "W": 2, "a": 0, "b": 0}
    for text in CALLS.values():
        formula = compile_formula(text, ranks)
        with np.errstate(all="ignore"):
            whole = formula(env)
            alone = [formula({name: array[k : k + 1] for name, array in env.items()}) for k in range(rows)]
        together = np.broadcast_to(whole, (rows, whole.shape[-1]))
        np.testing.assert_allclose(together, np.concatenate(alone), rtol=1e-12, err_msg=text)
