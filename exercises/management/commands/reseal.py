"""`manage.py reseal`: keep all stored secrets by the SECRET_KEY of today."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exercises.actions.reseal import reseal
from exercises.sealed import SealBroken


class Command(BaseCommand):
    help = (
        "Seal the secrets of webhooks and of second steps of signing in and the keys of the LTI tool by SECRET_KEY, "
        "after which its fallbacks may go."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(f"{reseal()} secrets are kept by SECRET_KEY.")
        except SealBroken as broken:
            raise CommandError(f"Nothing was changed. {broken}") from broken
