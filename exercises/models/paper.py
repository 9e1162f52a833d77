"""Problem sets on paper: printed copies, each with a code of its own."""

import uuid

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.attempt import Attempt
from exercises.models.plain_json import PlainJSONField
from exercises.models.problem_set import ProblemSet


class PaperRun(models.Model):
    """Some copies of a set that were drawn together."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    problem_set = models.ForeignKey(ProblemSet, on_delete=models.CASCADE, related_name="paper_runs")
    title = models.CharField(max_length=200, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.problem_set_id} on paper"


class PaperCopy(models.Model):
    """One printed copy. Its numbers are stored as printed; entered answers become an attempt of whoever wrote it."""

    run = models.ForeignKey(PaperRun, on_delete=models.CASCADE, related_name="copies")
    number = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=12, unique=True)
    # What is printed, in order: {item, version, weight, asked, seed, parameters}.
    items = PlainJSONField()
    attempt = models.OneToOneField(Attempt, null=True, blank=True, on_delete=models.SET_NULL, related_name="paper_copy")

    class Meta:
        ordering = ("run", "number")
        constraints = (models.UniqueConstraint(fields=("run", "number"), name="paper_copy_number_once"),)

    def __str__(self) -> str:
        return self.code
