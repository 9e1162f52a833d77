"""Keeping secrets by the SECRET_KEY of today, so that the one before can be thrown away."""

from django.db import transaction

from exercises.models import ToolKey, Webhook
from exercises.sealed import sealed_anew

#: Every column that holds something sealed; a test holds it against the tables.
SEALED: tuple[tuple[type[Webhook] | type[ToolKey], tuple[str, ...]], ...] = (
    (Webhook, ("secret", "secret_before")),
    (ToolKey, ("private_key",)),
)


def reseal() -> int:
    """Seal all stored secrets anew; how many they were. Raises SealBroken at the first that neither SECRET_KEY nor a
    fallback of it opens, with nothing changed. Safe to repeat, and beside everything else."""
    count = 0
    with transaction.atomic():
        for model, columns in SEALED:
            for row in model.objects.select_for_update().order_by("pk"):
                kept = {column: getattr(row, column) for column in columns}
                fresh = {column: sealed_anew(value) for column, value in kept.items() if value}
                model.objects.filter(pk=row.pk).update(**fresh)
                count += len(fresh)
    return count
