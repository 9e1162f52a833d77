"""Answers of one variant: which options and labels a step has there, and what a learner's typed answer is read as."""

from collections.abc import Mapping, Sequence
from typing import Any

from grader.errors import AnswerError
from grader.evaluation import evaluate
from grader.graph import Problem, Step
from grader.reading import Box, Reading, read_in
from grader.sampling import read_parameters
from grader.template import Drawn, Template, Words

#: More typed entries than this are not looked at.
MAX_ENTRIES = 256


def options_of(step: Step, drawn: Drawn) -> tuple[tuple[str, str], ...]:
    """Key and text (Markdown) of each option, in the author's order; the place is the value of the choice."""
    if step.options is None:
        return ()
    if isinstance(step.options, Words):
        return tuple((word, word) for word in step.options.of(drawn))
    return tuple((key if "{{" not in key else text.fill(drawn), text.fill(drawn)) for key, text in step.options)


def labels_of(step: Step, drawn: Drawn) -> tuple[str, ...]:
    """One label for each entry of a vector; empty if the author gave none."""
    return words_of(step.labels, drawn)


def words_of(named: tuple[Template, ...] | Words | None, drawn: Drawn) -> tuple[str, ...]:
    """The words that an author listed or named, in one variant; empty for none."""
    if named is None:
        return ()
    return named.of(drawn) if isinstance(named, Words) else tuple(text.fill(drawn) for text in named)


def read_step(step: Step, drawn: Drawn, typed: object, size: int, locale: str) -> Reading:
    """A typed answer as a step of a variant reads it; never raises."""
    return read_in(box_of(step, drawn, size, locale), step.kind, typed)


def box_of(step: Step, drawn: Drawn, size: int, locale: str) -> Box:
    """What an answer to a step is typed into; the same in all variants, unless it has options."""
    return Box(size, options_of(step, drawn), locale, step.unit, step.undefined)


def read_answer(
    problem: Problem, parameters: Mapping[str, Any], step_name: str, typed: str | Sequence[str], locale: str = "en"
) -> Reading:
    """What one typed answer is read as. Raises AnswerError for a step that is not asked, ParameterError."""
    drawn = read_parameters(problem, parameters)
    step = asked_step(problem, step_name)
    size = evaluate(problem, drawn.env)[step.name].shape[-1] if step.kind == "vector" else 1
    return read_step(step, drawn, typed, size, locale)


def asked_step(problem: Problem, name: object) -> Step:
    """The step of that name. Raises AnswerError if there is none, or if it is never asked."""
    found = problem.asked_by_name.get(name) if isinstance(name, str) else None
    if found is not None:
        return found
    asked = ", ".join(step.name for step in problem.asked)
    raise AnswerError(f"there is no step {str(name)[:40]!r} to be answered; there are {asked}")


def checked_answers(problem: Problem, answers: object) -> dict[str, str | list[str]]:
    """Answers of the right form: step names with text, or with lists of text. Raises AnswerError."""
    if not isinstance(answers, Mapping):
        raise AnswerError("answers are given as a mapping of step names to what was typed")
    checked: dict[str, str | list[str]] = {}
    for name, typed in answers.items():
        step = asked_step(problem, name)
        if isinstance(typed, str):
            checked[step.name] = typed
        elif (
            isinstance(typed, list | tuple)
            and len(typed) <= MAX_ENTRIES
            and all(isinstance(entry, str) for entry in typed)
        ):
            checked[step.name] = list(typed)
        else:
            raise AnswerError(f"the answer to {step.name} must be text, or a list of up to {MAX_ENTRIES} texts")
    return checked
