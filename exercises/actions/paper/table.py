"""Entering many copies at once, from a table."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db import transaction

from exercises.actions.paper.entering import entered, keep_entered
from exercises.course_rules import zone_of
from exercises.courses.local_time import LocalTimeError, read_local
from exercises.courses.paper_csv import PaperRow, read_paper
from exercises.models import Enrolment, PaperCopy, PaperRun, User
from exercises.queries.people import Known, NotOne, learners_known
from exercises.refusals import Refused

#: Rows of one transaction: so many people wait for each other at most.
BATCH = 50


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


@dataclass(frozen=True)
class _Table:
    """What every row is read against."""

    copies: Mapping[str, PaperCopy]
    people: Known
    entered_by: User
    locale: str
    zone: str


def enter_table(
    *, run: PaperRun, text: str, entered_by: User, locale: str = "en", is_preview: bool = False
) -> list[ImportedRow]:
    """Enter every row that is in order; what is wrong with the others is said, and blocks nothing else.

    So many rows are one transaction, in which scores are worked out once. ``is_preview`` does the same, without the
    scores, and takes all of it back. Raises TableRefused for a text that is no such table.
    """
    rows = read_paper(text)
    course = run.problem_set.course
    copies = {copy.code: copy for copy in PaperCopy.objects.filter(run=run, code__in={row.code for row in rows})}
    for copy in copies.values():
        copy.run = run
    table = _Table(copies, learners_known(course), entered_by, locale, zone_of(course))
    done: list[ImportedRow] = []
    for start in range(0, len(rows), BATCH):
        done += _batch(rows[start : start + BATCH], table, is_preview=is_preview)
    return done


def _batch(rows: Sequence[PaperRow], table: _Table, *, is_preview: bool) -> list[ImportedRow]:
    done: list[ImportedRow] = []
    attempts: list[int] = []
    try:
        with transaction.atomic():
            _hold(rows, table)
            for row in rows:
                fault = row.fault or _entered(row, table, attempts)
                done.append(ImportedRow(row.line, row.code, row.learner, len(row.answers), fault))
            if is_preview:
                raise _DryRun
            if attempts:
                keep_entered(attempts)
    except _DryRun:
        pass
    return done


def _hold(rows: Sequence[PaperRow], table: _Table) -> None:
    """Take the copies and then the enrolments of these rows in one order, so that two tables at once never wait for
    each other. Two queries."""
    copies = [table.copies[row.code].pk for row in rows if row.code in table.copies]
    list(PaperCopy.objects.select_for_update(no_key=True).filter(pk__in=copies).order_by("pk").values_list("pk"))
    meant = {one.pk for row in rows for one in table.people.called(row.learner, row.learner, row.learner)}
    list(Enrolment.objects.select_for_update(no_key=True).filter(pk__in=meant).order_by("pk").values_list("pk"))


def _entered(row: PaperRow, table: _Table, attempts: list[int]) -> str:
    """Enter one row, and note its attempt; what is wrong with it, in which case nothing of it is kept."""
    copy = table.copies.get(row.code)
    if copy is None:
        return "This code is not of these copies: they may belong to another print."
    try:
        with transaction.atomic():
            attempt = entered(
                copy=copy,
                learner=table.people.one(row.learner).user,
                answers=row.answers,
                entered_by=table.entered_by,
                written_at=_moment(row.written_at, table.zone),
                locale=table.locale,
            )
    except (LocalTimeError, NotOne) as error:
        return str(error)
    except Refused as refused:
        return refused.message
    attempts.append(attempt.pk)
    return ""


def _moment(text: str, zone: str) -> dt.datetime | None:
    """A day alone is its noon: no grace of the rules hangs on the hour of a paper."""
    said = text.strip()
    if len(said) == len("2026-11-30"):
        try:
            return dt.datetime.fromisoformat(said).replace(hour=12, tzinfo=ZoneInfo(zone))
        except ValueError:
            raise LocalTimeError(f"{said!r} is no day: write it as 2026-11-30.") from None
    return read_local(said, zone)
