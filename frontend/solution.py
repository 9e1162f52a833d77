"""The worked solution of a variant, as lines to be set beneath each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exercises import queries
from exercises.loading import problem_of
from exercises.models import Variant
from grader.problem import Problem
from grader.wording import WorkedSolution, worked_solution


@dataclass(frozen=True)
class Derivation:
    """One step: its symbol, then a line each for the rule, the rule with numbers, and the value (all TeX).

    ``text`` is Markdown and stands alone where the value is no number. ``place`` is the number of the step in the form,
    None for one that is not asked.
    """

    place: int | None
    ask: str
    symbol: str
    lines: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Solution:
    """All steps, and what verifies them: what it says, and whether it holds."""

    steps: tuple[Derivation, ...]
    checks: tuple[tuple[str, bool], ...]


def solution_of(variant: Variant) -> Solution | None:
    """The solution for the learner of a variant, or None before it was asked for. No query."""
    worked = queries.worked_solution(variant)
    return _laid_out(problem_of(variant), worked) if worked else None


def solution_for(problem: Problem, parameters: Mapping[str, Any]) -> Solution:
    """The solution of any variant, for those who teach. Raises ParameterError. No query."""
    return _laid_out(problem, worked_solution(problem, parameters))


def _laid_out(problem: Problem, worked: WorkedSolution) -> Solution:
    places = {step.name: place for place, step in enumerate(problem.asked, start=1)}
    steps = tuple(
        Derivation(
            place=places.get(step.step),
            ask=step.ask,
            symbol=problem.step(step.step).symbol,
            lines=tuple(f"= {line}" for line in (step.formula, step.numbers, step.value) if line),
            text=step.text,
        )
        for step in worked.steps
    )
    return Solution(steps, worked.checks)
