"""Marking a batch by the version of a regrade, and what is different from the verdicts that count now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from billiard.exceptions import SoftTimeLimitExceeded

from exercises.actions.mark import MarkBatch, mark_submissions
from exercises.actions.regrading.fit import Fit
from exercises.bulk import read
from exercises.models import Grading, RegradeChange, RegradeEvent, Submission
from grader.marking import mark_batch
from grader.verdict import GRADER_VERSION, Verdict

UNEXPLAINED = "The same version and the same grader mark the same answer differently now: the grader is at fault."
OTHER_STEPS = "The answer is to steps that this version does not ask."
#: Different reasons that are told one by one; the rest is only counted.
MOST_REASONS = 20
#: All that is looked at of the verdict that counts now.
OF_GRADING = (
    "id", "submission_id", "verdict", "score_numerator", "score_denominator", "grader_version", "version_id", "reason",
    "event_id",
)  # fmt: skip
OTHER_REASONS = "Other reasons."


@dataclass(frozen=True)
class News:
    """One submission that is judged otherwise than by the verdict that counts now."""

    submission: Submission
    before: Grading
    #: The new verdict as plain data, and its score.
    after: Mapping[str, Any]
    score: Fraction
    #: The old verdict goes on counting, since the new one is lower and nobody is to lose.
    is_kept: bool
    #: What is written down of it already, where that is the very same.
    change: RegradeChange | None = None

    @property
    def moved(self) -> int:
        """Whether the score of the submission is higher (1), lower (-1) or the same (0)."""
        before = self.before
        more = self.score.numerator * before.score_denominator - before.score_numerator * self.score.denominator
        return (more > 0) - (more < 0)


@dataclass
class Compared:
    """What a batch came to; what is in neither list is judged as before."""

    news: list[News] = field(default_factory=list)
    failures: list[tuple[Submission, str]] = field(default_factory=list)

    @property
    def written(self) -> list[News]:
        """Those whose new verdict is to count."""
        return [one for one in self.news if not one.is_kept]

    @property
    def failed_variants(self) -> set[int]:
        """The variants that something could not be marked on: they stay with the version they have."""
        return {row.variant_id for row, _ in self.failures}


def compared(
    event: RegradeEvent,
    fit: Fit,
    rows: Sequence[Submission],
    *,
    known: Mapping[int, RegradeChange] = MappingProxyType({}),
    mark: MarkBatch = mark_batch,
) -> Compared:
    """Mark graded submissions, loaded with their variants, by the version of the regrade. Three queries at most.

    ``known`` is what was found of some before, by submission: where it was found against the verdict that counts now,
    and by the grader of now, it is not worked out again. Writes nothing. Raises SoftTimeLimitExceeded where time runs
    out in the middle.
    """
    found = Compared()
    latest = latest_gradings([row for row in rows if row.pk in known], without=("verdict",))
    held = {pk for pk, before in latest.items() if _still_holds(known[pk], before)}
    latest |= latest_gradings([row for row in rows if row.pk not in held])
    fit.learn(row.variant for row in rows)
    misfits: dict[int, str] = {}
    fitting = []
    for row in rows:
        if row.pk in held:
            change = known[row.pk]
            score = Fraction(change.after_numerator, change.after_denominator)
            found.news.append(_news(event, row, latest[row.pk], change.after, score, change))
            continue
        if row.variant_id not in misfits:
            misfits[row.variant_id] = fit.misfit(row.variant)
        if said := misfits[row.variant_id]:
            found.failures.append((row, said))
        else:
            fitting.append(row)
    marked = mark_submissions(fitting, version=event.version, drawn=fit.drawn, mark=mark)
    if marked.is_cut_short:
        raise SoftTimeLimitExceeded
    found.failures += [(row, _in_words(said)) for row, said in marked.failures]
    for row, verdict in marked.verdicts:
        _take(found, event, row, latest[row.pk], verdict)
    return found


def found_before(event: RegradeEvent, rows: Sequence[Submission]) -> dict[int, RegradeChange]:
    """What the dry run found of these submissions, where it was something. One query."""
    changes = RegradeChange.objects.filter(event=event, submission__any_of=[row.pk for row in rows], grading=None)
    return {change.submission_id: change for change in changes}


def latest_gradings(rows: Sequence[Submission], *, without: tuple[str, ...] = ()) -> dict[int, Grading]:
    """The verdict that counts of each submission, by its primary key, some columns not read. One query, if there are
    any."""
    gradings = Grading.objects.filter(submission__any_of=[row.pk for row in rows]).order_by("pk")
    columns = [name for name in OF_GRADING if name not in without]
    return {grading.submission_id: grading for grading in read(gradings, columns)}


def counted(reasons: dict[str, int], failures: Sequence[tuple[Submission, str]]) -> dict[str, int]:
    """How many could not be marked, by reason, these included."""
    found = dict(reasons)
    for _, said in failures:
        name = said if said in found or len(found) < MOST_REASONS else OTHER_REASONS
        found[name] = found.get(name, 0) + 1
    return found


def _take(found: Compared, event: RegradeEvent, row: Submission, before: Grading, verdict: Verdict) -> None:
    after = verdict.to_json()
    # The version of the grader stands in the verdict too, and alone is no change to the learner.
    if after["marks"] == before.verdict["marks"] and after["score"] == before.verdict["score"]:
        return
    if before.grader_version == verdict.version and before.version_id == event.version_id:
        found.failures.append((row, UNEXPLAINED))
        return
    found.news.append(_news(event, row, before, after, verdict.score, None))


def _still_holds(change: RegradeChange, counting: Grading) -> bool:
    """Whether what was found was found against the verdict that counts now, and by the grader of now."""
    return change.before_id == counting.pk and change.after["version"] == GRADER_VERSION


def _news(
    event: RegradeEvent,
    row: Submission,
    before: Grading,
    after: Mapping[str, Any],
    score: Fraction,
    change: RegradeChange | None,
) -> News:
    """What becomes of a new verdict; with what is written down of it already, where that says so too."""
    is_kept = event.never_lower and score < before.score
    is_written = change is not None and change.is_kept == is_kept
    return News(row, before, after, score, is_kept, change if is_written else None)


def _in_words(said: str) -> str:
    return OTHER_STEPS if said.startswith("AnswerError") else said
