"""What learners report as faulty."""

from django.conf import settings
from django.db import models

from exercises.models.problem import ProblemVersion
from exercises.models.submission import Grading, Submission
from exercises.models.variant import Variant


class FaultReport(models.Model):
    """A learner says that something is wrong with a problem; holds all that is needed to see what they saw."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="fault_reports")
    variant = models.ForeignKey(Variant, on_delete=models.CASCADE, related_name="fault_reports")
    version = models.ForeignKey(ProblemVersion, on_delete=models.PROTECT, related_name="fault_reports")
    submission = models.ForeignKey(Submission, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    grading = models.ForeignKey(Grading, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    grader_version = models.CharField(max_length=20)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    # What became of it, in words for the learner, once somebody looked into it.
    reply = models.TextField(blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.variant_id}: {self.text[:60]}"
