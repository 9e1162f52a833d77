"""Problems that are written here: drafts, and variants that are not drawn any more."""

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.plain_json import PlainJSONField
from exercises.models.problem import Problem, ProblemVersion


class ProblemDraft(models.Model):
    """What its author is working on: any text, also one that cannot be read. One a problem; no learner meets it."""

    problem = models.OneToOneField(Problem, on_delete=models.CASCADE, related_name="draft")
    source = models.TextField()
    # The version it started from; none for a problem that has none yet.
    based_on = models.ForeignKey(ProblemVersion, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    # Counted up with each save: a page that shows an older one overwrites nothing.
    revision = models.PositiveIntegerField(default=0)
    edited_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    edited_at = models.DateTimeField(default=clock.now)
    # The last check: of which text (SHA-256 in hex), over how many seeds, and what it found; {} is none yet.
    checked_digest = models.CharField(max_length=64, blank=True)
    report = PlainJSONField(default=dict)

    def __str__(self) -> str:
        return f"draft of {self.problem_id}"


class WithdrawnVariant(models.Model):
    """Parameters of a problem that nobody is given any more, known by their digest. What was drawn stays as it is."""

    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="withdrawn")
    # In the problem sets of this course only, where it was not its author who withdrew it; null is everywhere.
    course = models.ForeignKey("exercises.Course", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, help_text="As Variant.digest.")
    seed = models.PositiveBigIntegerField(null=True)
    parameters = PlainJSONField()
    reason = models.CharField(max_length=500)
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("problem", "digest"), name="withdrawn_once", condition=models.Q(course=None)
            ),
            models.UniqueConstraint(fields=("problem", "digest", "course"), name="withdrawn_once_a_course"),
        )

    def __str__(self) -> str:
        return f"{self.problem_id}: {self.digest[:8]}"
