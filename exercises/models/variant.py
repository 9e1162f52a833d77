"""What a learner was shown."""

import uuid

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.plain_json import PlainJSONField
from exercises.models.problem import Problem, ProblemVersion


class Variant(models.Model):
    """One drawing of a problem for one learner.

    The parameters are stored as shown. They are never drawn again from the seed, which is only provenance: the random
    generator may change with any upgrade, the page a learner worked on may not.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="variants")
    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="variants")
    version = models.ForeignKey(ProblemVersion, on_delete=models.PROTECT, related_name="variants")
    # Which one of this learner's variants of the problem it is, from 1: two requests at once cannot both draw the next.
    number = models.PositiveIntegerField()
    seed = models.PositiveBigIntegerField()
    parameters = PlainJSONField()
    # Everything typed last, also what could not be read: a reload shows it again. Never marked.
    draft = PlainJSONField(default=dict)
    # Of the parameters, in hex: no variant is drawn for the same person twice.
    digest = models.CharField(max_length=64, default="")
    # The steps that are asked, as a list of names; null is every step that can be. The others stay in the graph.
    asked = PlainJSONField(null=True)
    # When the learner asked for the steps in between that were left out: from then on what they show counts half.
    scaffolded_at = models.DateTimeField(null=True, blank=True)
    # Drawn for a mixed check: what is shown here unaided, after a night, is what makes a skill mastered.
    is_check = models.BooleanField(default=False)
    # The notes of the mistakes that could show here: in this variant they do not come to the right answer.
    active = PlainJSONField(default=list)
    # Where it was drawn for a place in an attempt at a problem set; null in free practice.
    attempt_item = models.ForeignKey(
        "exercises.AttemptItem", null=True, blank=True, on_delete=models.CASCADE, related_name="variants"
    )
    # The version it is marked and explained by since a regrade; null is the one it was drawn from.
    marked_by = models.ForeignKey(ProblemVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    revealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (models.UniqueConstraint(fields=("learner", "problem", "number"), name="variant_number_once"),)
        indexes = (
            models.Index(fields=("learner", "problem", "digest"), name="variant_drawn_before"),
            models.Index(fields=("learner", "-id"), name="variant_own_latest"),
        )

    def __str__(self) -> str:
        return str(self.public_id)

    @property
    def is_closed(self) -> bool:
        """Whether the solution was shown, so that nothing typed from now on can earn credit."""
        return self.revealed_at is not None

    @property
    def key_version(self) -> ProblemVersion:
        """The version it is marked and explained by."""
        return self.marked_by or self.version
