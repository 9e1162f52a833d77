"""`manage.py sync_catalogue`: the built-in problems and decks of flashcards into the database."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exercises.actions import Synced, sync_catalogue, sync_decks


class Command(BaseCommand):
    help = "Bring problems and decks in the database in step with the files of the catalogue. Safe to run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--strict", action="store_true", help="fail if a file is broken, once everything else is in place"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        problems, decks = sync_catalogue(), sync_decks()
        self._tell(problems, "problems")
        self._tell(decks, "decks")
        if (problems.faults or decks.faults) and options["strict"]:
            raise CommandError("Mend the broken files; every other problem and deck is in place.")

    def _tell(self, report: Synced, what: str) -> None:
        for word in ("added", "changed", "retired"):
            for slug in getattr(report, word):
                self.stdout.write(f"{word:8} {slug}")
        for slug, fault in report.faults.items():
            self.stderr.write(self.style.ERROR(f"broken   {slug}: {fault}"))
        self.stdout.write(
            f"{what}: {len(report.added)} added, {len(report.changed)} changed, {len(report.unchanged)} unchanged, "
            f"{len(report.retired)} retired, {len(report.faults)} broken."
        )
