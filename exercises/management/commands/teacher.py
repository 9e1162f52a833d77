"""`manage.py teacher NAME`: let somebody see fault reports, what could not be marked, and every learner's work."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exercises.actions import set_instructor
from exercises.refusals import UnknownUser


class Command(BaseCommand):
    help = "Make somebody who has signed up a teacher, or with --remove a learner again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the user name they sign in with")
        parser.add_argument("--remove", action="store_true", help="from now on they are a learner like others")

    def handle(self, *args: Any, **options: Any) -> None:
        is_instructor = not options["remove"]
        try:
            is_changed = set_instructor(name=options["name"], is_instructor=is_instructor)
        except UnknownUser as refused:
            raise CommandError(refused.message) from None
        word = "a teacher" if is_instructor else "a learner"
        self.stdout.write(f"{options['name']} is {word} {'now' if is_changed else 'already'}.")
