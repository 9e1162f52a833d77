"""Marking: from typed answers to a frozen verdict, for one submission or for a batch of one problem.

For each asked step, in order: blank or unreadable; right; right or carried with the learner's own earlier values put
in; a named mistake, on the true and on those values; wrong. A learner who errs once loses once.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from grader.answers import checked_answers
from grader.comparing import Compared, Roads
from grader.errors import AnswerError, FormulaError, ParameterError
from grader.graph import Problem, Step
from grader.judging import Judge
from grader.sampling import alike, read_parameters, stack
from grader.sheet import read_sheet
from grader.template import Drawn
from grader.verdict import Mark, Verdict


@dataclass(frozen=True)
class Task:
    """One submission to be marked: the variant's parameters, or what was read of them by this very problem, what was
    typed, and which steps to mark (None = all)."""

    parameters: Mapping[str, Any] | Drawn
    answers: Mapping[str, str | list[str]]
    locale: str = "en"
    only: Collection[str] | None = None


def mark(
    problem: Problem,
    parameters: Mapping[str, Any],
    answers: Mapping[str, str | list[str]],
    *,
    locale: str = "en",
    only: Collection[str] | None = None,
) -> Verdict:
    """The verdict on one submission.

    ``answers`` maps step names to what was typed, a list of texts for a vector or for several choices; a step left out
    is blank. ``only`` names the steps to be marked and scored; other answers still count as the learner's own earlier
    values. Raises ParameterError, AnswerError; nothing that is typed raises.
    """
    return mark_batch(problem, [Task(parameters, answers, locale, only)])[0]


def mark_batch(problem: Problem, tasks: Sequence[Task]) -> list[Verdict]:
    """The verdicts on many submissions of one problem, in their order; the same as ``mark`` one by one.

    Raises ParameterError or AnswerError if any task is not well formed.
    """
    # Answers to one variant come with the very same mapping: it is read once.
    read = {id(task.parameters): task.parameters for task in tasks}
    known = {
        place: given if isinstance(given, Drawn) else read_parameters(problem, given) for place, given in read.items()
    }
    drawn = [known[id(task.parameters)] for task in tasks]
    answers = [checked_answers(problem, task.answers) for task in tasks]
    verdicts: list[Verdict | None] = [None] * len(tasks)
    for places in alike(drawn):
        marked = _mark_alike(
            problem, [tasks[k] for k in places], [drawn[k] for k in places], [answers[k] for k in places]
        )
        for place, verdict in zip(places, marked, strict=True):
            verdicts[place] = verdict
    return [verdict for verdict in verdicts if verdict is not None]


def asked_steps(problem: Problem, only: Collection[str] | None) -> list[Step]:
    """The steps to be marked, in the problem's order. Raises AnswerError for a name that is not asked."""
    asked = [step for step in problem.asked if only is None or step.name in only]
    if only is not None and len(asked) != len(set(only)):
        unknown = sorted(set(only) - {step.name for step in asked})
        raise AnswerError(f"there is no step {unknown[0]!r} to be marked")
    return asked


def _mark_alike(
    problem: Problem, tasks: Sequence[Task], drawn: Sequence[Drawn], answers: Sequence[Mapping[str, str | list[str]]]
) -> list[Verdict]:
    """A batch whose parameters have the same shapes, in one pass through the graph."""
    asked = list(map(_Asked(problem), [task.only for task in tasks]))
    try:
        roads = Roads(problem, stack(list(drawn)), len(tasks))
    except FormulaError as error:
        raise ParameterError(f"these parameters do not fit together: {error.message}") from error
    sheet = read_sheet(problem, drawn, answers, [task.locale for task in tasks], roads.values)
    judge = Judge(problem, drawn, sheet, Compared(roads, sheet))
    return [_verdict(asked[row], judge.marks(row)) for row in range(len(tasks))]


#: Names of steps, and their weights as ``_whole`` gives them.
_Steps = tuple[tuple[str, ...], tuple[int, ...]]


class _Asked:
    """The steps that are asked of the answers of a batch: few different lists of them, each made once."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._found: dict[tuple[str, ...] | None, _Steps] = {}

    def __call__(self, only: Collection[str] | None) -> _Steps:
        """Those to be marked, in the problem's order. Raises AnswerError."""
        key = None if only is None else tuple(only)
        if key not in self._found:
            steps = asked_steps(self._problem, only)
            self._found[key] = tuple(step.name for step in steps), _whole(step.weight for step in steps)
        return self._found[key]


def _whole(shares: Iterable[Fraction]) -> tuple[int, ...]:
    """Fractions as whole numbers in pairs, by which they are found in a tenth of the time."""
    return tuple([part for share in shares for part in (share.numerator, share.denominator)])


def _verdict(steps: _Steps, marks: Mapping[str, Mark]) -> Verdict:
    """The verdict by the marks of all steps."""
    names, weights = steps
    made = tuple([marks[name] for name in names])
    return Verdict(_score(weights, _whole([mark.credit for mark in made])), made)


@lru_cache(maxsize=4096)
def _score(weights: tuple[int, ...], earned: tuple[int, ...]) -> Fraction:
    """Σ weight × credit / Σ weight over the asked steps; where all weigh nothing, each counts the same. What marks come
    to is one of a few shares for most answers."""
    heavy, shares = (
        [Fraction(*pair) for pair in zip(flat[::2], flat[1::2], strict=True)] for flat in (weights, earned)
    )
    if not heavy:
        return Fraction(0)
    if not any(heavy):
        heavy = [Fraction(1)] * len(heavy)
    made = sum((weight * credit for weight, credit in zip(heavy, shares, strict=True)), Fraction(0))
    return made / sum(heavy)
