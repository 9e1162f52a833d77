"""Attempts: one sitting of a problem set, what was saved meanwhile, and what it earned."""

import uuid
from fractions import Fraction

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.plain_json import PlainJSONField
from exercises.models.problem import ProblemVersion
from exercises.models.problem_set import ProblemSet, SetItem
from exercises.models.touched import Touched


class Attempt(models.Model):
    """One learner's sitting of a set. Handed in, nothing in it can be written any more, whichever page is still open.

    Scores are exact: the database holds numerator and denominator.
    """

    class HandedInBy(models.TextChoices):
        LEARNER = "learner"
        TIME = "time", "time was up"
        STAFF = "staff"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    problem_set = models.ForeignKey(ProblemSet, on_delete=models.PROTECT, related_name="attempts")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField(default=1)
    # By somebody who teaches, to see what learners will see: in no list, no score, no statistics.
    is_preview = models.BooleanField(default=False)
    began_at = models.DateTimeField(default=clock.now)
    # When nothing more is taken, by the rules as they are for this learner now; none is never. Worked out again
    # whenever a rule, an extension or a time factor changes: the sweep that hands in goes by it.
    ends_at = models.DateTimeField(null=True, blank=True)
    handed_in_at = models.DateTimeField(null=True, blank=True)
    handed_in_by = models.CharField(max_length=8, choices=HandedInBy, blank=True)
    # What it counts as handed in at, where somebody who teaches said so, with the reason in the audit trail.
    count_as_at = models.DateTimeField(null=True, blank=True)
    receipt = models.CharField(max_length=40, blank=True, help_text="Told to the learner at hand-in.")
    # As it counts, after late days and decisions; null as long as nothing is marked.
    score_numerator = models.PositiveBigIntegerField(null=True)
    score_denominator = models.PositiveBigIntegerField(null=True)
    late_days = models.PositiveSmallIntegerField(default=0)
    updated_at = Touched()

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("problem_set", "learner", "number", "is_preview"), name="attempt_number_once"
            ),
        )
        indexes = (
            models.Index(
                fields=("ends_at",),
                name="attempt_time_up",
                condition=models.Q(handed_in_at__isnull=True) & models.Q(ends_at__isnull=False),
            ),
            models.Index(fields=("learner", "-id"), name="attempt_own"),
            models.Index(fields=("problem_set", "updated_at", "id"), name="attempt_touched"),
            models.Index(fields=("receipt",), name="attempt_receipt", condition=models.Q(handed_in_at__isnull=False)),
        )

    def __str__(self) -> str:
        return str(self.public_id)

    @property
    def is_over(self) -> bool:
        """Whether it was handed in."""
        return self.handed_in_at is not None

    @property
    def score(self) -> Fraction | None:
        """In [0, 1], exact; None as long as nothing is marked."""
        if self.score_numerator is None or not self.score_denominator:
            return None
        return Fraction(self.score_numerator, self.score_denominator)


class AttemptItem(models.Model):
    """One place of an attempt: which item stands there, by which version, and what it weighs, all fixed at the begin.

    Its variants are those that point here: one, or with *a new variant for each try* as many as tries.
    """

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="items")
    item = models.ForeignKey(SetItem, on_delete=models.PROTECT, related_name="attempt_items")
    position = models.PositiveSmallIntegerField()
    weight = models.DecimalField(max_digits=8, decimal_places=4)
    version = models.ForeignKey(ProblemVersion, on_delete=models.PROTECT, related_name="+")
    asked = PlainJSONField(null=True, help_text="The steps that are asked; null is all.")
    # What stands in the boxes, saved last: answers by step as typed, of which variant, and how often it was saved.
    saved = PlainJSONField(default=dict)
    saved_version = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(null=True, blank=True)
    # Tries that count, and the best score of them by what each is worth; null as long as nothing is marked.
    tries = models.PositiveSmallIntegerField(default=0)
    score_numerator = models.PositiveBigIntegerField(null=True)
    score_denominator = models.PositiveBigIntegerField(null=True)

    class Meta:
        ordering = ("attempt", "position")
        constraints = (models.UniqueConstraint(fields=("attempt", "position"), name="attempt_position_once"),)

    def __str__(self) -> str:
        return f"{self.attempt_id}: {self.position}"

    @property
    def score(self) -> Fraction | None:
        """In [0, 1], exact, before its weight; None as long as nothing is marked."""
        if self.score_numerator is None or not self.score_denominator:
            return None
        return Fraction(self.score_numerator, self.score_denominator)


class SavedAnswer(models.Model):
    """One saving of what stood in the boxes. Rows are only added.

    One that was set aside did not replace what is there: it was made from an older page, was blank where there was
    something, or came too late. It can be looked at and taken up again while the attempt goes on.
    """

    class Aside(models.TextChoices):
        STALE = "stale", "made from an older page"
        BLANK = "blank", "blank where there was something"
        LATE = "late", "after time was up"

    attempt_item = models.ForeignKey(AttemptItem, on_delete=models.CASCADE, related_name="saves")
    # None for one that was set aside.
    version = models.PositiveIntegerField(null=True)
    based_on = models.PositiveIntegerField(default=0)
    answers = PlainJSONField()
    aside = models.CharField(max_length=5, choices=Aside, blank=True)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("attempt_item", "version"), name="saved_version_once"),)

    def __str__(self) -> str:
        return f"{self.attempt_item_id} version {self.version}"
