"""Drawing variants, and reading the parameters of one that was drawn before or is given by hand."""

import json
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import DrawError, ParameterError
from grader.formula import compile_formula
from grader.problem import Problem
from grader.sampling import draw, draw_with_reasons, read_parameters
from grader.solution import solve
from grader.wording import fields
from grader.words import WORDS
from tests.grader.tiny import C1, examples, masked_token, tiny

SEEDS = st.integers(0, 2**40)


def drawing(parameters: dict[str, Any], **rest: Any) -> Problem:
    """A problem for its parameters alone; its one step is exact, so nothing else refuses a draw."""
    return tiny({"one": {"is": "1", "kind": "count"}}, parameters, **rest)


@given(SEEDS)
@examples(20)
def test_a_seed_always_gives_the_same_variant(seed: int) -> None:
    first, second = draw(masked_token(), seed), draw(masked_token(), seed)
    assert first == second
    assert json.loads(json.dumps(first)) == first


def test_variants_of_the_same_numbers_stay_the_same_on_every_machine() -> None:
    """What a seed draws is provenance, not storage, but it must not depend on numpy or on the hash seed."""
    problem = drawing(
        {"a": {"range": [0, 999]}, "b": {"range": [-1, 1], "step": 0.25, "size": 3}, "w": {"pick": [1, 2]}}
    )
    assert [draw(problem, seed) for seed in (0, 1, 2)] == [
        {"a": 597, "b": [-0.5, 0.5, -0.75], "w": 1},
        {"a": 732, "b": [1.0, -1.0, -1.0], "w": 2},
        {"a": 891, "b": [0.75, 0.75, 0.0], "w": 1},
    ]


def test_seeds_lead_to_many_variants() -> None:
    assert len({json.dumps(draw(masked_token(), seed)) for seed in range(100)}) > 95


@given(SEEDS)
@examples(60)
def test_what_is_drawn_keeps_to_its_grid_and_its_requirements(seed: int) -> None:
    drawn = draw(masked_token(), seed)
    assert set(drawn) == {"words", "z", "t"}
    assert len(set(drawn["words"])) == 3
    assert set(drawn["words"]) <= set(WORDS["nouns"])
    assert all(-2 <= z <= 4 and z * 2 == int(z * 2) for z in drawn["z"])
    assert drawn["t"] in (0, 1, 2)
    assert max(drawn["z"]) > min(drawn["z"])


@given(SEEDS)
@examples(40)
def test_every_kind_of_parameter_is_drawn_as_it_is_written(seed: int) -> None:
    drawn = draw(EVERY, seed)
    assert drawn["n"] in range(2, 6)
    assert 1 <= drawn["hi"] <= drawn["n"]
    assert len(drawn["v"]) == drawn["n"]
    assert drawn["v"] == sorted(set(drawn["v"]))
    assert np.shape(drawn["W"]) == (drawn["n"], 2)
    assert len(drawn["some"]) in (0, 3)
    assert drawn["pair"] in ([1, 2], [3, 4])
    assert drawn["name"] in ("paris", "rome")
    assert drawn["k"] in range(drawn["n"])
    assert drawn["third"] == round(drawn["n"] / 3, 2)
    assert isinstance(drawn["n"], int)
    assert all(isinstance(x, int) for x in drawn["v"])


EVERY = drawing(
    {
        "n": {"range": [2, 5]},
        "hi": {"range": [1, "n"]},
        "v": {"range": [0, 9], "size": "n", "distinct": True, "sorted": True},
        "W": {"range": [-1, 1], "step": 0.1, "size": ["n", 2]},
        "some": {"range": [0, 1], "size": {"pick": [0, 3]}},
        "pair": {"pick": [[1, 2], [3, 4]]},
        "name": {"pick": ["paris", "rome"]},
        "k": {"index": "v"},
        "third": {"is": "n / 3", "round": 2},
    }
)


def test_numbers_are_shown_with_the_decimals_of_their_grid_and_no_binary_dust() -> None:
    problem = drawing({"a": {"range": [0, 1], "step": 0.1, "size": 40}})
    for seed in range(20):
        assert all(len(repr(x)) <= 3 for x in draw(problem, seed)["a"])


@pytest.mark.parametrize(("text", "wanted"), [("5/2", 3), ("-5/2", -3), ("7/2", 4), ("2.4", 2), ("1/4", 0)])
def test_a_computed_parameter_is_rounded_as_people_round(text: str, wanted: int) -> None:
    assert draw(drawing({"a": {"is": text, "round": 0}}), 0) == {"a": wanted}


def test_every_value_of_a_range_turns_up_equally_often() -> None:
    problem = drawing({"a": {"range": [1, 4]}})
    counts = Counter(draw(problem, seed)["a"] for seed in range(800))
    assert set(counts) == {1, 2, 3, 4}
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 16.27  # chi-square, 3 degrees, p = 0.001


def test_the_right_option_stands_in_every_place_equally_often() -> None:
    options = ["one", "two", "three"]
    problem = tiny({"best": {"is": "argmax(z)", "kind": "choice", "options": options}},
                   {"z": {"range": [0, 99], "size": 3, "distinct": True}})  # fmt: skip
    counts: Counter[int] = Counter()
    for seed in range(600):
        drawn = draw(problem, seed)
        shown = [key for key, _ in fields(problem, drawn)[0].options]
        assert sorted(shown) == sorted(options)
        counts[shown.index(solve(problem, drawn).values["best"])] += 1
    assert sum((counts[place] - 200) ** 2 / 200 for place in range(3)) < 13.82  # 2 degrees, p = 0.001


