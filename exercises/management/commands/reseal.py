"""`manage.py reseal`: keep all stored secrets by the SECRET_KEY of today."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from exercises.actions.reseal import reseal
from exercises.sealed import SealBroken


class Command(BaseCommand):
    help = (
        "Seal the secrets of webhooks and of second steps of signing in and the keys of the LTI tool by SECRET_KEY, "
        "after which its fallbacks may go."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.SECRET_KEY_GIVEN:
            # By a key that was made up for this one command nothing could ever be read again.
            raise CommandError("Nothing was changed. SECRET_KEY is not set: give it as the service is given it.")
        try:
            self.stdout.write(f"{reseal()} secrets are kept by SECRET_KEY.")
        except SealBroken as broken:
            raise CommandError(f"Nothing was changed. {broken}") from broken
