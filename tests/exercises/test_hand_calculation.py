"""Whoever calculates by hand, rounding every value that is written down on the way, is right at every step."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from exercises.catalogue import slugs, source
from grader.checking import typed_value
from grader.functions import FUNCTIONS, Array, product, total
from grader.graph import Step
from grader.marking import mark
from grader.problem import Problem, load
from grader.sampling import draw, read_parameters
from grader.solution import lanes_of
from grader.syntax import Call

SEEDS = range(60)
WORKING = 4


def rounded(x: Array) -> Array:
    """At four significant digits, as on paper."""
    with np.errstate(all="ignore"):
        unit = 10.0 ** (np.floor(np.log10(np.abs(x))) - WORKING + 1)
        return np.where((x == 0) | ~np.isfinite(x), x, np.round(x / unit) * unit)


def power(x: Array) -> Array:
    return rounded(np.exp(x))


def softmax(z: Array) -> Array:
    return np.asarray(power(z) / rounded(total(power(z))))


BY_HAND = {
    "exp": power,
    "sum": lambda x: rounded(total(x)),
    "prod": lambda x: rounded(product(x)),
    "sigmoid": lambda s: 1 / (1 + power(-s)),
    "softmax": softmax,
    "log_softmax": lambda z: np.log(rounded(softmax(z))),
}


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Loads a problem whose functions round on the way."""

    def loaded(slug: str) -> Problem:
        for name, call in BY_HAND.items():
            monkeypatch.setitem(FUNCTIONS, name, replace(FUNCTIONS[name], call=call))
        # Another text, since problems are kept by their text.
        return load(source(slug) + "\n# calculated by hand\n")

    return loaded


def digits_given(step: Step) -> int:
    """The digits asked for; where the value on paper is rounded already, all of them: nobody rounds twice."""
    node = step.formula.node if step.formula else None
    return WORKING if isinstance(node, Call) and node.name in BY_HAND else step.digits


@pytest.mark.parametrize("slug", slugs())
def test_who_rounds_on_the_way_is_right(slug: str, by_hand: Any) -> None:
    exact = load(source(slug))
    drawn = [(seed, draw(exact, seed)) for seed in SEEDS]
    rough = by_hand(slug)
    for seed, parameters in drawn:
        variant = read_parameters(exact, parameters)
        values = lanes_of(rough, variant).values
        answers = {
            step.name: typed_value(step, variant, values[step.name][0, 0], digits_given(step)) for step in exact.asked
        }
        missed = [given for given in mark(exact, parameters, answers).marks if given.outcome != "right"]
        assert missed == [], (seed, parameters)
