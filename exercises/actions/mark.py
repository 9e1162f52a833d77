"""Marking what was claimed: outside any transaction, batch by batch, and no bad row spoils another."""

import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from billiard.exceptions import SoftTimeLimitExceeded

from exercises.models import ProblemVersion, Submission
from exercises.models.plain_json import StrictEncoder
from grader.marking import Task, mark_batch
from grader.problem import Problem, load
from grader.template import Drawn
from grader.verdict import OUTCOMES, Verdict

log = logging.getLogger(__name__)

MarkBatch = Callable[[Problem, list[Task]], list[Verdict]]
MOST_FAILURE_TEXT = 1000
_ENCODER = StrictEncoder()


@dataclass
class Marked:
    """What marking came to: a verdict for each row, or why there is none. Rows that time ran out for are in neither."""

    verdicts: list[tuple[Submission, Verdict]] = field(default_factory=list)
    failures: list[tuple[Submission, str]] = field(default_factory=list)
    is_cut_short: bool = False


def mark_submissions(
    submissions: Sequence[Submission],
    *,
    version: ProblemVersion | None = None,
    drawn: Mapping[int, Drawn] = MappingProxyType({}),
    mark: MarkBatch = mark_batch,
) -> Marked:
    """Mark each submission by the version its variant is marked by, or all by ``version`` if given.

    No error of a problem file or of the grader comes out of here: the rows concerned are in ``failures``, with words
    for staff. Nor does the soft time limit: what is marked by then is handed over, and ``is_cut_short`` is set.
    ``drawn`` are the parameters of variants, by primary key, where they were read by that version already.
    """
    marked = Marked()
    groups: dict[ProblemVersion, list[Submission]] = defaultdict(list)
    for submission in submissions:
        groups[version or submission.variant.key_version].append(submission)
    try:
        for used, group in groups.items():
            _mark_version(used, group, drawn, mark, marked)
    except SoftTimeLimitExceeded:
        marked.is_cut_short = True
    return marked


def _mark_version(
    used: ProblemVersion, group: list[Submission], drawn: Mapping[int, Drawn], mark: MarkBatch, marked: Marked
) -> None:
    try:
        problem = load(used.source)
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:
        log.exception("Version %s cannot be loaded.", used.pk)
        marked.failures += [(submission, _said(error)) for submission in group]
    else:
        _mark_group(problem, [(row, _task(row, drawn)) for row in group], mark, marked)


def _mark_group(problem: Problem, group: list[tuple[Submission, Task]], mark: MarkBatch, marked: Marked) -> None:
    """Mark a group at once; if that fails, each half by itself, down to the rows that cannot be marked."""
    try:
        verdicts = mark(problem, [task for _, task in group])
        if len(verdicts) != len(group):
            raise ValueError(f"{len(verdicts)} verdicts came back for {len(group)} answers.")
        for verdict in verdicts:
            _refuse_invalid(verdict)
        # All in one text: each by itself takes twice as long.
        _ENCODER.encode([verdict.to_json() for verdict in verdicts])
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:
        if len(group) == 1:
            row = group[0][0]
            log.exception("Submission %s cannot be marked.", row.public_id)
            marked.failures.append((row, _said(error)))
            return
        middle = len(group) // 2
        _mark_group(problem, group[:middle], mark, marked)
        _mark_group(problem, group[middle:], mark, marked)
    else:
        marked.verdicts += [(row, verdict) for (row, _), verdict in zip(group, verdicts, strict=True)]


def _task(submission: Submission, drawn: Mapping[int, Drawn]) -> Task:
    parameters = drawn.get(submission.variant_id) or submission.variant.parameters
    return Task(parameters, submission.answers, submission.locale, submission.checked)


def _refuse_invalid(verdict: object) -> None:
    """Raise ValueError for anything that must not be stored as a judgement."""
    if not isinstance(verdict, Verdict):
        raise ValueError(f"The grader gave {type(verdict).__name__} instead of a verdict.")
    _refuse_share(verdict.score, "The score")
    for mark in verdict.marks:
        if mark.outcome not in OUTCOMES:
            raise ValueError(f"{mark.step}: {mark.outcome!r} is no outcome.")
        _refuse_share(mark.credit, f"{mark.step}: the credit")


def _refuse_share(share: object, name: str) -> None:
    # In whole numbers, which takes a third of the time that fractions do.
    if isinstance(share, (Fraction, int)) and not isinstance(share, bool):
        is_share = 0 <= share.numerator <= share.denominator
    else:
        is_share = False
    if not is_share:
        raise ValueError(f"{name} is {share!r}, and not an exact share from 0 to 1.")


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:MOST_FAILURE_TEXT]
