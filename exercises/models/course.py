"""Courses: who teaches whom, in which term, and what was done there by whom."""

import uuid
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.plain_json import PlainJSONField
from exercises.models.touched import Touched


class Role(models.TextChoices):
    """What somebody is in a course. What each may do is in ``exercises.courses.rights``."""

    INSTRUCTOR = "instructor"
    ASSISTANT = "assistant"
    LEARNER = "learner"
    OBSERVER = "observer"


class Course(models.Model):
    """One course in one term. Run again, it is another course, copied from this one."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    title = models.CharField(max_length=200)
    term = models.CharField(max_length=80, blank=True, help_text="Such as Winter 2026.")
    time_zone = models.CharField(max_length=64, default="UTC", help_text="IANA name: all its days and times go by it.")
    starts_on = models.DateField(null=True, blank=True)
    ends_on = models.DateField(null=True, blank=True)
    exam_on = models.DateField(null=True, blank=True, help_text="What the reviews of its learners are planned towards.")
    # What a learner types to come in; none while the course is closed to whoever is not on its roster.
    join_code = models.CharField(max_length=12, unique=True, null=True, blank=True)
    copied_from = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="copies")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="courses_made"
    )
    created_at = models.DateTimeField(default=clock.now)
    # Nothing can be handed in any more; everything stays to be read.
    archived_at = models.DateTimeField(null=True, blank=True)
    updated_at = Touched()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.title} {self.term}".strip()


class Enrolment(models.Model):
    """One person in one course. Who leaves keeps their work; who comes back finds it again."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="enrolments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="enrolments")
    role = models.CharField(max_length=10, choices=Role, default=Role.LEARNER)
    # As on the roster: the name there, and whatever number the institution knows them by.
    name = models.CharField(max_length=200, blank=True)
    external_id = models.CharField(max_length=100, blank=True)
    # Every time limit of theirs is so many times as long.
    time_factor = models.DecimalField(max_digits=4, decimal_places=2, default=Decimal(1))
    created_at = models.DateTimeField(default=clock.now)
    dropped_at = models.DateTimeField(null=True, blank=True)
    updated_at = Touched()

    class Meta:
        ordering = ("course", "pk")
        constraints = (
            models.UniqueConstraint(fields=("course", "user"), name="enrolment_once"),
            models.CheckConstraint(
                condition=models.Q(time_factor__gte=1) & models.Q(time_factor__lte=10), name="enrolment_time_factor"
            ),
        )
        indexes = (
            models.Index(fields=("course", "role", "id"), name="enrolment_roster"),
            models.Index(fields=("course", "updated_at", "id"), name="enrolment_touched"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} in {self.course_id}"


class Group(models.Model):
    """Some learners of a course, such as a tutorial."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(max_length=80)
    members = models.ManyToManyField(Enrolment, related_name="groups", blank=True)

    class Meta:
        ordering = ("course", "name")
        constraints = (models.UniqueConstraint(fields=("course", "name"), name="group_name_once"),)

    def __str__(self) -> str:
        return self.name


class AuditEntry(models.Model):
    """One act of somebody who teaches: written in the transaction of the act, and never changed.

    ``deed`` is one word for programs, such as ``override``; ``about`` says in words what it was done to.
    """

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="audit")
    at = models.DateTimeField(default=clock.now)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    deed = models.CharField(max_length=40)
    about = models.CharField(max_length=300)
    problem_set = models.ForeignKey("exercises.ProblemSet", null=True, on_delete=models.SET_NULL, related_name="+")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    before: Any = PlainJSONField(null=True)
    after: Any = PlainJSONField(null=True)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("-pk",)
        indexes = (
            models.Index(fields=("course", "-id"), name="audit_latest"),
            models.Index(fields=("course", "deed"), name="audit_deeds"),
        )

    def __str__(self) -> str:
        return f"{self.deed}: {self.about}"
