"""`manage.py person`: what is kept about one person, as a file; taking them out; who is gone; who lost a phone."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exercises.actions.privacy import ErasureRefused, erase_person, export_of
from exercises.actions.second_step import remove_second_step
from exercises.management.output import is_output, opened
from exercises.models import User
from exercises.queries.personal import idle_accounts
from exercises.refusals import UnknownUser


class Command(BaseCommand):
    help = (
        "Write down everything that is kept about one person, erase them, list accounts that nobody uses, or take "
        "away a second step of signing in."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        ways = parser.add_subparsers(dest="way", required=True)
        export = ways.add_parser("export", help="everything that is kept about one person, as a zip")
        export.add_argument("name", help="the user name they sign in with")
        export.add_argument("file", help="where it is written, which must not be there yet; - is the output")
        erase = ways.add_parser("erase", help="take one person out; what a course has to keep stays without a name")
        erase.add_argument("name", help="the user name they sign in with")
        erase.add_argument("--reason", required=True, help="for the audit trail of their courses")
        erase.add_argument(
            "--answers", choices=("remove", "keep"), default="remove", help="what becomes of the answers they typed"
        )
        erase.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
        idle = ways.add_parser("idle", help="list accounts that nobody has used for some years; nothing is erased")
        idle.add_argument("--years", type=float, required=True)
        lost = ways.add_parser("remove-second-step", help="let somebody who lost it in by the password alone")
        lost.add_argument("name", help="the user name they sign in with")
        lost.add_argument("--reason", required=True, help="how you know who asked; for the audit trail")

    def handle(self, *args: Any, **options: Any) -> None:
        match options["way"]:
            case "export":
                self._export(_person(options["name"]), Path(options["file"]))
            case "erase":
                self._erase(_person(options["name"]), **options)
            case "remove-second-step":
                self._remove_second_step(options["name"], options["reason"])
            case _:
                self._idle(options["years"])

    def _export(self, person: User, file: Path) -> None:
        try:
            with opened(file) as target:
                for part in export_of(person):
                    target.write(part)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        if not is_output(file):
            self.stdout.write(f"{file}: {file.stat().st_size:,} bytes.")

    def _erase(self, person: User, *, reason: str, answers: str, dry_run: bool, **_: Any) -> None:
        name = person.username
        try:
            done = erase_person(person=person, reason=reason, keeps_answers=answers == "keep", is_dry_run=dry_run)
        except ErasureRefused as refused:
            raise CommandError(refused.message) from None
        for kind, count in sorted(done.counts.items()):
            self.stdout.write(f"{count:>8,} {kind}")
        if dry_run:
            stays = f"The account would stay, without a name, in {done.courses} courses." if done.name else ""
            self.stdout.write(f"Nothing was done. {stays or 'Nothing of the account would be left.'}")
        elif done.name:
            self.stdout.write(f"{name} is erased. What {done.courses} courses keep is under {done.name} now.")
        else:
            self.stdout.write(f"{name} is erased. Nothing of the account is left.")

    def _remove_second_step(self, name: str, reason: str) -> None:
        try:
            is_removed = remove_second_step(name=name, reason=reason)
        except UnknownUser as refused:
            raise CommandError(refused.message) from None
        said = "signs in by the password alone from now on" if is_removed else "has no second step"
        self.stdout.write(f"{name} {said}.")

    def _idle(self, years: float) -> None:
        if years <= 0:
            raise CommandError("Say how many years, such as --years 3.")
        count = 0
        for user in idle_accounts(years).iterator():
            last = f"{user.last_login:%Y-%m-%d}" if user.last_login else "never"
            self.stdout.write(f"{user.username}: made {user.date_joined:%Y-%m-%d}, signed in last {last}")
            count += 1
        self.stdout.write(f"{count} accounts were not used for {years:g} years.")


def _person(name: str) -> User:
    found = User.objects.filter(username=name).first()
    if found is None:
        raise CommandError(f"Nobody here has the name {name!r}. User names are told apart by upper and lower case.")
    return found
