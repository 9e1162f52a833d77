"""What people who teach decided about scores: for one learner, or for all; and regrades, with what each changed."""

import uuid
from fractions import Fraction

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.course import Course
from exercises.models.plain_json import PlainJSONField
from exercises.models.problem import Problem, ProblemVersion
from exercises.models.problem_set import ProblemSet, SetItem
from exercises.models.submission import Grading, Submission


class Override(models.Model):
    """A score that somebody set by hand: of the whole set, of one item, or the credit of one step of an item.

    It outranks whatever the grader says, now or later, until it is taken back.
    """

    problem_set = models.ForeignKey(ProblemSet, on_delete=models.CASCADE, related_name="overrides")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="overrides")
    item = models.ForeignKey(SetItem, null=True, blank=True, on_delete=models.CASCADE, related_name="overrides")
    step = models.CharField(max_length=80, blank=True)
    score = models.CharField(max_length=40, help_text='An exact share in [0, 1], such as "3/4".')
    reason = models.CharField(max_length=500)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("problem_set", "learner", "item", "step"),
                name="override_once_an_item",
                condition=models.Q(withdrawn_at=None),
            ),
            # Without an item: null differs from null in a constraint.
            models.UniqueConstraint(
                fields=("problem_set", "learner"),
                name="override_once_a_set",
                condition=models.Q(withdrawn_at=None, item=None),
            ),
        )

    def __str__(self) -> str:
        return f"{self.learner_id}: {self.score}"

    @property
    def share(self) -> Fraction:
        """The score, exactly."""
        return Fraction(self.score)


class Ruling(models.Model):
    """What was decided about an item for everybody. It is read whenever scores are worked out, and changes no verdict.

    accept      at a step, whoever has the named mistake ``note``, or the very answer ``read_as`` on variants with the
                parameters ``digest``, gets full credit
    discount    a step counts for nobody
    compensate  the item on variants with the parameters ``digest`` counts only for whom it raises the score
    """

    class Kind(models.TextChoices):
        ACCEPT = "accept"
        DISCOUNT = "discount"
        COMPENSATE = "compensate"

    problem_set = models.ForeignKey(ProblemSet, on_delete=models.CASCADE, related_name="rulings")
    item = models.ForeignKey(SetItem, on_delete=models.CASCADE, related_name="rulings")
    kind = models.CharField(max_length=10, choices=Kind)
    step = models.CharField(max_length=80, blank=True)
    note = models.CharField(max_length=120, blank=True)
    read_as = models.CharField(max_length=500, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    reason = models.CharField(max_length=500)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    # When the scores had followed its giving, or its taking back; null while they are being worked out, and then
    # ``reached`` is the last learner whose were.
    applied_at = models.DateTimeField(null=True, blank=True)
    reached = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.kind} {self.step} {self.note}".strip()


class RegradeEvent(models.Model):
    """One regrade: what changed, whom it moves and by how much, and whether it was applied or undone."""

    class State(models.TextChoices):
        COUNTING = "counting", "the dry run is going on"
        READY = "ready", "the dry run is done; nothing is changed"
        APPLYING = "applying"
        APPLIED = "applied"
        UNDOING = "undoing"
        UNDONE = "undone"
        DROPPED = "dropped", "never applied"
        FAILED = "failed"

    #: Somebody works on it, or is to.
    WORKING = (State.COUNTING, State.APPLYING, State.UNDOING)

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="regrades")
    # One set of it, or all of the course.
    problem_set = models.ForeignKey(
        ProblemSet, null=True, blank=True, on_delete=models.CASCADE, related_name="regrades"
    )
    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="regrades")
    # What it is marked by from then on.
    version = models.ForeignKey(ProblemVersion, on_delete=models.PROTECT, related_name="+")
    never_lower = models.BooleanField(default=True)
    reason = models.CharField(max_length=500)
    state = models.CharField(max_length=8, choices=State, default=State.COUNTING)
    # How far it is: the last submission looked at, and how many of how many.
    reached = models.BigIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    raised = models.PositiveIntegerField(default=0)
    lowered = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0, help_text="Judged otherwise by somebody else meanwhile.")
    reasons = PlainJSONField(default=dict, help_text="Why submissions could not be marked: how many, by sentence.")
    failure = models.TextField(blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    applied_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    # A worker that holds it says so here; after that another may go on where ``reached`` stands.
    lease_token = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.problem_id}: {self.state}"


