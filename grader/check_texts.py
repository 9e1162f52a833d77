"""The part of a check that reads what a variant says: its texts, its figure, its hints and its worked solution."""

from collections.abc import Iterator

from grader import wording
from grader.answers import labels_of, options_of
from grader.errors import GraderError, ParameterError
from grader.graph import Problem
from grader.picture import figure_data
from grader.template import MISSING, Drawn

#: Nobody reads a longer line, and a page that shows many is slow.
MOST_CHARACTERS = 20_000
#: Whatever goes wrong while a line is written, a learner would meet it; a worker's own limits are none of it.
_FAILURES = (GraderError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError)


def text_faults(problem: Problem, one: Drawn) -> Iterator[str]:
    """Whether the figure can be drawn, before anything is answered and when all is known, and whether every word that
    a text points at is there."""
    for revealed in ((), [step.name for step in problem.steps]):
        try:
            figure_data(problem, one.values, revealed)
        except ParameterError as error:
            yield str(error)
    texts = {"the statement": problem.statement, "the forecast": problem.forecast}
    for step in problem.steps:
        texts |= {f"{step.name}.ask": step.ask, f"{step.name}.hint": step.hint}
        texts |= {f"{mistake.note}.says": mistake.says for mistake in step.mistakes}
    for name, text in texts.items():
        if text is not None and MISSING in text.fill(one):
            yield f"{name} points at a word that is not there"
    for step in problem.steps:
        words = [*labels_of(step, one), *(text for _, text in options_of(step, one))]
        if any(MISSING in word for word in words):
            yield f"{step.name} is labelled by a word that is not there"


def telling_faults(problem: Problem, one: Drawn) -> Iterator[str]:
    """Whether hints and worked solution can be written, and read: a learner who asks for them must get them."""
    for step in problem.asked:
        try:
            told = wording.hints(problem, one.values, step.name, {})
        except _FAILURES as error:
            yield f"the hints to {step.name} cannot be written: {error}"
            continue
        if any(len(hint) > MOST_CHARACTERS for hint in told):
            yield f"a hint to {step.name} is longer than {MOST_CHARACTERS} characters"
    try:
        worked = wording.worked_solution(problem, one.values)
    except _FAILURES as error:
        yield f"the worked solution cannot be written: {error}"
        return
    for line in worked.steps:
        if max(map(len, (line.formula, line.numbers, line.value, line.text))) > MOST_CHARACTERS:
            yield f"the worked solution of {line.step} is longer than {MOST_CHARACTERS} characters"
