"""Keeping what a learner expects before working it out."""

from django.db import transaction

from exercises.actions.draft import lock_and_keep_draft
from exercises.actions.typed import clean_words
from exercises.models import Forecast, Variant
from exercises.refusals import VariantClosed

MOST_CHARACTERS = 500


def keep_forecast(*, variant: Variant, text: str) -> Forecast:
    """Store what the learner expects; a later text replaces an earlier one. Never graded.

    Raises VariantClosed once the solution was shown: what is known can no longer be expected.
    """
    said = clean_words(text, MOST_CHARACTERS, "Write down what you expect, in a few words.")
    with transaction.atomic():
        lock_and_keep_draft(variant, {})
        if variant.is_closed:
            raise VariantClosed("The solution is shown already, so this is no forecast any more.")
        return Forecast.objects.update_or_create(variant=variant, defaults={"text": said})[0]
