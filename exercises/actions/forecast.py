"""Keeping what a learner expects before working it out."""

from exercises.actions.typed import clean_words
from exercises.models import Forecast, Variant

MOST_CHARACTERS = 500


def keep_forecast(*, variant: Variant, text: str) -> Forecast:
    """Store what the learner expects; a later text replaces an earlier one. Never graded."""
    said = clean_words(text, MOST_CHARACTERS, "Write down what you expect, in a few words.")
    return Forecast.objects.update_or_create(variant=variant, defaults={"text": said})[0]
