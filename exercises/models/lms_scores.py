"""Columns in the grade books of platforms, and what is to be written into them."""

from fractions import Fraction
from typing import Any

from django.db import models

from exercises import clock
from exercises.models.lms import Context, PlatformUser
from exercises.models.plain_json import PlainJSONField
from exercises.models.problem_set import ProblemSet, SetItem


class LineItem(models.Model):
    """A column of a platform's grade book: for a whole set, or for one item of it.

    *Coupled* ones belong to a resource link and were made by the platform; the others are made by us, and have no
    address until they are.
    """

    class State(models.TextChoices):
        WANTED = "wanted", "is still to be made at the platform"
        ACTIVE = "active"
        GONE = "gone", "deleted at the platform"
        REFUSED = "refused", "the platform does not let us"

    context = models.ForeignKey(Context, on_delete=models.CASCADE, related_name="line_items")
    url = models.CharField(max_length=1000, blank=True)
    problem_set = models.ForeignKey(ProblemSet, on_delete=models.CASCADE, related_name="line_items")
    set_item = models.ForeignKey(SetItem, null=True, blank=True, on_delete=models.CASCADE, related_name="line_items")
    # What we call it there, so that it is found again instead of being made twice.
    resource_id = models.CharField(max_length=255, blank=True)
    tag = models.CharField(max_length=255, blank=True)
    label = models.CharField(max_length=255, blank=True)
    maximum = models.DecimalField(max_digits=12, decimal_places=4, default=100)
    is_coupled = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State, default=State.ACTIVE)
    why = models.CharField(max_length=500, blank=True, help_text="In words for who teaches, where it does not work.")
    # When it is made, or looked at again; null is not before the night. A worker that holds it moves that ahead.
    due_at = models.DateTimeField(null=True, blank=True, default=clock.now)
    lease_token = models.UUIDField(null=True, blank=True)
    # Read by the version before alone, which may still run on these tables; the next version can take it away.
    read_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("context", "pk")
        indexes = (
            models.Index(fields=("due_at", "id"), name="line_item_queue", condition=models.Q(due_at__isnull=False)),
        )
        constraints = (
            models.UniqueConstraint(fields=("context", "url"), name="line_item_once", condition=~models.Q(url="")),
            models.UniqueConstraint(
                fields=("context", "problem_set"), name="line_item_own_set",
                condition=models.Q(is_coupled=False, set_item=None),
            ),
            models.UniqueConstraint(
                fields=("context", "set_item"), name="line_item_own_item",
                condition=models.Q(is_coupled=False, set_item__isnull=False),
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return self.label or self.url


class LmsScore(models.Model):
    """The latest score of one person for one line item: the row is the queue.

    ``version`` counts up with each change of the score; once ``sent_version`` has reached it, nothing is due. A worker
    that holds the row moves ``due_at`` ahead, as its lease.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        SENT = "sent"
        FAILED = "failed", "stopped: somebody who teaches has to look"

    line_item = models.ForeignKey(LineItem, on_delete=models.CASCADE, related_name="scores")
    platform_user = models.ForeignKey(PlatformUser, on_delete=models.CASCADE, related_name="scores")
    # Exact, as a share of the maximum; null clears it there.
    score_numerator = models.PositiveBigIntegerField(null=True)
    score_denominator = models.PositiveBigIntegerField(null=True)
    activity_progress = models.CharField(max_length=12, blank=True, help_text="In the words of the grade service.")
    grading_progress = models.CharField(max_length=13, blank=True)
    comment = models.CharField(max_length=500, blank=True)
    # When the learner handed in; ``last_timestamp`` is when this score came to be, as we said it to the platform.
    submitted_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    sent_version = models.PositiveIntegerField(default=0)
    last_timestamp = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True, default=clock.now)
    tries = models.PositiveSmallIntegerField(default=0)
    lease_token = models.UUIDField(null=True, blank=True)
    state = models.CharField(max_length=7, choices=State, default=State.PENDING)
    # What was sent last, and what came back.
    sent: Any = PlainJSONField(null=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    last_status = models.PositiveSmallIntegerField(null=True, blank=True)
    last_answer = models.CharField(max_length=500, blank=True)
    why = models.CharField(max_length=500, blank=True)
    # What the platform shows, read back after sending.
    shown: Any = PlainJSONField(null=True)
    read_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("line_item", "pk")
        constraints = (models.UniqueConstraint(fields=("line_item", "platform_user"), name="lms_score_once"),)
        indexes = (
            models.Index(fields=("due_at", "id"), name="lms_score_queue", condition=models.Q(due_at__isnull=False)),
            models.Index(fields=("line_item",), name="lms_score_stopped", condition=models.Q(state="failed")),
        )

    def __str__(self) -> str:
        return f"{self.platform_user_id} in {self.line_item_id}: {self.state}"

    @property
    def score(self) -> Fraction | None:
        """The share, exactly; None clears what is there."""
        if self.score_numerator is None or not self.score_denominator:
            return None
        return Fraction(self.score_numerator, self.score_denominator)
