"""Entering many copies at once, from a table."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db import transaction

from exercises.actions.paper.entering import enter_paper
from exercises.courses.local_time import LocalTimeError, read_local
from exercises.courses.paper_csv import PaperRow, read_paper
from exercises.courses.rights import Right, roles_with
from exercises.models import Enrolment, PaperCopy, PaperRun, User
from exercises.refusals import Refused


@dataclass(frozen=True)
class ImportedRow:
    """One line of the table: the copy and the learner it names, how many exercises it answers, or what is wrong."""

    line: int
    code: str
    learner: str
    answered: int
    fault: str = ""


class _DryRun(Exception):
    """Takes back what a dry run entered."""


def enter_table(
    *, run: PaperRun, text: str, entered_by: User, locale: str = "en", is_preview: bool = False
) -> list[ImportedRow]:
    """Enter every row that is in order, each by itself; what is wrong with the others is said, and blocks nothing else.

    ``is_preview`` does the same and takes all of it back. Raises TableRefused for a text that is no such table.
    """
    rows = read_paper(text)
    course = run.problem_set.course
    copies = {copy.code: copy for copy in PaperCopy.objects.filter(run=run, code__in={row.code for row in rows})}
    for copy in copies.values():
        copy.run = run
    people = _people(course.pk)
    return [_entered(row, copies, people, entered_by, locale, course.time_zone, is_preview) for row in rows]


def _people(course: int) -> dict[str, list[User]]:
    """Who may be meant by a name, an e-mail address or a number of the institution, in small letters."""
    found: dict[str, list[User]] = {}
    rows = Enrolment.objects.filter(course=course, dropped_at=None, role__in=roles_with(Right.SIT))
    for row in rows.select_related("user"):
        for name in {row.user.username.casefold(), row.user.email.casefold(), row.external_id.casefold()} - {""}:
            found.setdefault(name, []).append(row.user)
    return found


def _entered(
    row: PaperRow,
    copies: Mapping[str, PaperCopy],
    people: Mapping[str, list[User]],
    entered_by: User,
    locale: str,
    zone: str,
    is_preview: bool,
) -> ImportedRow:
    fault = row.fault
    meant = people.get(row.learner.casefold(), [])
    if not fault and row.code not in copies:
        fault = "This code is not of these copies: they may belong to another print."
    if not fault and len(meant) != 1:
        fault = (
            f"{row.learner[:60]!r} fits more than one learner: write the user name."
            if meant
            else f"No learner of the course is called {row.learner[:60]!r}."
        )
    if not fault:
        try:
            written_at = _moment(row.written_at, zone)
            with transaction.atomic():
                enter_paper(
                    copy=copies[row.code],
                    learner=meant[0],
                    answers=row.answers,
                    entered_by=entered_by,
                    written_at=written_at,
                    locale=locale,
                )
                if is_preview:
                    raise _DryRun
        except _DryRun:
            copies[row.code].attempt = None
        except LocalTimeError as error:
            fault = str(error)
        except Refused as refused:
            fault = refused.message
    return ImportedRow(row.line, row.code, row.learner, len(row.answers), fault)


def _moment(text: str, zone: str) -> dt.datetime | None:
    """A day alone is its noon: no grace of the rules hangs on the hour of a paper."""
    said = text.strip()
    if len(said) == len("2026-11-30"):
        try:
            return dt.datetime.fromisoformat(said).replace(hour=12, tzinfo=ZoneInfo(zone))
        except ValueError:
            raise LocalTimeError(f"{said!r} is no day: write it as 2026-11-30.") from None
    return read_local(said, zone)
