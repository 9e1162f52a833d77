"""`manage.py rebuild_mastery`: make mastery anew from evidence."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exercises.actions.rebuild import complete_variants, rebuild_evidence, rebuild_mastery
from exercises.models import User


class Command(BaseCommand):
    help = "Fold mastery anew from the evidence of closed steps; it should always come out as it stands in the table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; say what differs, and exit with 1")
        parser.add_argument("--learner", help="only this one, by user name")
        parser.add_argument(
            "--evidence", action="store_true", help="before that, derive the evidence anew from what was graded"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        learner = None
        if name := options["learner"]:
            learner = User.objects.filter(username=name).first()
            if learner is None:
                raise CommandError(f"Nobody here has the name {name!r}.")
        is_check, missing, wrong = options["check"], 0, 0
        if options["evidence"] and not is_check:
            self.stdout.write(f"{complete_variants()} variants of earlier versions completed.")
        if options["evidence"]:
            missing = rebuild_evidence(learner, is_check=is_check)
            self.stdout.write(f"{missing} closed steps {'are missing or say something else' if is_check else 'added'}.")
        names: dict[int, str] = {}
        for pk, skill in rebuild_mastery(learner, is_check=is_check):
            if pk not in names:
                names = {pk: User.objects.get(pk=pk).username}
            self.stdout.write(f"{names[pk]}: {skill} {'differs' if is_check else 'mended'}.")
            wrong += 1
        self.stdout.write(f"{wrong} skills {'differ from' if is_check else 'were mended by'} their evidence.")
        if is_check and (wrong or missing):
            sys.exit(1)
