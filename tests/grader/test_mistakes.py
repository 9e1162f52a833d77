"""Named mistakes: those an author declares, and those that any number may show."""

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.sampling import draw
from grader.solution import solve
from tests.grader.tiny import C1, C2, C3, examples, marks, masked_token, outcome, tiny, told, wrong

FINE = {"x": {"range": [0, 9], "step": 0.0001}}
VALUE = tiny({"a": "x"}, FINE)

SAYS = {mistake.note: mistake.says.source for mistake in masked_token().mistakes}


@pytest.mark.parametrize(
    ("step", "typed", "note"),
    [("p", "0.6667", "p.no-exp"), ("p", "7.39", "p.not-normalised"), ("loss", "0.588", "loss.log2"),
     ("loss", "0.177", "loss.log10"), ("loss", "-0.408", "loss.lost-minus"), ("loss", "1.094", "loss.other-side"),
     ("loss", "-0.665", "loss.minus-p")],
)  # fmt: skip
def test_a_named_mistake_is_recognised_and_told(step: str, typed: str, note: str) -> None:
    given_mark = marks(masked_token(), C1, {step: typed})[step]
    assert (given_mark.outcome, given_mark.note, given_mark.message) == ("mistake", note, SAYS[note])
    assert given_mark.credit == (Fraction(1, 4) if note == "loss.log2" else 0)


def test_a_mistake_is_recognised_in_the_steps_that_follow_from_it() -> None:
    assert outcome(masked_token(), C1, "loss", "0.4055") == ("mistake", "p.no-exp")
    assert outcome(masked_token(), C2, "loss", "0.0950") == ("mistake", "p.argmax")


def test_a_mistake_is_recognised_on_top_of_an_earlier_wrong_value() -> None:
    # log2 of the learner's own probability 0.5
    assert told(masked_token(), C1, {"p": "0.5", "loss": "1"}) == {"p": ("wrong", ""), "loss": ("mistake", "loss.log2")}


def test_a_mistake_differs_from_a_carried_value_that_is_infinite() -> None:
    problem = tiny({"a": "sqrt(x)", "b": {"is": "1 / (a - 1)", "mistakes": {"upside-down": wrong("a + 1")}}})
    assert told(problem, {"x": 2}, {"a": "1", "b": "2"})["b"] == ("mistake", "b.upside-down")


@pytest.mark.parametrize("typed", ["1e15", "1e100", "1e300", "-1e300"])
def test_an_absurd_earlier_value_makes_no_answer_a_mistake(typed: str) -> None:
    fixed = {"fixed": wrong("x + 260", credit="1/2")}
    problem = tiny({"a": "sqrt(x)", "twice": "2 * a", "b": {"is": "twice - a + 1", "mistakes": fixed}})
    assert told(problem, {"x": 2}, {"a": typed, "b": "95"})["b"] == ("wrong", "")
    assert told(problem, {"x": 2}, {"a": typed, "b": "262"})["b"] == ("mistake", "b.fixed")
    assert told(problem, {"x": 2}, {"a": typed, "b": "2.41"})["b"] == ("right", "")


def test_a_mistake_at_a_step_that_is_not_asked_is_recognised() -> None:
    problem = tiny({"s": {"is": "sum(v)", "ask": None, "mistakes": {"mean": wrong("mean(v)")}}, "t": "s + 1"},
                   {"v": {"range": [1, 9], "size": 3}})  # fmt: skip
    assert outcome(problem, {"v": [1, 2, 6]}, "t", "4") == ("mistake", "s.mean")


def test_a_mistake_that_gives_the_key_is_not_active() -> None:
    # With equal logits the raw shares are the softmax.
    assert outcome(masked_token(), C3, "p", "0.25") == ("right", "")
    assert not solve(masked_token(), C3).mistakes["p.no-exp"]["active"]


