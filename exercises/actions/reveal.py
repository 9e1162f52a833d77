"""Showing the worked solution."""

from django.db import transaction

from exercises import clock
from exercises.actions.evidence import keep_evidence
from exercises.models import Variant


def reveal_solution(*, variant: Variant) -> Variant:
    """Close the variant for credit; from then on its worked solution is shown. Answers sent before are still marked.

    What was not right by then is evidence against its skill, in the same transaction.
    """
    with transaction.atomic():
        # Not for the key: a worker that holds the learner may still refer to the variant.
        rows = Variant.objects.select_for_update(no_key=True, of=("self",)).select_related("version")
        locked = rows.get(pk=variant.pk)
        if locked.revealed_at is None:
            locked.revealed_at = clock.now()
            locked.save(update_fields=["revealed_at"])
            keep_evidence([locked])
    variant.revealed_at = locked.revealed_at
    return variant
