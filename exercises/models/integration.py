"""What programs leave here: their own ids of our things, what they asked once already, and work that takes longer."""

import uuid

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.course import Course
from exercises.models.plain_json import PlainJSONField


class ExternalId(models.Model):
    """What a program calls one of our things.

    Unique for its owner: two programs of one person share their names, those of two people never meet.
    """

    class Kind(models.TextChoices):
        COURSE = "course"
        PERSON = "person"
        PROBLEM = "problem"
        PROBLEM_SET = "problem-set"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="external_ids")
    kind = models.CharField(max_length=12, choices=Kind)
    external_id = models.CharField(max_length=200)
    # The primary key of the thing: one table for all kinds, since none is ever joined through it.
    target = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("owner", "kind", "external_id"), name="external_id_once"),
            models.UniqueConstraint(fields=("owner", "kind", "target"), name="external_id_one_a_thing"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.external_id}"


class KeptAnswer(models.Model):
    """What a request with an ``Idempotency-Key`` was answered, for a day: sent again, it gets the same, does nothing.

    Without a status it is being answered.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    request_digest = models.CharField(max_length=64, help_text="SHA-256 of method, address and body, in hex.")
    created_at = models.DateTimeField(default=clock.now, db_index=True)
    status = models.PositiveSmallIntegerField(null=True)
    headers = PlainJSONField(default=dict)
    body = PlainJSONField(null=True)
    rights = PlainJSONField(
        default=list, help_text="What it took: pairs of the primary key of a course and a right. Asked again each time."
    )

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("owner", "key"), name="kept_answer_once"),)

    def __str__(self) -> str:
        return self.key


class Job(models.Model):
    """Work for a course that a program asked for, and that takes longer than a request may. The row is the queue."""

    class Kind(models.TextChoices):
        ROSTER = "roster"
        GRADES = "grades"

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="jobs")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    is_dry_run = models.BooleanField(default=False)
    options = PlainJSONField(default=dict)
    text = models.TextField(help_text="The table, as CSV, as it was sent or made from NDJSON.")
    report = PlainJSONField(null=True, help_text="What was or would be done, and the lines that have a fault.")
    failure = models.TextField(blank=True)
    created_at = models.DateTimeField(default=clock.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    lease_token = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("-pk",)
        indexes = (
            models.Index(fields=("id",), name="job_open", condition=models.Q(finished_at__isnull=True)),
            models.Index(fields=("course", "-id"), name="job_latest"),
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.state}"
