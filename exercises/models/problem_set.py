"""Problem sets: what is asked, of whom, when, and by which rules."""

import uuid
from decimal import Decimal
from fractions import Fraction

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.course import Course, Group
from exercises.models.plain_json import PlainJSONField
from exercises.models.problem import Problem, ProblemVersion
from exercises.models.touched import Touched


class ProblemSet(models.Model):
    """Items from the catalogue and of one's own, to be practised, as a quiz, or as an exam.

    Shares of credit are exact fractions in text, such as "1/2". What the fields mean together for one learner is
    worked out by ``exercises.courses.rules`` alone.
    """

    class Mode(models.TextChoices):
        PRACTICE = "practice", "endless variants, feedback at once"
        QUIZ = "quiz", "a number of tries an item, each worth less"
        EXAM = "exam", "handed in once, as a whole"

    class Retry(models.TextChoices):
        SAME = "same", "the same variant again"
        NEW = "new", "a new variant for each try"

    class Feedback(models.TextChoices):
        AT_ONCE = "at-once", "after each try"
        HANDED_IN = "handed-in", "once the attempt is handed in"
        RELEASED = "released", "when an instructor releases it"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="problem_sets")
    position = models.PositiveIntegerField(default=0)
    title = models.CharField(max_length=200)
    instructions = models.TextField(blank=True, help_text="Markdown with $TeX$.")
    mode = models.CharField(max_length=8, choices=Mode)
    # Learners see it from then on; before that it is a draft.
    published_at = models.DateTimeField(null=True, blank=True)
    opens_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    time_limit = models.PositiveIntegerField(null=True, blank=True, help_text="Minutes from the beginning.")
    # What a try of a quiz is worth, the first first; as many tries as entries.
    credits = PlainJSONField(default=list)
    retry = models.CharField(max_length=4, choices=Retry, default=Retry.SAME)
    feedback = models.CharField(max_length=9, choices=Feedback, default=Feedback.AT_ONCE)
    released_at = models.DateTimeField(null=True, blank=True)
    # What is left of the credit on the first calendar day after due, on the second and so on, in the course's own zone;
    # "1" is a day of grace. After the last of them it is closed, unless ``closes_at`` says otherwise.
    late = PlainJSONField(default=list)
    hints = models.BooleanField(default=False, help_text="Whether hints may be taken; in practice they always may.")
    shuffle = models.BooleanField(default=False)
    pass_mark = models.CharField(max_length=20, blank=True, help_text='A share such as "7/10"; empty is none.')
    # For the members of these groups only; none is everybody.
    groups = models.ManyToManyField(Group, related_name="problem_sets", blank=True)
    copied_from = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    # Counted up with each change, so that two editors do not overwrite one another.
    revision = models.PositiveIntegerField(default=0)
    retired = models.BooleanField(default=False)
    updated_at = Touched()

    class Meta:
        ordering = ("course", "position", "pk")

    def __str__(self) -> str:
        return self.title


class Pool(models.Model):
    """Of its items, ``choose`` are put to each learner. All weigh the same, so the maximum is the same for all."""

    problem_set = models.ForeignKey(ProblemSet, on_delete=models.CASCADE, related_name="pools")
    name = models.CharField(max_length=80)
    choose = models.PositiveSmallIntegerField(default=1)
    weight = models.DecimalField(max_digits=8, decimal_places=4, default=Decimal(1))

    class Meta:
        ordering = ("problem_set", "pk")
        constraints = (models.UniqueConstraint(fields=("problem_set", "name"), name="pool_name_once"),)

    def __str__(self) -> str:
        return self.name


class SetItem(models.Model):
    """A problem in a set. Taken out, it stays for those who have begun."""

    problem_set = models.ForeignKey(ProblemSet, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField(default=0)
    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="set_items")
    # Drawn from this version; none is whichever is current when somebody begins.
    version = models.ForeignKey(ProblemVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    pool = models.ForeignKey(Pool, null=True, blank=True, on_delete=models.SET_NULL, related_name="items")
    weight = models.DecimalField(max_digits=8, decimal_places=4, default=Decimal(1))
    variants = models.PositiveSmallIntegerField(default=1, help_text="So many variants, each with the whole rules.")
    asked = PlainJSONField(null=True, help_text="The steps that are asked; null is all.")
    # What was changed within what the problem allows: {"parameters": {name: {...}}, "digits": n}; {} is nothing. It
    # is written into a version of its own (ProblemVersion.adapted_from), which ``version`` then is.
    adaptation = PlainJSONField(default=dict)
    retired = models.BooleanField(default=False)

    class Meta:
        ordering = ("problem_set", "position", "pk")

    def __str__(self) -> str:
        return f"{self.problem_set_id}: {self.problem_id}"

    @property
    def share(self) -> Fraction:
        """What one variant of it weighs, exactly: the weight of its pool, if it is in one."""
        return Fraction(self.pool.weight if self.pool else self.weight)


class Extension(models.Model):
    """What is different for one learner, or for the members of one group. Empty fields change nothing.

    It applies at once, also to an attempt that is going on.
    """

    problem_set = models.ForeignKey(ProblemSet, on_delete=models.CASCADE, related_name="extensions")
    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="extensions"
    )
    group = models.ForeignKey(Group, null=True, blank=True, on_delete=models.CASCADE, related_name="extensions")
    opens_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    time_limit = models.PositiveIntegerField(null=True, blank=True, help_text="Minutes, before the time factor.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="So many attempts more; the best one counts.")
    reason = models.CharField(max_length=500, blank=True)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("problem_set", "pk")
        constraints = (
            models.UniqueConstraint(fields=("problem_set", "learner"), name="extension_once_a_learner"),
            models.UniqueConstraint(fields=("problem_set", "group"), name="extension_once_a_group"),
            models.CheckConstraint(
                condition=models.Q(learner__isnull=False) ^ models.Q(group__isnull=False),
                name="extension_of_one_learner_or_group",
            ),
        )

    def __str__(self) -> str:
        return f"{self.problem_set_id} for {self.learner_id or self.group_id}"
