"""A problem may ask only some of its steps; the others stay in the graph."""

from fractions import Fraction

import pytest

from grader.marking import mark
from grader.problem import load, narrowed
from grader.sampling import draw
from grader.solution import solve
from grader.wording import fields, worked_solution
from tests.exercises.world import C1, MASKED

PROBLEM = load(MASKED)


def test_only_the_steps_named_are_asked() -> None:
    few = narrowed(PROBLEM, ["loss"])
    assert [field.step for field in fields(few, C1)] == ["loss"]
    assert [step.name for step in few.steps] == [step.name for step in PROBLEM.steps]


def test_a_mistake_at_a_step_that_is_not_asked_is_recognised_in_what_follows() -> None:
    few = narrowed(PROBLEM, ["loss"])
    # Without exponentials p is 2/3, and minus its logarithm 0.4055.
    verdict = mark(few, C1, {"loss": "0.4055"})
    assert verdict.marks[0].note == "p.no-exp"


@pytest.mark.parametrize("seed", range(20))
def test_answers_earn_what_they_earn_where_everything_is_asked(seed: int) -> None:
    parameters = draw(PROBLEM, seed)
    loss = f"{solve(PROBLEM, parameters).values['loss']:.6g}"
    assert mark(narrowed(PROBLEM, ["p", "loss"]), parameters, {"loss": loss}).score == Fraction(2, 3)
    assert mark(narrowed(PROBLEM, ["loss"]), parameters, {"loss": loss}).score == 1


def test_the_worked_solution_shows_every_step() -> None:
    assert [step.step for step in worked_solution(narrowed(PROBLEM, ["loss"]), C1).steps] == [
        step.name for step in PROBLEM.steps
    ]


@pytest.mark.parametrize("names", [[], ["loss", "nothing"]])
def test_what_cannot_be_asked_is_refused(names: list[str]) -> None:
    with pytest.raises(ValueError, match="ask"):
        narrowed(PROBLEM, names)
