"""What a learner expected beforehand."""

from django.db import models

from exercises.models.variant import Variant


class Forecast(models.Model):
    """What the learner expected before working it out. Stored, shown again, never graded."""

    variant = models.OneToOneField(Variant, on_delete=models.CASCADE, related_name="forecast")
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.text
