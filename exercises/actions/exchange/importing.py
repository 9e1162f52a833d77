"""Files that come in: our own, Moodle XML, GIFT. All of it or nothing, after a dry run that says of each entry what
becomes of it."""

import time
from dataclasses import dataclass, field

from django.db import transaction

from exercises import catalogue
from exercises.actions.authoring.problems import begin_problem
from exercises.actions.authoring.refused import AuthoringRefused
from exercises.actions.catalogue import MOST_TITLE
from exercises.actions.exchange.known import Known, keep_origins
from exercises.actions.exchange.refused import ExchangeRefused
from exercises.actions.exchange.sets import bring_set
from exercises.actions.person_lock import lock_person
from exercises.actions.sets.refusals import SetRefused
from exercises.actions.sets.versions import admit_check
from exercises.exchange.incoming import Incoming, incoming
from exercises.exchange.own.bundle import Authored, BundledSet, Head
from exercises.exchange.report import Entry, Report
from exercises.exchange.starting import Start
from exercises.models import Course, Problem, ProblemSet, ProblemVersion, User

HERE = "It is here already{where}: nothing is copied."
DRAFT = "A draft of yours: look at it, and publish it."
NO_COURSE = "a set comes into a course that you manage: choose one, and look at the file again."
#: For how long an import holds its author's row and the addresses that it takes: whoever wants one of them waits.
SECONDS = 8.0
TOO_LONG = "taking the file over took too long before it was reached: divide the file, and import the parts."


@dataclass
class Imported:
    """What a file brought, or would bring: ``report`` names each entry."""

    report: Report
    problems: list[Problem] = field(default_factory=list)
    sets: list[ProblemSet] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether it can be taken over: nothing in it is faulty."""
        return not self.report.faults


def import_file(
    *,
    author: User,
    content: bytes,
    name: str = "",
    into: Course | None = None,
    skill: str = "",
    is_preview: bool = True,
) -> Imported:
    """Take a file over: problems as drafts of the author's own, sets as drafts of ``into``, a course that they manage,
    and without one not at all.

    What is here already, in the same words, is not copied. ``skill`` is what questions of other systems are taken to
    train, the first one of the map if left out. With ``is_preview`` everything is done and undone again, so that the
    report says exactly what would happen. Where any entry is faulty nothing is kept.

    Raises ExchangeRefused for a file of which nothing can be read, and for somebody who writes no problems.
    """
    if not author.is_instructor:
        raise ExchangeRefused("Only teachers bring problems in. Ask those who run the service to make you one.")
    skills = [one.id for one in catalogue.skills()]
    read = incoming(content, name, skill if skill in skills else skills[0])
    if read.refused:
        raise ExchangeRefused(read.refused)
    if not is_preview:
        _admit_checks(author, read, into)
    with transaction.atomic():
        # One file of one author at a time: of a double click the second finds what the first brought.
        lock_person(author)
        imported = _taken(author, read, into)
        if is_preview or not imported.is_sound:
            transaction.set_rollback(True)
    if not is_preview and not imported.is_sound:
        raise ExchangeRefused("Nothing was imported: mend what is marked, and send the file again.", imported.report)
    return imported


def _admit_checks(author: User, read: Incoming, into: Course | None) -> None:
    """Count the checks of what sets have adapted as one for each set: they take turns in the background. Raises
    ExchangeRefused for too many."""
    sets = read.bundle.sets if into is not None else ()
    try:
        for _ in (one for one in sets if any(item.adaptation for item in one.items)):
            admit_check(author)
    except SetRefused as refused:
        raise ExchangeRefused(refused.message) from refused


def _taken(author: User, read: Incoming, into: Course | None) -> Imported:
    entries = list(read.faults)
    imported = Imported(Report(read.heading, notes=read.notes))
    known, ends = Known(author), time.monotonic() + SECONDS
    known.look_up(_digests(read))
    brought: list[Authored | Start | Entry | BundledSet] = [*read.bundle.problems, *read.questions, *read.bundle.sets]
    for one in brought:
        if isinstance(one, Entry):
            entries.append(one)
        elif time.monotonic() > ends:
            entries.append(Entry(one.details.title if isinstance(one, BundledSet) else one.title, fault=TOO_LONG))
        elif isinstance(one, BundledSet):
            entries.append(_set(author, one, into, known, imported))
        elif isinstance(one, Authored):
            entries.append(_problem(author, one, known, imported))
        else:
            entries.append(_started(author, one, known, imported))
    imported.report = Report(read.heading, tuple(entries), read.notes)
    return imported


def _digests(read: Incoming) -> list[str]:
    """Of everything that may be here already."""
    problems = read.bundle.problems
    origins = [origin.digest for one in problems for origin in one.origins]
    return [*(one.digest for one in problems), *(one.digest for one in read.starts), *origins]


def _set(author: User, bundled: BundledSet, into: Course | None, known: Known, imported: Imported) -> Entry:
    title = bundled.details.title
    if into is None:
        return Entry(title, left=NO_COURSE)
    try:
        with transaction.atomic():
            made, lost = bring_set(actor=author, course=into, bundled=bundled, known=known)
    except SetRefused as refused:
        return Entry(title, fault="; ".join(refused.faults.values()) or refused.message)
    imported.sets.append(made)
    return Entry(title, f"A draft of a set in {into.title}: look at its times.", lost)


def _problem(author: User, authored: Authored, known: Known, imported: Imported) -> Entry:
    """One problem of our own file: the one that is here, or a draft with its ancestry."""
    if there := known.current(authored.digest):
        return Entry(authored.title, HERE.format(where=_where(author, there)))
    try:
        origin = keep_origins(author, authored.origins, known)
        made = _begun(author, authored.head, authored.source, authored.licence, origin)
    except AuthoringRefused as refused:
        return Entry(authored.title, fault=refused.message)
    known.add(authored.digest, made)
    imported.problems.append(made)
    return Entry(authored.title, DRAFT)


def _started(author: User, start: Start, known: Known, imported: Imported) -> Entry:
    if there := known.current(start.digest):
        return Entry(start.title, HERE.format(where=_where(author, there)))
    try:
        made = _begun(author, Head(start.title, start.skills, start.summary), start.source, "", None)
    except AuthoringRefused as refused:
        return Entry(start.title, fault=refused.message)
    known.add(start.digest, made)
    imported.problems.append(made)
    return Entry(start.title, DRAFT, start.lost)


def _begun(author: User, head: Head, source: str, licence: str, origin: ProblemVersion | None) -> Problem:
    words = "".join(sign for sign in head.title if sign.isprintable())[:MOST_TITLE].strip() or "Imported"
    return begin_problem(
        author=author, title=words, source=source, licence=licence, forked_from=origin, skills=head.skills,
        summary=head.summary,
    )  # fmt: skip


def _where(author: User, problem: Problem) -> str:
    if problem.owner_id == author.pk:
        return " among your own problems"
    return ", built in" if problem.owner_id is None else ", shared by its author"