@pytest.mark.parametrize(
    ("parameters", "rest", "says"),
    [
        ({"a": {"range": [1, 3]}}, {"require": ["a > 3"]}, "a > 3 does not hold"),
        ({"a": {"range": [3, 1]}}, {}, "the range of a is empty"),
        ({"a": {"range": [1, 3], "size": 5, "distinct": True}}, {}, "5 different numbers out of 3"),
        ({"a": {"choose": 3, "from": ["b", "c"]}}, {}, "3 of 2 words"),
        ({"n": {"pick": [1.5]}, "a": {"range": [1, 3], "size": "n"}}, {}, "a size must be a whole number"),
        ({"n": {"pick": [9999]}, "a": {"range": [1, 3], "size": "n"}}, {}, "a whole number from 0 to 256"),
        ({"n": {"pick": [0]}, "a": {"is": "1 / n"}}, {}, "a is not finite"),
        ({"n": {"pick": [0]}, "a": {"range": [1, "1 / n"]}}, {}, "is not finite"),
    ],
)  # fmt: skip
def test_a_problem_that_cannot_be_drawn_says_why(parameters: dict[str, Any], rest: dict[str, Any], says: str) -> None:
    with pytest.raises(DrawError, match=says):
        draw(drawing(parameters, **rest), 0)


def test_an_index_into_nothing_is_an_error_of_the_draw() -> None:
    problem = drawing({"v": {"range": [0, 1], "size": {"pick": [0]}}, "k": {"index": "v"}})
    with pytest.raises(DrawError):
        draw(problem, 0)


def test_a_draw_that_is_refused_tells_the_reason_of_each_refusal() -> None:
    problem = drawing({"a": {"range": [0, 9]}}, require=["a == 7"])
    drawn, reasons = draw_with_reasons(problem, 3)
    assert drawn == {"a": 7}
    assert set(reasons) <= {"a == 7 does not hold"}


# Parameters that are given


def test_what_was_drawn_can_be_read_again() -> None:
    for seed in range(20):
        for problem in (masked_token(), EVERY):
            drawn = draw(problem, seed)
            again = json.loads(json.dumps(drawn))
            assert dict(read_parameters(problem, again).values) == drawn


def test_values_outside_the_drawn_range_are_taken() -> None:
    solution = solve(masked_token(), C1 | {"z": [7.25, -9, 0.123]})
    assert solution.values["p"] == pytest.approx(math.exp(7.25) / (math.exp(7.25) + math.exp(-9) + math.exp(0.123)))


def test_words_that_are_in_no_list_are_taken() -> None:
    assert solve(masked_token(), C1 | {"words": ["ein", "zwei", "drei"]}).values["p"] > 0


def test_a_computed_parameter_may_be_left_out() -> None:
    problem = drawing({"n": {"range": [2, 5]}, "third": {"is": "n / 3", "round": 2}})
    assert read_parameters(problem, {"n": 4}).values["third"] == 1.33
    assert read_parameters(problem, {"n": 4, "third": 5}).values["third"] == 5


def changed(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in (C1 | values).items() if value is not ...}


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        (changed(z=...), "z is missing"), (changed(q=1), "no parameter q"), (changed(t="0"), "t must be given"),
        (changed(t=True), "t must be given as a number"), (changed(t=0.5), "t must be a whole number"),
        (changed(t=3), "t must be a place in words"), (changed(t=-1), "t must be a place in words"),
        (changed(t=None), "t must be given"), (changed(t=[0]), "t must be given"),
        (changed(z=[1, 2]), "z must have 3 entries, not 2"), (changed(z=[1, 2, "3"]), "z must be given as a number"),
        (changed(z=[1, 2, math.nan]), "finite"), (changed(z=[1, 2, math.inf]), "finite"), (changed(z=5), "a list"),
        (changed(z=[1, 2, 10**400]), "finite"), (changed(z="abc"), "a list"), (changed(z=[1, 2, [3]]), "number"),
        (changed(words="mat"), "a list"), (changed(words=["mat", "car", 3]), "text"),
        (changed(words=["a", "b", ""]), "text"),
        (changed(words=["mat"] * 300), "at most 256"), (changed(words=["a", "b", "c" * 201]), "up to 200"),
    ],
)  # fmt: skip
def test_parameters_of_wrong_names_types_or_sizes_are_refused_by_name(parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        read_parameters(masked_token(), parameters)


@pytest.mark.parametrize("data", [None, [], "z", 3])
def test_parameters_are_a_mapping(data: Any) -> None:
    with pytest.raises(ParameterError, match="mapping"):
        read_parameters(masked_token(), data)


@pytest.mark.parametrize("matrix", [[], [[1, 2], [3]], [[1, 2]], [1, 2], [[1, "2"], [1, 2]], "W"])
def test_a_matrix_of_another_form_is_refused(matrix: Any) -> None:
    problem = drawing({"n": {"range": [2, 2]}, "W": {"range": [0, 1], "size": ["n", 2]}})
    with pytest.raises(ParameterError, match="W"):
        read_parameters(problem, {"n": 2, "W": matrix})


def test_the_given_parameters_are_left_as_they_are() -> None:
    given_by_hand = json.loads(json.dumps(C1))
    read_parameters(masked_token(), given_by_hand)
    assert given_by_hand == C1


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=8,
)


@given(st.fixed_dictionaries({}, optional={"words": JSON, "z": JSON, "t": JSON, "other": JSON}))
@examples(80)
def test_any_data_is_read_or_refused(data: dict[str, Any]) -> None:
    said = "read"
    try:
        read_parameters(masked_token(), C1 | data)
    except ParameterError as error:
        said = str(error)
    assert said


def test_words_stand_in_formulas_by_their_places() -> None:
    drawn = read_parameters(masked_token(), C1)
    assert compile_formula("words", {"words": 1})(drawn.env).tolist() == [[0, 1, 2]]
