"""The rounding allowance, against the design's rule written again in plain Python, and against people who round."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.problem import Problem
from grader.solution import solve
from tests.grader.tiny import C1, C2, C3, examples, masked_token, outcome, tiny

Values = dict[str, list[float]]
Rule = Callable[[Any], list[float]]


@dataclass(frozen=True)
class Twin:
    """A problem, and its rules written a second time in Python: each takes all values so far, as lists."""

    problem: Problem
    rules: dict[str, Rule]
    exact: frozenset[str] = frozenset()  # counts, which nobody rounds

    def walk(self, parameters: dict[str, Any], moved: dict[tuple[str, int], float] | None = None) -> Values:
        known: Values = {name: value if isinstance(value, list) else [value] for name, value in parameters.items()}
        found: Values = {}
        for name, rule in self.rules.items():
            found[name] = rule(known)
            known[name] = [value + (moved or {}).get((name, k), 0.0) for k, value in enumerate(found[name])]
        return found


def softmax(z: Sequence[float]) -> list[float]:
    powers = [math.exp(entry - max(z)) for entry in z]
    return [power / math.fsum(powers) for power in powers]


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def _two_losses(v: Any) -> list[float]:
    return [-math.log(p) for p in v["p"]]


_VECTOR = {"range": [-2, 2], "step": 0.1, "size": 3}
TWINS = {
    "masked-token": Twin(
        masked_token(),
        {
            "powers": lambda v: [math.exp(z) for z in v["z"]],
            "total": lambda v: [math.fsum(v["powers"])],
            "p": lambda v: [v["powers"][v["t"][0]] / v["total"][0]],
            "loss": lambda v: [-math.log(v["p"][0])],
        },
    ),
    "mean of losses": Twin(
        tiny(
            {"p": "sigmoid(z)", "l": "-ln(p)", "n": {"is": "len(z)", "kind": "count"}, "sum": "sum(l)",
             "mean": "sum / n", "perplexity": "exp(mean)"},
            {"z": _VECTOR},
        ),
        {
            "p": lambda v: [1 / (1 + math.exp(-z)) for z in v["z"]],
            "l": _two_losses,
            "n": lambda v: [len(v["z"])],
            "sum": lambda v: [math.fsum(v["l"])],
            "mean": lambda v: [v["sum"][0] / v["n"][0]],
            "perplexity": lambda v: [math.exp(v["mean"][0])],
        },
        frozenset({"n"}),
    ),
    "head": Twin(
        tiny(
            {"z": "matvec([u, w], h)", "p": {"is": "softmax(z)", "digits": 4}, "difference": "z[0] - z[1]",
             "q": "sigmoid(difference)"},
            {"u": _VECTOR, "w": _VECTOR, "h": _VECTOR}, digits={"working": 5, "answer": 3},
        ),
        {
            "z": lambda v: [dot(v["u"], v["h"]), dot(v["w"], v["h"])],
            "p": lambda v: softmax(v["z"]),
            "difference": lambda v: [v["z"][0] - v["z"][1]],
            "q": lambda v: [1 / (1 + math.exp(-v["difference"][0]))],
        },
    ),
}  # fmt: skip


def digits_of(twin: Twin, name: str) -> int:
    return twin.problem.step(name).digits


def half_unit(value: float, digits: int) -> float:
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1) if value else 0.0


def is_moved(value: float, digits: int) -> bool:
    """Not if it is whole, nor if it has no more digits than are worked with."""
    shown = float(f"{value:.{digits - 1}e}")
    return value != round(value) and abs(shown - value) > 1e-9 * abs(value)


def naive_allowance(twin: Twin, parameters: dict[str, Any], name: str) -> list[float]:
    """Design §2, word by word: one at a time, added up; both ends; half a unit of the last answer digit."""
    working, key = twin.problem.working, twin.walk(parameters)
    before = list(twin.rules)[: list(twin.rules).index(name)]
    places = [
        (step, k) for step in before if step not in twin.exact
        for k, value in enumerate(key[step]) if is_moved(value, working)
    ]  # fmt: skip
    halves = {place: half_unit(key[place[0]][place[1]], working) for place in places}
    rooms = []
    for entry, value in enumerate(key[name]):
        effects = {
            place: twin.walk(parameters, {place: half})[name][entry] - value for place, half in halves.items()
        }  # fmt: skip
        first_order = math.fsum(map(abs, effects.values()))
        ends = []
        for side in (1, -1):
            toward = {place: side * math.copysign(halves[place], effect) for place, effect in effects.items() if effect}
            ends.append(abs(twin.walk(parameters, toward)[name][entry] - value))
        rooms.append(max(first_order, *ends) + half_unit(value, digits_of(twin, name)))
    return rooms


def as_list(value: Any) -> list[float]:
    return value if isinstance(value, list) else [value]


NUMBERS = st.integers(-40, 40).map(lambda k: k / 10)


def three_numbers() -> st.SearchStrategy[list[float]]:
    return st.lists(NUMBERS, min_size=3, max_size=3)


PARAMETERS = {
    "masked-token": st.fixed_dictionaries(
        {"words": st.just(["a", "b", "c"]), "z": three_numbers(), "t": st.integers(0, 2)}
    ),
    "mean of losses": st.fixed_dictionaries({"z": three_numbers()}),
    "head": st.fixed_dictionaries({"u": three_numbers(), "w": three_numbers(), "h": three_numbers()}),
}


@pytest.mark.parametrize("case", TWINS)
@given(data=st.data())
@examples(60)
def test_the_allowance_is_that_of_the_rule_written_again(case: str, data: st.DataObject) -> None:
    twin, parameters = TWINS[case], data.draw(PARAMETERS[case])
    solution = solve(twin.problem, parameters)
    assume(all(abs(entry) > 1e-9 for value in solution.values.values() for entry in as_list(value)))
    for name in twin.rules:
        assert as_list(solution.values[name]) == pytest.approx(twin.walk(parameters)[name], rel=1e-12)
        wanted = [0.0] if name in twin.exact else naive_allowance(twin, parameters, name)
        assert as_list(solution.allowances[name]) == pytest.approx(wanted, rel=1e-9), name


# People who calculate by hand


def by_hand(value: float, digits: int, *, up: bool) -> float:
    """Rounded on paper, ties one way or the other."""
    unit = Decimal(1).scaleb(math.floor(math.log10(abs(value))) - digits + 1) if value else Decimal(1)
    whole = (Decimal(repr(value)) / unit).to_integral_value(ROUND_HALF_UP if up else ROUND_HALF_DOWN)
    return float(whole * unit)


@pytest.mark.parametrize("case", TWINS)
@given(data=st.data(), up=st.booleans(), more=st.integers(0, 2))
@examples(60)
def test_whoever_rounds_every_value_to_the_working_digits_is_right(
    case: str, data: st.DataObject, up: bool, more: int
) -> None:
    twin, parameters = TWINS[case], data.draw(PARAMETERS[case])
    solution = solve(twin.problem, parameters)
    key, room = solution.values, solution.allowances
    fit = [
        0 < r <= 0.02 * abs(k)
        for name in twin.rules if name not in twin.exact
        for k, r in zip(as_list(key[name]), as_list(room[name]), strict=True)
    ]  # fmt: skip
    assume(all(fit))  # variants that could be drawn
    known: Values = {name: as_list(value) for name, value in parameters.items()}
    for name, rule in twin.rules.items():
        exact = rule(known)
        known[name] = exact if name in twin.exact else [by_hand(x, twin.problem.working, up=up) for x in exact]
        typed = [f"{by_hand(x, digits_of(twin, name) + more, up=up)!r}" for x in exact]
        answer: Any = typed if twin.problem.step(name).kind == "vector" else typed[0]
        assert outcome(twin.problem, parameters, name, answer)[0] == "right", (name, typed, key[name], room[name])


# The numbers of the design

FINE = {"range": [0, 9], "step": 0.01}


def test_the_allowances_of_the_first_worked_example() -> None:
    room = solve(masked_token(), C1).allowances
    assert [round(room["p"], 4), round(room["loss"], 4)] == [0.0008, 0.0011]
    assert abs(2 / 3 - 0.66524) > room["p"]
    assert abs(0.4055 - 0.40761) > room["loss"]


@pytest.mark.parametrize("parameters", [C1, C2, C3])
def test_allowances_are_finite_and_small(parameters: dict[str, Any]) -> None:
    solution = solve(masked_token(), parameters)
    for name, room in solution.allowances.items():
        for key, width in zip(as_list(solution.values[name]), as_list(room), strict=True):
            assert 0 < width <= 0.02 * key


def test_parameters_are_not_moved() -> None:
    problem = tiny({"a": "x * y"}, {"x": FINE, "y": FINE})
    solution = solve(problem, {"x": 1.23456789, "y": 3})
    assert solution.allowances["a"] == pytest.approx(0.005, rel=1e-9)


def test_values_that_are_exact_at_the_working_digits_are_not_moved() -> None:
    problem = tiny({"a": "x / 8", "b": "a / 3"}, {"x": FINE})
    assert solve(problem, {"x": 1}).allowances["b"] == pytest.approx(0.00005, rel=1e-9)  # 0.125 is exact
    moved = solve(problem, {"x": 2.22222}).allowances["b"]  # 0.2777775 is not
    assert moved == pytest.approx(0.00005 + 0.00005 / 3, rel=1e-9)


def test_whole_numbers_are_not_moved() -> None:
    problem = tiny({"n": "x * 12345", "b": "n / 7"})
    assert solve(problem, {"x": 3}).allowances["b"] == pytest.approx(5, rel=1e-9)


def test_counts_are_not_moved_and_have_no_allowance() -> None:
    problem = tiny({"n": {"is": "x * 12345", "kind": "count"}, "b": "n / 7"})
    assert solve(problem, {"x": 3}).allowances == {"n": 0, "b": pytest.approx(5, rel=1e-9)}


def test_steps_that_are_not_asked_are_rounded_all_the_same() -> None:
    hidden = tiny({"a": {"is": "exp(x)", "ask": None}, "b": "a * 3"})
    shown = tiny({"a": "exp(x)", "b": "a * 3"})
    assert solve(hidden, {"x": 2}).allowances["b"] == solve(shown, {"x": 2}).allowances["b"] > 0.051


def test_more_working_digits_leave_less_room() -> None:
    rooms = [
        solve(tiny({"a": "exp(x)", "b": "ln(a)"}, digits={"working": w, "answer": 3}), {"x": 3}).allowances["b"]
        for w in (3, 4, 5, 6)
    ]
    assert rooms == sorted(rooms, reverse=True)
    assert len(set(rooms)) == 4


def test_where_effects_bend_the_further_end_counts() -> None:
    room = solve(tiny({"a": "exp(x)", "b": "1 / (a - 2.71)"}), {"x": 1}).allowances["b"]
    near, far = (abs(1 / (math.e + half - 2.71) - 1 / (math.e - 2.71)) for half in (0.0005, -0.0005))
    assert near < far
    assert room == pytest.approx(far + 0.5, rel=1e-9)


def test_an_undefined_value_has_no_allowance() -> None:
    problem = tiny({"mean": {"is": "mean(v)", "undefined": True}}, {"v": {"range": [1, 9], "size": {"pick": [0, 2]}}})
    solution = solve(problem, {"v": []})
    assert (solution.values["mean"], solution.allowances["mean"]) == ("undefined", 0)
