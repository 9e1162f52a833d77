"""The hints that were taken."""

from django.db import models

from exercises import clock
from exercises.models.variant import Variant


class HintUse(models.Model):
    """One hint as it was shown."""

    variant = models.ForeignKey(Variant, on_delete=models.CASCADE, related_name="hint_uses")
    step = models.CharField(max_length=80)
    number = models.PositiveSmallIntegerField(help_text="From 1, the gentlest.")
    text = models.TextField()
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("variant", "step", "number")
        constraints = (models.UniqueConstraint(fields=("variant", "step", "number"), name="hint_number_once"),)

    def __str__(self) -> str:
        return f"hint {self.number} at {self.step}"