class RegradeChange(models.Model):
    """One submission that a regrade marks otherwise: the verdict before, and the one after, side by side.

    There may be a million of them, and none is ever looked up by what it points at: no index but that of the event.
    """

    event = models.ForeignKey(RegradeEvent, on_delete=models.CASCADE, related_name="changes")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="+", db_index=False)
    before = models.ForeignKey(Grading, on_delete=models.CASCADE, related_name="+", db_index=False)
    after = PlainJSONField(help_text="The verdict by the new version.")
    before_numerator = models.PositiveBigIntegerField()
    before_denominator = models.PositiveBigIntegerField()
    after_numerator = models.PositiveBigIntegerField()
    after_denominator = models.PositiveBigIntegerField()
    # The old one goes on counting, since the new one is lower and nobody is to lose.
    is_kept = models.BooleanField(default=False)
    # The grading that it became, once applied.
    grading = models.ForeignKey(
        Grading, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )

    class Meta:
        ordering = ("event", "pk")
        constraints = (models.UniqueConstraint(fields=("event", "submission"), name="regrade_change_once"),)
        indexes = (
            models.Index(fields=("event", "submission"), name="regrade_change_kept", condition=models.Q(is_kept=True)),
        )

    def __str__(self) -> str:
        return f"{self.event_id}: {self.submission_id}"


class RegradeMove(models.Model):
    """What a regrade comes to for one place of one attempt: its score and the attempt's, before and after. A table to
    read from, made by the dry run."""

    event = models.ForeignKey(RegradeEvent, on_delete=models.CASCADE, related_name="moves", db_index=False)
    attempt_item = models.ForeignKey(
        "exercises.AttemptItem", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    # Exact shares in text, such as "3/4"; empty as long as nothing is marked.
    item_before = models.CharField(max_length=80, blank=True)
    item_after = models.CharField(max_length=80, blank=True)
    attempt_before = models.CharField(max_length=80, blank=True)
    attempt_after = models.CharField(max_length=80, blank=True)
    size = models.FloatField(help_text="How far the attempt's score moves, without its sign: to sort by, no more.")
    is_raised = models.BooleanField(null=True, help_text="Null where neither item nor attempt moves.")

    class Meta:
        ordering = ("event", "-size", "pk")
        constraints = (models.UniqueConstraint(fields=("event", "attempt_item"), name="regrade_move_once"),)
        indexes = (models.Index(fields=("event", "-size", "id"), name="regrade_move_by_size"),)

    def __str__(self) -> str:
        return f"{self.event_id}: {self.attempt_item_id}"


class Figures(models.Model):
    """Statistics of a set or a course as they were worked out last: pages read them here, however many answers.

    Working them out takes many short turns: what was added up so far stands in ``work`` meanwhile.
    """

    class Kind(models.TextChoices):
        ITEMS = "items", "of the items of a set"
        CLASS = "class", "of the skills and mistakes of a course"
        # No figures, and work all the same: what a set shows of its learners becomes evidence, some of it at a time.
        SHOWN = "shown", "of what learners may know of by now"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="figures")
    problem_set = models.ForeignKey(ProblemSet, null=True, on_delete=models.CASCADE, related_name="figures")
    kind = models.CharField(max_length=20, choices=Kind)
    figures = PlainJSONField(default=dict)
    computed_at = models.DateTimeField(null=True)
    # Since when they are wanted anew; null where nothing is to be done.
    wanted_at = models.DateTimeField(null=True)
    work = PlainJSONField(null=True)
    lease_token = models.UUIDField(null=True)
    leased_until = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("problem_set", "kind"), name="figures_once_a_set"),
            models.UniqueConstraint(
                fields=("course", "kind"), name="figures_once_a_course", condition=models.Q(problem_set=None)
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.problem_set_id or self.course_id}"
