"""A learner's report as those who teach see it: what was shown, what was typed, and the verdicts on it side by side."""

from dataclasses import dataclass
from typing import Any

from exercises.loading import drawn_from
from exercises.models import FaultReport, Grading, ProblemVersion, Submission, User, Variant
from exercises.queries import Past
from exercises.queries.regrades import differences
from exercises.queries.staff import counts_now, courses_with, replayed
from exercises.refusals import ProblemBroken
from frontend.regrade_page import mark_words
from frontend.solution import Solution, solution_for
from frontend.typeset import without_turns
from frontend.variant_page import sent_view
from grader import wording
from grader.errors import ParameterError
from grader.verdict import GRADER_VERSION, Mark, Verdict
from grader.wording import Field


@dataclass(frozen=True)
class Column:
    """One judgement of the answer: by which version and grader; where there is none, ``fault`` says why."""

    heading: str
    version: int
    grader: str
    verdict: Verdict | None
    fault: str = ""


@dataclass(frozen=True)
class Cell:
    """One step as one judgement has it: how it was marked, and whether that differs from what the learner was told."""

    words: str
    outcome: str
    read_as: str
    differs: bool


@dataclass(frozen=True)
class StepRow:
    """One step: its question, what was typed, and the judgements in the order of the columns."""

    step: str
    ask: str
    typed: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Seen:
    """The variant as its learner saw it; all empty with ``fault`` saying why, where it can no longer be read."""

    statement: str
    fields: tuple[Field, ...]
    solution: Solution | None
    fault: str = ""


def fault_context(report: FaultReport, reader: User) -> dict[str, Any]:
    """Everything about one report. Five queries at most."""
    variant = report.variant
    seen = seen_by_learner(variant)
    columns = columns_of(report)
    courses = courses_with(variant.problem, reader)
    return {
        "report": report,
        "seen": seen,
        "columns": columns,
        "rows": step_rows(report.submission, seen, columns),
        "findings": findings(columns, [field.step for field in seen.fields]),
        "courses": courses,
        "is_own_problem": variant.problem.owner_id == reader.pk,
        "current": variant.problem.current,
    }


def seen_by_learner(variant: Variant) -> Seen:
    """The statement and the questions as they were drawn, with the worked solution of that version. No query."""
    try:
        problem = drawn_from(variant)
        return Seen(
            wording.statement(problem, variant.parameters),
            tuple(wording.fields(problem, variant.parameters)),
            solution_for(problem, variant.parameters),
        )
    except (ProblemBroken, ParameterError) as error:
        return Seen("", (), None, str(error))


def columns_of(report: FaultReport) -> list[Column]:
    """The judgements to be put side by side: what the learner was told, the version they had by the grader of today,
    the version of today, and what counts now where that is something else. Two queries."""
    if report.submission is None:
        return []
    told, counting = report.grading, counts_now(report)
    found = [] if told is None else [_stored("Told to the learner", told, report.version)]
    found.append(_again("The same version, by the grader of today", report, report.version))
    current = report.variant.problem.current
    if current is not None and current.pk != report.version_id:
        found.append(_again("The current version", report, current))
    if counting is not None and (told is None or counting.pk != told.pk):
        found.append(_stored("What counts now", counting, counting.version))
    return found


def step_rows(submission: Submission | None, seen: Seen, columns: list[Column]) -> list[StepRow]:
    """Every step that was typed or marked. No query."""
    if submission is None:
        return []
    fields = {field.step: field for field in seen.fields}
    names = list(fields) + [
        mark.step for column in columns if column.verdict for mark in column.verdict.marks if mark.step not in fields
    ]
    rows = []
    for name in dict.fromkeys(names):
        marks = [column.verdict.mark_of(name) if column.verdict else None for column in columns]
        cells = tuple(_cell(mark, column, marks[0]) for mark, column in zip(marks, columns, strict=True))
        rows.append(
            StepRow(name, fields[name].ask if name in fields else name, _typed(submission, fields, name), cells)
        )
    return rows


def findings(columns: list[Column], order: list[str]) -> list[str]:
    """What differs, in sentences."""
    if len(columns) < 2 or columns[0].verdict is None:
        return []
    told, found = columns[0].verdict, []
    for column in columns[1:]:
        heading = f"{column.heading} (version {column.version})"
        if column.verdict is None:
            found.append(f"{heading}: {column.fault}")
            continue
        steps = [change.step for change in differences(told, column.verdict, order)]
        if steps:
            found.append(f"{heading}: otherwise than told at {', '.join(steps)}.")
        else:
            found.append(f"{heading}: as told.")
    return found


def plain_answers(submission: Submission) -> list[tuple[str, str]]:
    """What was typed, by step, where the questions cannot be shown. No query."""
    return [(name, _plain(typed)) for name, typed in submission.answers.items() if typed]


def _typed(submission: Submission, fields: dict[str, Field], name: str) -> str:
    if name not in fields:
        return _plain(submission.answers.get(name, ""))
    lines = sent_view(Past(submission, None), [fields[name]]).lines
    return lines[0].typed if lines else ""


def _plain(typed: str | list[str]) -> str:
    return without_turns(", ".join(typed) if isinstance(typed, list) else typed)


def _cell(mark: Mark | None, column: Column, told: Mark | None) -> Cell:
    if column.verdict is None:
        return Cell("–", "blank", "", differs=False)
    return Cell(
        words=mark_words(mark),
        outcome=mark.outcome if mark else "blank",
        read_as=mark.read_as if mark else "",
        differs=mark != told,
    )


def _stored(heading: str, grading: Grading, version: ProblemVersion) -> Column:
    return Column(heading, version.number, grading.grader_version, grading.judged)


def _again(heading: str, report: FaultReport, version: ProblemVersion) -> Column:
    if report.submission is None:
        raise ValueError("There is no answer to mark again.")
    again = replayed(report.submission, report.variant, version)
    return Column(heading, version.number, GRADER_VERSION, again.verdict, again.fault)
