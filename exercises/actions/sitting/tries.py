"""The tries of one place of an attempt: which were taken, how many are left, and what the next one says."""

import hashlib
import json
from dataclasses import dataclass

from exercises.actions.sitting.sheet import Sheet
from exercises.actions.typed import Answers, fingerprint, read_all
from exercises.loading import problem_of
from exercises.models import Grading, Submission, Variant
from exercises.refusals import ProblemBroken
from grader.reading import Reading


@dataclass(frozen=True)
class Tries:
    """What was submitted at a place so far, the first first. One that could not be marked costs no try."""

    rows: tuple[Submission, ...]

    @property
    def counting(self) -> tuple[Submission, ...]:
        """Those that count as tries."""
        return tuple(row for row in self.rows if row.state != Submission.State.UNGRADABLE)

    @property
    def pending(self) -> Submission | None:
        """One that is still being marked."""
        return next((row for row in self.rows if row.state == Submission.State.PENDING), None)

    def on(self, variant: Variant) -> tuple[Submission, ...]:
        """Those that count on one variant."""
        return tuple(row for row in self.counting if row.variant_id == variant.pk)

    def same_as(self, answer: Submission) -> Submission | None:
        """The one that says the same on the same variant, rather that of the same form than another."""
        alike = [
            row
            for row in self.rows
            if (row.variant_id, row.fingerprint) == (answer.variant_id, answer.fingerprint)
            and (row.state != Submission.State.UNGRADABLE or row.idempotency_key == answer.idempotency_key)
        ]
        return max(alike, key=lambda row: row.idempotency_key == answer.idempotency_key, default=None)


def tries_of(sheet: Sheet) -> Tries:
    """All of a place. One query."""
    return Tries(tuple(Submission.objects.filter(variant__attempt_item=sheet.item).order_by("pk")))


def is_begun(variant: Variant) -> bool:
    """Whether anything that counts was sent on a variant, or its solution shown. One query."""
    counting = variant.submissions.exclude(state=Submission.State.UNGRADABLE)
    return variant.is_closed or counting.exists()


def is_all_right(submission: Submission) -> bool:
    """Whether it was marked, and everything in it is right. One query."""
    found = Grading.objects.filter(submission=submission).order_by("-pk").first()
    return found is not None and found.score == 1


def next_try(sheet: Sheet, typed: Answers, *, locale: str, key: str) -> tuple[Submission, dict[str, Reading]]:
    """What was typed as a submission, not yet saved, and how each asked step of it is read.

    All asked steps go to the grader, so that what was left blank or cannot be read weighs as much as ever. Of a problem
    that can no longer be read there are no readings: the answer is kept for when its fault is mended.
    """
    variant = sheet.variant
    readings: dict[str, Reading] = {}
    said = hashlib.sha256(json.dumps(typed, sort_keys=True).encode()).hexdigest()
    try:
        readings = read_all(problem_of(variant), variant.parameters, typed, locale)
        said = fingerprint(readings, list(readings))
    except ProblemBroken:
        pass
    submission = Submission(
        variant=variant,
        author=sheet.attempt.learner,
        answers=typed,
        checked=variant.asked,
        locale=locale,
        idempotency_key=key,
        fingerprint=said,
    )
    return submission, readings