def test_a_mistake_without_a_finite_value_is_not_active() -> None:
    problem = tiny({"a": {"is": "exp(x)", "mistakes": {"root": wrong("1 / (x - 3)")}}})
    assert not solve(problem, {"x": 3}).mistakes["a.root"]["active"]
    assert solve(problem, {"x": 4}).mistakes["a.root"]["active"]


def test_the_mistake_of_the_answered_step_comes_before_that_of_an_earlier_one() -> None:
    problem = tiny({"a": {"is": "x + 1", "mistakes": {"far": wrong("x + 2", "far")}},
                    "b": {"is": "2 * a", "mistakes": {"near": wrong("2 * a + 2", "near")}}})  # fmt: skip
    assert outcome(problem, {"x": 5}, "b", "14") == ("mistake", "b.near")
    assert outcome(problem, {"x": 5}, "a", "7") == ("mistake", "a.far")


def test_mistakes_that_coincide_are_told_both() -> None:
    problem = tiny({"a": {"is": "x + 1", "mistakes": {"one": wrong("2 * x", "First.", credit="1/2"),
                                                      "two": wrong("x * x", "Second.", credit="1/4")}}})  # fmt: skip
    given_mark = marks(problem, {"x": 2}, {"a": "4"})["a"]
    assert (given_mark.outcome, given_mark.note) == ("mistake", "ambiguous")
    assert "First." in given_mark.message
    assert "Second." in given_mark.message
    assert given_mark.credit == Fraction(1, 4)
    assert outcome(problem, {"x": 5}, "a", "10") == ("mistake", "a.one")


def test_a_mistake_that_fits_at_every_entry_comes_before_one_that_fits_at_some() -> None:
    mistakes = {"shifted": wrong("[1, v - 1, 8]"), "from-zero": wrong("[0, v - 1, 8]")}
    problem = tiny({"a": {"is": "[1, v, 9]", "mistakes": mistakes}}, {"v": {"range": [3, 7]}})
    assert outcome(problem, {"v": 5}, "a", ["1", "4", "8"]) == ("mistake", "a.shifted")
    assert outcome(problem, {"v": 5}, "a", ["0", "4", "8"]) == ("mistake", "a.from-zero")
    assert marks(problem, {"v": 5}, {"a": ["1", "4", "8"]})["a"].credit == Fraction(1, 3)


def test_a_mistake_explains_a_vector_whose_other_entries_are_right() -> None:
    problem = tiny({"a": {"is": "2 * v", "mistakes": {"squared": wrong("v * v")}}}, {"v": {"range": [3, 9], "size": 3}})
    assert outcome(problem, {"v": [3, 4, 5]}, "a", ["6", "16", "10"]) == ("mistake", "a.squared")
    assert outcome(problem, {"v": [3, 4, 5]}, "a", ["6", "16", "11"]) == ("wrong", "")


def test_several_choices_show_a_mistake_only_as_a_whole() -> None:
    options = {"kind": "choices", "options": ["b", "c", "d", "e"]}
    mistakes = {"too": wrong("[1, 1, x, 0]"), "only": wrong("[0, 0, x, 0]")}
    problem = tiny({"a": {"is": "[1, 1, 0, 0] * (x > 0)", "mistakes": mistakes, **options}}, {"x": {"range": [1, 1]}})
    assert outcome(problem, {"x": 1}, "a", ["b", "c", "d"]) == ("mistake", "a.too")
    assert outcome(problem, {"x": 1}, "a", ["d"]) == ("mistake", "a.only")
    assert outcome(problem, {"x": 1}, "a", ["b", "d"]) == ("wrong", "")


def test_a_mistake_may_replace_the_rules_of_later_steps_too() -> None:
    log2 = wrong("-log2(x / 10)", also={"b": "-log2(x / 20)"})
    problem = tiny({"a": {"is": "-ln(x / 10)", "mistakes": {"log2": log2}}, "b": "-ln(x / 20)", "c": "a + b"})
    value = -math.log2(0.4) - math.log2(0.2)
    assert outcome(problem, {"x": 4}, "c", f"{value:.4f}") == ("mistake", "a.log2")
    assert outcome(problem, {"x": 4}, "b", "2.32") == ("mistake", "a.log2")


