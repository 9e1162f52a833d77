"""What an author sees of a text: variants side by side with their keys, and what becomes of an answer that is tried."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from exercises.limits import cut
from exercises.queries.authoring.faults import SourceFault, in_file
from grader import wording
from grader.errors import GraderError, ProblemError
from grader.graph import Problem, Step
from grader.marking import mark
from grader.problem import load
from grader.sampling import draw
from grader.solution import Solution, solve

#: Variants side by side.
MOST_PANES = 6
#: Seconds after which no further variant is drawn: ranges and requirements fight each other.
LONGEST = 4.0
MOST_SEED = 2**63 - 1


@dataclass(frozen=True)
class KeyRow:
    """The key of a step as text, of a choice the words of its options (Markdown), and how far an answer may lie from
    it; the allowance of an exact step is empty."""

    step: str
    ask: str
    key: str
    allowance: str
    is_asked: bool


@dataclass(frozen=True)
class MistakeRow:
    """A named mistake in a variant: what it comes to at its own step, and whether that is not the key."""

    note: str
    says: str
    value: str
    is_active: bool


@dataclass(frozen=True)
class Pane:
    """One variant as its learner sees it, and what the author may see beside it. With a ``fault`` the rest is empty."""

    seed: int
    fault: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    statement: str = ""
    forecast: str = ""
    fields: Sequence[wording.Field] = ()
    figure: wording.Figure | None = None
    keys: Sequence[KeyRow] = ()
    mistakes: Sequence[MistakeRow] = ()
    verify: Sequence[str] = ()


@dataclass(frozen=True)
class Preview:
    """A text as learners would meet it; with ``faults`` it is no problem yet, and there are no panes."""

    faults: Sequence[SourceFault] = ()
    title: str = ""
    summary: str = ""
    skills: Sequence[str] = ()
    level: str = ""
    panes: Sequence[Pane] = ()


@dataclass(frozen=True)
class TriedRow:
    """What became of one answer that an author tried, with the key and its allowance beside it."""

    step: str
    ask: str
    typed: str | list[str]
    outcome: str
    note: str
    credit: Fraction
    message: str
    read_as: str
    key: str
    allowance: str
    entries: tuple[bool, ...]


@dataclass(frozen=True)
class Tried:
    """The verdict on what was tried; ``faults`` of the text or one ``fault`` of the variant where there is none."""

    faults: Sequence[SourceFault] = ()
    fault: str = ""
    score: Fraction | None = None
    rows: Sequence[TriedRow] = ()


def preview(source: str, seeds: Sequence[int]) -> Preview:
    """The variants of these seeds, at most six, each by itself: what is wrong with one hides no other. No query."""
    try:
        problem = load(source)
    except ProblemError as error:
        return Preview(faults=in_file(source, error))
    ends = time.monotonic() + LONGEST
    panes = [_pane(problem, seed, ends) for seed in list(seeds)[:MOST_PANES]]
    return Preview((), problem.title, problem.summary, problem.skills, problem.level, panes)


def tried(source: str, *, seed: int, answers: Mapping[str, str | list[str]], locale: str = "en") -> Tried:
    """What the grader says to these answers on the variant of that seed. No query; nothing is kept."""
    try:
        problem = load(source)
    except ProblemError as error:
        return Tried(faults=in_file(source, error))
    asked = {step.name for step in problem.asked}
    typed = {name: cut(answer) for name, answer in answers.items() if name in asked}
    try:
        parameters = draw(problem, _seed(seed))
        verdict = mark(problem, parameters, typed, locale=locale)
        solution = solve(problem, parameters)
        shown = {field.step: field for field in wording.fields(problem, parameters)}
    except GraderError as error:
        return Tried(fault=str(error))
    rows = [
        TriedRow(
            step=given.step,
            ask=shown[given.step].ask,
            typed=typed.get(given.step, ""),
            outcome=given.outcome,
            note=given.note,
            credit=given.credit,
            message=given.message,
            read_as=given.read_as,
            key=_text(solution.values[given.step], shown[given.step]),
            allowance=_allowance(solution, given.step),
            entries=given.entries,
        )
        for given in verdict.marks
    ]
    return Tried(score=verdict.score, rows=rows)


def _pane(problem: Problem, seed: int, ends: float) -> Pane:
    if time.monotonic() > ends:
        return Pane(seed, "This took so long that it was given up: widen the ranges, or ask less in require.")
    try:
        parameters = draw(problem, _seed(seed))
        solution = solve(problem, parameters)
        shown = {field.step: field for field in wording.fields(problem, parameters)}
        return Pane(
            seed=seed,
            parameters=parameters,
            statement=wording.statement(problem, parameters),
            forecast=wording.forecast(problem, parameters),
            fields=tuple(shown.values()),
            figure=wording.figure_data(problem, parameters, [step.name for step in problem.steps]),
            keys=[_key_row(step, shown.get(step.name), solution) for step in problem.steps],
            mistakes=[
                MistakeRow(
                    note=mistake.note,
                    says=mistake.says.source,
                    value=_text(found["steps"].get(mistake.step), shown.get(mistake.step)),
                    is_active=found["active"],
                )
                for mistake in problem.mistakes
                for found in (solution.mistakes[mistake.note],)
            ],
            verify=[
                says if holds else f"This does not hold: {says}"
                for says, holds in wording.verified(problem, parameters)
            ],
        )
    except GraderError as error:
        return Pane(seed, str(error))


def _key_row(step: Step, field: wording.Field | None, solution: Solution) -> KeyRow:
    key, allowance = _text(solution.values[step.name], field), _allowance(solution, step.name)
    return KeyRow(step.name, field.ask if field else "", key, allowance, step.ask is not None)


def _seed(seed: int) -> int:
    return min(max(0, seed), MOST_SEED)


def _text(value: Any, field: wording.Field | None = None) -> str:
    """A value as text: what was chosen by the words that learners read, not by the key that stands in the file."""
    if value is None:
        return "none"
    if field is not None and field.options:
        words, chosen = dict(field.options), value if isinstance(value, list) else [value]
        return "; ".join(words.get(key, str(key)) for key in chosen) or "none of them"
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _allowance(solution: Solution, step: str) -> str:
    """How far an answer may lie from the key, as text: two digits are as many as anybody needs."""
    room = solution.allowances[step]
    rooms = room if isinstance(room, list) else [room]
    if not any(rooms):
        return ""
    return ", ".join("none" if width is None else f"±{width:.2g}" for width in rooms)
