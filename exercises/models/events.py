"""What happened, for programs that follow it: a feed in one order, and its delivery to addresses of theirs."""

import uuid

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.course import Course
from exercises.models.plain_json import PlainJSONField


class Event(models.Model):
    """One thing that happened in a course. Written in the transaction of what happened, kept for thirty days.

    ``position`` is its place in the feed, given shortly after by one worker at a time: transactions commit in another
    order than their rows are numbered, and whoever reads behind a cursor must never miss one that came late.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=40, help_text="Such as attempt.handed-in: see exercises.events.")
    at = models.DateTimeField(default=clock.now)
    # Whose doing it was, and whom it is about: the work of a learner is told to those alone who may read it.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    data = PlainJSONField(default=dict)
    position = models.PositiveBigIntegerField(null=True, unique=True)

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("course", "position"), name="event_feed"),
            models.Index(fields=("id",), name="event_unplaced", condition=models.Q(position__isnull=True)),
            models.Index(fields=("at",), name="event_age"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"


class Webhook(models.Model):
    """An address to which the events of a course are delivered, signed.

    Secrets are encrypted; the one before stays good for a day after a rotation, so that none is refused meanwhile.
    """

    class State(models.TextChoices):
        ACTIVE = "active"
        PAUSED = "paused", "by its owner"
        DISABLED = "disabled", "the address is gone, or nothing arrived for days"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="webhooks")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    kinds = PlainJSONField(default=list, help_text="Kinds of events; empty is all.")
    state = models.CharField(max_length=8, choices=State, default=State.ACTIVE)
    why = models.CharField(max_length=300, blank=True, help_text="Why it is disabled.")
    secret = models.BinaryField()
    secret_before = models.BinaryField(null=True)
    rotated_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    # Events up to this place in the feed have their deliveries.
    reached = models.PositiveBigIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One event for one address: the row is the queue. A replay is a new row."""

    class State(models.TextChoices):
        PENDING = "pending"
        DELIVERED = "delivered"
        GIVEN_UP = "given-up"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="deliveries")
    state = models.CharField(max_length=9, choices=State, default=State.PENDING)
    is_replay = models.BooleanField(default=False)
    tries = models.PositiveSmallIntegerField(default=0)
    # When it may be tried (again); null once it is over. A worker that holds it moves this ahead, as its lease.
    due_at = models.DateTimeField(null=True, default=clock.now)
    lease_token = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=clock.now)
    delivered_at = models.DateTimeField(null=True)
    last_status = models.PositiveSmallIntegerField(null=True)
    last_answer = models.CharField(max_length=500, blank=True)
    last_tried_at = models.DateTimeField(null=True)
    last_took = models.FloatField(null=True, help_text="Seconds.")

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("webhook", "event"), name="delivery_once", condition=models.Q(is_replay=False)
            ),
        )
        indexes = (
            models.Index(fields=("due_at", "id"), name="delivery_queue", condition=models.Q(due_at__isnull=False)),
            models.Index(fields=("webhook", "-id"), name="delivery_log"),
            models.Index(fields=("webhook", "state"), name="delivery_states"),
        )

    def __str__(self) -> str:
        return f"{self.event_id} to {self.webhook_id}: {self.state}"