def test_a_mistake_is_compared_with_the_allowance_at_the_mistake() -> None:
    problem = tiny({"a": {"is": "exp(x)", "mistakes": {"large": wrong("1000 * exp(x)")}}})
    assert outcome(problem, {"x": 2}, "a", "7389") == ("mistake", "a.large")
    assert outcome(problem, {"x": 2}, "a", "7393") == ("mistake", "a.large")
    assert outcome(problem, {"x": 2}, "a", "7396")[0] == "wrong"


@pytest.mark.parametrize("step", ["a", "b"])
def test_an_answer_nearer_to_a_mistake_than_to_the_key_is_not_right(step: str) -> None:
    """By hand, parameters may be such that a mistake lies inside the band: the midpoint is then the border."""
    problem = tiny({"a": {"is": "x", "mistakes": {"close": wrong("x + 0.004")}}, "b": "a + 0"}, FINE)
    assert outcome(problem, {"x": 5}, step, "5.001") == ("right", "")
    assert outcome(problem, {"x": 5}, step, "5.002") == ("right", "")
    assert outcome(problem, {"x": 5}, step, "5.003") == ("mistake", "a.close")


# Mistakes that hold for every numeric step


@pytest.mark.parametrize(
    ("key", "typed", "note"),
    [(4.076, "-4.08", "lost-sign"), (4.076, "40.8", "power-of-ten"), (4.076, "0.408", "power-of-ten"),
     (4.076, "408", "percent"), (4.076, "0.0408", "percent"), (4.076, "4.1", "coarse"), (4.076, "4", "coarse"),
     (4.076, "4.2", ""), (4.076, "3.9", "")],
)  # fmt: skip
def test_mistakes_that_any_number_may_show(key: float, typed: str, note: str) -> None:
    given_mark = marks(VALUE, {"x": key}, {"a": typed})["a"]
    assert (given_mark.outcome, given_mark.note) == ("mistake" if note else "wrong", note)
    assert given_mark.credit == (Fraction(1, 2) if note == "coarse" else 0)
    assert bool(given_mark.message) == bool(note)


def test_entries_in_another_order_are_told() -> None:
    given_mark = marks(masked_token(), C1, {"powers": ["2.718", "7.389", "1"]})["powers"]
    assert (given_mark.outcome, given_mark.note) == ("mistake", "other-order")
    assert given_mark.credit == Fraction(1, 3)


@pytest.mark.parametrize("typed", ["0.7", "0.67"])
def test_too_few_digits_earn_nothing_where_a_mistake_rounds_to_the_same(typed: str) -> None:
    assert outcome(masked_token(), C1, "p", typed)[1] != "coarse"


def test_the_author_s_mistake_comes_before_one_that_any_number_may_show() -> None:
    assert outcome(masked_token(), C1, "loss", "-0.408") == ("mistake", "loss.lost-minus")
    problem = tiny({"a": {"is": "x", "mistakes": {"flip": wrong("-x", credit="1/8")}}}, FINE)
    assert marks(problem, {"x": 4.076}, {"a": "-4.08"})["a"].credit == Fraction(1, 8)


# For every variant that is drawn


@given(st.integers(0, 10**6), st.data())
@examples(60)
def test_a_named_mistake_is_never_right_in_a_drawn_variant(seed: int, data: st.DataObject) -> None:
    parameters = draw(masked_token(), seed)
    solution = solve(masked_token(), parameters)
    note = data.draw(st.sampled_from(sorted(solution.mistakes)))
    assume(solution.mistakes[note]["active"])
    for step, value in solution.mistakes[note]["steps"].items():
        if value is None or abs(value - solution.values[step]) <= 1e-9 * abs(value):
            continue
        for digits in (3, 4, 17):
            typed = f"{value:.{digits}g}"
            assert outcome(masked_token(), parameters, step, typed)[0] != "right", (note, step, typed)
