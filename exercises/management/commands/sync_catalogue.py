"""`manage.py sync_catalogue`: the built-in problems into the database."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exercises.actions import sync_catalogue


class Command(BaseCommand):
    help = "Bring the problems in the database in step with the files of the catalogue. Safe to run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--strict", action="store_true", help="fail if a file is broken, once everything else is in place"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        report = sync_catalogue()
        for word in ("added", "changed", "retired"):
            for slug in getattr(report, word):
                self.stdout.write(f"{word:8} {slug}")
        for slug, fault in report.faults.items():
            self.stderr.write(self.style.ERROR(f"broken   {slug}: {fault}"))
        self.stdout.write(
            f"{len(report.added)} added, {len(report.changed)} changed, {len(report.unchanged)} unchanged, "
            f"{len(report.retired)} retired, {len(report.faults)} broken."
        )
        if report.faults and options["strict"]:
            raise CommandError("Mend the broken files; every other problem is in place.")
