"""Bring a database and the static files up to date with the code, so that the processes can start."""

import hashlib
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand

STAMP = ".collected-from"


class Command(BaseCommand):
    help = "Migrate, load the catalogue and collect the static files. Safe to repeat; does nothing twice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-static", action="store_true", help="leave the static files: an image holds its own")
        parser.add_argument("--demo", action="store_true", help="also make the demo world and print its logins")

    def handle(self, *args: Any, **options: Any) -> None:
        settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
        call_command("migrate", interactive=False, verbosity=0)
        self.stdout.write("Database: migrated.")
        # A broken file is told, and keeps the other problems from nobody; `make check` is where it fails.
        call_command("sync_catalogue", stdout=self.stdout, stderr=self.stderr)
        if not options["no_static"]:
            self._collect_static()
        if options["demo"]:
            call_command("demo_world", stdout=self.stdout)

    def _collect_static(self) -> None:
        root = Path(settings.STATIC_ROOT)
        stamp = root / STAMP
        state = _state_of_sources()
        if stamp.is_file() and stamp.read_text() == state:
            return
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        stamp.write_text(state)
        self.stdout.write("Static files: collected.")


def _state_of_sources() -> str:
    """Changes whenever a static file of any room or package does."""
    lines = sorted(f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in _sources())
    lines.append(settings.STORAGES["staticfiles"]["BACKEND"])
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _sources() -> Iterator[Path]:
    for finder in get_finders():
        for name, storage in finder.list(ignore_patterns=[]):
            yield Path(storage.path(name))
