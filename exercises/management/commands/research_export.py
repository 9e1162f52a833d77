"""`manage.py research_export COURSE FILE`: the work of a course for research, without whose it was."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from exercises.actions.privacy.research import FEWEST, ResearchRefused, research_export
from exercises.management.output import is_output, opened
from exercises.models import Course


class Command(BaseCommand):
    help = "Write attempts, marks and evidence of a course as tables, under pseudonyms and without what was typed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("course", help="the id of the course, as in the address of its page")
        parser.add_argument("file", help="the zip that is written, which must not be there yet; - is the output")
        parser.add_argument(
            "--key", help="a file with the key of the pseudonyms, so that another export has the same; else a new one"
        )
        parser.add_argument(
            "--least", type=int, default=FEWEST, help="leave out what fewer learners than this met (at least 2)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        course, file, least = _course(options["course"]), Path(options["file"]), options["least"]
        if least < 2:
            raise CommandError("With fewer than 2 everybody stands alone.")
        try:
            key = Path(options["key"]).read_bytes().strip() if options["key"] else None
            # Under pseudonyms, and still about people.
            with opened(file) as target:
                done = research_export(course, target, key=key, least=least)
        except OSError as error:
            raise CommandError(f"{error.filename or file} cannot be used: {error.strerror}.") from None
        except ResearchRefused as refused:
            if not is_output(file):
                file.unlink()
            raise CommandError(refused.message) from None
        rows = ", ".join(f"{count:,} rows of {name}" for name, count in done.rows.items())
        told = self.stderr if is_output(file) else self.stdout
        told.write(f"{file}: {done.learners} learners, {rows}.")
        told.write(f"Left out: {done.left_out_sets} sets and {done.left_out_places} exercises too few met.")


def _course(said: str) -> Course:
    try:
        return Course.objects.get(public_id=said)
    except (Course.DoesNotExist, ValidationError, ValueError):
        raise CommandError(f"There is no course {said!r}: its id stands in the address of its page.") from None
