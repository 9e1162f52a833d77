"""`manage.py regrade`: mark again what was marked before."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exercises.actions import regrade, requeue
from exercises.models import Problem, Submission


class Command(BaseCommand):
    help = "Mark practice again: verdicts that differ are added, old ones are kept. Attempts in courses are left out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", help="only the submissions on this problem")
        parser.add_argument("--current", action="store_true", help="mark by the problem's current version, not its own")
        parser.add_argument("--preview", action="store_true", help="say what would change, and store nothing")
        parser.add_argument("--ungradable", action="store_true", help="queue again what could not be marked")

    def handle(self, *args: Any, **options: Any) -> None:
        submissions = Submission.objects.all()
        problem = None
        if slug := options["slug"]:
            problem = Problem.objects.filter(slug=slug).select_related("current").first()
            if problem is None:
                raise CommandError(f"There is no problem {slug!r}.")
            submissions = submissions.filter(variant__problem=problem)
        if options["current"] and (problem is None or problem.current is None):
            raise CommandError("Name a problem that has a current version together with --current.")
        if options["ungradable"]:
            self.stdout.write(f"{requeue(submissions)} queued again.")
            return
        version = problem.current if problem and options["current"] else None
        # What an attempt comes to is decided in its course, with a dry run, an entry in the audit trail and a way back:
        # by this command it would lower verdicts that a regrade has kept.
        in_attempts = submissions.filter(variant__attempt_item__isnull=False, state=Submission.State.GRADED).count()
        practised = submissions.filter(variant__attempt_item=None)
        report = regrade(practised, version=version, is_preview=options["preview"])
        for change in report.changes:
            self.stdout.write(f"{change.submission}: {change.before} -> {change.after}")
        self.stdout.write(
            f"{report.looked_at} looked at, {report.changed} changed, {report.unchanged} unchanged, "
            f"{report.unexplained} differ without a reason, {report.failed} could not be marked."
        )
        if in_attempts:
            self.stdout.write(
                f"{in_attempts} left out, which belong to attempts in courses: make a regrade there, under Regrades."
            )
