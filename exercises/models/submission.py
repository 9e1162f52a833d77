"""What a learner handed in, and how it was judged."""

import datetime as dt
import uuid
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.plain_json import PlainJSONField
from exercises.models.problem import ProblemVersion
from exercises.models.variant import Variant
from grader.verdict import Verdict

#: ``claimed_until`` of a row nobody ever claimed: long past on the clock of every machine, and first in the queue.
NEVER_CLAIMED = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)

#: ``answers`` that went with their author's account: what they earned stays, and nothing is marked by them again.
REMOVED_ANSWERS: dict[str, Any] = {}


def never_claimed() -> dt.datetime:
    """The moment a fresh row is claimed until."""
    return NEVER_CLAIMED


class Submission(models.Model):
    """One answer as typed. Its content is never changed; what happens to it is told by ``state``.

    A pending row is its own place in the queue: a worker may claim it once ``claimed_until`` has passed, and may
    record a verdict only as long as the row still holds the worker's ``lease_token``.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        GRADED = "graded"
        UNGRADABLE = "ungradable"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    variant = models.ForeignKey(Variant, on_delete=models.CASCADE, related_name="submissions")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="submissions")
    answers = PlainJSONField(help_text="{step: typed text, or list of texts}")
    checked = PlainJSONField(null=True, help_text="The steps to be marked; null is every step that is asked.")
    locale = models.CharField(max_length=16)
    idempotency_key = models.CharField(max_length=64)
    # Of what the grader will see, after reading: 0.41 and 0.410 are one answer.
    fingerprint = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=clock.now)
    # Who entered it, where that was not its author: a teacher, for an answer on paper.
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )

    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    claimed_until = models.DateTimeField(null=True, default=never_claimed)  # null once judged
    lease_token = models.UUIDField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    graded_at = models.DateTimeField(null=True)
    failure = models.TextField(blank=True, help_text="For staff: why it could not be marked.")

    class Meta:
        ordering = ("-pk",)
        constraints = (
            # The same form with another answer in it (the back button, then a correction) is another submission.
            models.UniqueConstraint(
                fields=("variant", "idempotency_key", "fingerprint"), name="submission_once_per_form"
            ),
        )
        indexes = (
            # The queue. Judged rows are not in it, so it stays small however many submissions there are. The condition
            # is IS NOT NULL and not state = 'pending', because SQLite cannot match a bound parameter to a condition.
            models.Index(
                fields=("claimed_until", "id"),
                name="submission_queue",
                condition=models.Q(claimed_until__isnull=False),
            ),
            models.Index(fields=("variant", "fingerprint"), name="submission_already_tried"),
            models.Index(fields=("author", "-id"), name="submission_own_history"),
            models.Index(fields=("id",), name="submission_ungradable", condition=models.Q(state="ungradable")),
        )

    def __str__(self) -> str:
        return str(self.public_id)


class Grading(models.Model):
    """One judgement of a submission. Rows are only ever added; the latest is the one that counts."""

    class Reason(models.TextChoices):
        FIRST = "first"
        REGRADE = "regrade"
        UNDO = "undo", "a regrade was undone: this is the verdict before it"

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="gradings")
    verdict = PlainJSONField()
    # The exact score, 0 <= numerator <= denominator, so that the database can add scores up.
    score_numerator = models.PositiveBigIntegerField()
    score_denominator = models.PositiveBigIntegerField()
    grader_version = models.CharField(max_length=20)
    version = models.ForeignKey(ProblemVersion, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=10, choices=Reason)
    # The regrade that it belongs to; null for a first verdict.
    event = models.ForeignKey(
        "exercises.RegradeEvent",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="gradings",
        db_index=False,
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            # Graded exactly once, whatever the queue did: the database itself refuses a second first verdict.
            models.UniqueConstraint(
                fields=("submission",), name="grading_first_once", condition=models.Q(reason="first")
            ),
            models.CheckConstraint(
                condition=models.Q(score_denominator__gt=0)
                & models.Q(score_numerator__lte=models.F("score_denominator")),
                name="grading_score_within_0_and_1",
            ),
        )

    def __str__(self) -> str:
        return f"{self.reason} of {self.submission_id}: {self.score}"

    @property
    def score(self) -> Fraction:
        """In [0, 1], exact."""
        return Fraction(self.score_numerator, self.score_denominator)

    @property
    def judged(self) -> Verdict:
        """The stored verdict as the grader gave it."""
        return Verdict.from_json(self.verdict)
