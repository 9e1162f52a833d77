"""What closed steps say about what a learner can do. Everything the learner model knows is a fold over these rows."""

from django.conf import settings
from django.db import models

from exercises.courses.class_tally import STUCK
from exercises.models.plain_json import PlainJSONField
from exercises.models.problem import Problem
from exercises.models.submission import Submission
from exercises.models.variant import Variant


class Evidence(models.Model):
    """One closed step of one variant. Never changed: a late verdict or a regrade adds a row with the next revision,
    and the highest revision of a step counts. ``w = 0`` takes it back."""

    class Reason(models.TextChoices):
        RIGHT = "right"
        TRIES = "tries", "so many different answers that no later one would show anything"
        REVEALED = "revealed"
        LEFT = "left", "another variant of the problem was drawn"
        VOID = "void", "no evidence after all"

    # Learner, problem and submission are the variant's own, written once more to be found by. What the variant has made
    # sure of is not checked again, and what an index below begins with has none of its own: each verdict would pay.
    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="evidence", db_index=False, db_constraint=False
    )
    problem = models.ForeignKey(
        Problem, on_delete=models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    variant = models.ForeignKey(Variant, on_delete=models.CASCADE, related_name="evidence", db_index=False)
    step = models.CharField(max_length=80)
    revision = models.PositiveSmallIntegerField(default=0)
    # The answer that closed it; none where the solution was shown or another variant was drawn.
    submission = models.ForeignKey(
        Submission, null=True, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    reason = models.CharField(max_length=8, choices=Reason)
    skill = models.CharField(max_length=80, help_text="The skill it speaks about.")
    closed_at = models.DateTimeField()
    study_day = models.DateField(help_text="The learner's own day then, which begins at 04:00.")
    correctness = models.FloatField(help_text="r in [0, 1], by the learner's own carried values.")
    tries = models.PositiveSmallIntegerField(help_text="Graded tries with different answers.")
    hints = models.PositiveSmallIntegerField()
    e = models.FloatField(help_text="Strength in [0, 1].")
    w = models.FloatField(help_text="How much it counts; 0 is no evidence.")
    b = models.FloatField(help_text="Difficulty of the item then, in logits.")
    g = models.FloatField(help_text="Guess floor of the item.")
    predicted = models.FloatField(help_text="The chance of success that was foreseen.")
    is_first = models.BooleanField(help_text="On the learner's first variant of the problem.")
    is_check = models.BooleanField(help_text="In a mixed check.")
    notes = PlainJSONField(default=list, help_text="The named mistakes that were made at it, in order.")
    model_version = models.CharField(max_length=20)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("variant", "step", "revision"), name="evidence_revision_once"),)
        indexes = (
            models.Index(fields=("learner", "skill", "closed_at"), name="evidence_fold"),
            models.Index(fields=("learner", "study_day"), name="evidence_calendar"),
            models.Index(fields=("learner", "-closed_at"), name="evidence_lately"),
            # Whether a later revision stands for a row is asked of every row that is read.
            models.Index(
                fields=("variant", "step", "revision"), name="evidence_revised", condition=models.Q(revision__gt=0)
            ),
        )

    def __str__(self) -> str:
        return f"{self.learner_id} {self.skill} {self.e:.2f}"


class Mastery(models.Model):
    """Where one learner stands at one skill: a SkillState in columns. A table to read from; ``rebuild_mastery`` makes
    it anew from the evidence, bit for bit."""

    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mastery", db_index=False
    )
    skill = models.CharField(max_length=80)
    mean = models.FloatField()
    variance = models.FloatField()
    weight = models.FloatField()
    last_at = models.DateTimeField(null=True)
    steps = models.PositiveIntegerField()
    failures = models.PositiveIntegerField()
    unaided_right = models.PositiveIntegerField()
    first_variant = models.BigIntegerField(null=True)
    has_second_variant = models.BooleanField()
    level = models.CharField(max_length=12)
    since = models.DateTimeField(null=True)
    highest = models.CharField(max_length=12)
    highest_at = models.DateTimeField(null=True)
    stability = models.FloatField(null=True)
    difficulty = models.FloatField(null=True)
    reviewed_on = models.DateField(null=True)
    reviews = models.PositiveIntegerField(default=0)
    lapses = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("learner", "skill"), name="mastery_once"),)
        # Who failed again and again, for the page of a class.
        indexes = (models.Index(fields=("learner",), name="mastery_stuck", condition=models.Q(failures__gte=STUCK)),)

    def __str__(self) -> str:
        return f"{self.learner_id} {self.skill}: {self.level}"


class ItemDifficulty(models.Model):
    """How hard one step of one problem has proved to be, in logits, and from how many rows of evidence."""

    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="difficulties")
    step = models.CharField(max_length=80)
    b = models.FloatField()
    n = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("problem", "step"), name="difficulty_once"),)

    def __str__(self) -> str:
        return f"{self.problem_id} {self.step}: {self.b:+.2f}"
