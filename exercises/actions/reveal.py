"""Showing the worked solution."""

from django.db import transaction

from exercises import clock
from exercises.models import Variant


def reveal_solution(*, variant: Variant) -> Variant:
    """Close the variant for credit; from then on its worked solution is shown. Answers sent before are still marked."""
    with transaction.atomic():
        locked = Variant.objects.select_for_update().get(pk=variant.pk)
        if locked.revealed_at is None:
            locked.revealed_at = clock.now()
            locked.save(update_fields=["revealed_at"])
    variant.revealed_at = locked.revealed_at
    return variant
