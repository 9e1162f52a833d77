"""How a learner studies: their plan, and what each day's session held."""

from django.conf import settings
from django.db import models

from exercises.models.problem import Problem
from exercises.models.variant import Variant


class StudyPlan(models.Model):
    """What a learner set for themselves. Who has no row has these defaults."""

    learner = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="study_plan")
    time_zone = models.CharField(max_length=64, default="UTC", help_text="IANA name.")
    exam_on = models.DateField(null=True, blank=True, help_text="The day on which everything should be fresh.")
    goal = models.CharField(max_length=80, blank=True, help_text="A skill; empty is the whole map.")
    new_cards_a_day = models.PositiveSmallIntegerField(default=10)

    def __str__(self) -> str:
        return f"plan of {self.learner_id}"


class DailySession(models.Model):
    """What was put together for one learner's study day. Composed once; what is done shows in its variants."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="daily_sessions")
    study_day = models.DateField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("learner", "study_day"), name="session_once_a_day"),)

    def __str__(self) -> str:
        return f"{self.learner_id} {self.study_day}"


class SessionItem(models.Model):
    """One exercise of a daily session; its variant is drawn when it is begun."""

    class Kind(models.TextChoices):
        REVIEW = "review"
        NEW = "new"
        CHECK = "check"

    session = models.ForeignKey(DailySession, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=Kind)
    skill = models.CharField(max_length=80)
    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300)
    variant = models.OneToOneField(
        Variant, null=True, blank=True, on_delete=models.SET_NULL, related_name="session_item"
    )

    class Meta:
        ordering = ("session", "position")
        constraints = (models.UniqueConstraint(fields=("session", "position"), name="session_position_once"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.problem_id}"
