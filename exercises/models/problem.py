"""What is practised: authored problems, each with the versions of its source."""

from django.conf import settings
from django.db import models

from exercises.models.plain_json import PlainJSONField
from exercises.models.touched import Touched


class ProblemQuerySet(models.QuerySet["Problem"]):
    """Problems, by who may meet them."""

    def listed(self) -> "ProblemQuerySet":
        """What everybody may practise: the built-in ones that can be drawn from. Others are met in problem sets."""
        return self.filter(owner=None, retired=False, current__isnull=False)


class Problem(models.Model):
    """One authored problem, known by its slug. What it says is in its versions.

    One with an owner was written here. It is for its author, for other authors if shared, and for the courses that
    have it in a set.
    """

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    summary = models.TextField(blank=True)
    skills = PlainJSONField(default=list)
    position = models.PositiveIntegerField(default=0)
    # Kept in step with the catalogue's files; others were authored here.
    built_in = models.BooleanField(default=False)
    # Set when the catalogue no longer holds it: what was drawn from it stays, nothing new is drawn.
    retired = models.BooleanField(default=False)
    # Why the source in the catalogue cannot be used; the version before it, if there is one, goes on serving.
    fault = models.TextField(blank=True)
    current = models.ForeignKey(
        "exercises.ProblemVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="problems"
    )
    is_shared = models.BooleanField(default=False, help_text="Whether other authors may use and fork it.")
    licence = models.CharField(max_length=80, blank=True)
    forked_from = models.ForeignKey(
        "exercises.ProblemVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="forks"
    )

    updated_at = Touched()

    objects = ProblemQuerySet.as_manager()

    class Meta:
        ordering = ("position", "slug")

    def __str__(self) -> str:
        return self.slug


class ProblemVersion(models.Model):
    """One source text of a problem. Never changed: a variant is marked by the very text it was drawn by."""

    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    source = models.TextField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of the source, in hex.")
    created_at = models.DateTimeField(auto_now_add=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    summary = models.CharField(max_length=500, blank=True, help_text="What is different from the one before.")
    # Made from that version for an item of a set, by narrowing it: never the problem's current one.
    adapted_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="adaptations"
    )
    # What the check over 1,000 seeds found before it was published; null for what the catalogue brought.
    report = PlainJSONField(null=True, blank=True)

    class Meta:
        ordering = ("problem", "number")
        constraints = (
            models.UniqueConstraint(fields=("problem", "number"), name="version_number_once"),
            models.UniqueConstraint(fields=("problem", "digest"), name="version_digest_once"),
        )

    def __str__(self) -> str:
        return f"{self.problem.slug} version {self.number}"
