"""The worked solution of a revealed variant, as lines to be set beneath each other."""

from dataclasses import dataclass

from exercises import queries
from exercises.loading import problem_of
from exercises.models import Variant


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
    """The solution, or None before it was asked for. No query."""
    worked = queries.worked_solution(variant)
    if worked is None:
        return None
    problem = problem_of(variant)
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
