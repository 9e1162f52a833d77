"""Keeping secrets by the SECRET_KEY of today, so that the one before can be thrown away."""

from allauth.mfa.models import Authenticator
from django.db import transaction

from exercises.models import ToolKey, Webhook
from exercises.sealed import sealed_anew

#: Every column that holds something sealed; a test holds it against the tables.
SEALED: tuple[tuple[type[Webhook] | type[ToolKey], tuple[str, ...]], ...] = (
    (Webhook, ("secret", "secret_before")),
    (ToolKey, ("private_key",)),
)
#: What is sealed in the plain data of a second step of signing in: of an authenticator app, and of recovery codes.
SEALED_WITHIN = ("secret", "seed")


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
        for step in Authenticator.objects.select_for_update().order_by("pk"):
            within = {name: _text_anew(step.data[name]) for name in SEALED_WITHIN if name in step.data}
            Authenticator.objects.filter(pk=step.pk).update(data={**step.data, **within})
            count += len(within)
    return count


def _text_anew(kept: str) -> str:
    return sealed_anew(kept.encode()).decode()
