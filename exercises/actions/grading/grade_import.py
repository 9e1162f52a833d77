"""Grades out of a file, as scores set by hand: first what it would change, then all of it or nothing."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from django.db import transaction

from exercises.actions.courses.locks import hold_enrolments
from exercises.actions.grading.moves import BATCH, MOST_LISTED
from exercises.actions.grading.overrides import Given, set_overrides
from exercises.actions.grading.places import keys_of_places
from exercises.actions.grading.refusals import ChangedMeanwhile, checked_reason
from exercises.actions.scores import hold_all, keep_scores
from exercises.courses.cells import Fault
from exercises.courses.grade_csv import MOST_FAULTS, GradeFile, GradeRow, is_said_by, read, read_percent
from exercises.models import Attempt, Course, Enrolment, ProblemSet, User
from exercises.queries.grade_roster import Wanted, learners_of, name_of
from exercises.queries.gradebook import book_rows, key_of
from exercises.queries.people import Known

#: Scores that one file may change.
MOST_CHANGES = 5_000


@dataclass(frozen=True)
class Planned:
    """One score that the file changes: whose, of which set, from what to what; None is none yet."""

    line: int
    enrolment: Enrolment
    problem_set: ProblemSet
    before: Fraction | None
    after: Fraction

    @property
    def name(self) -> str:
        """Whose it is."""
        return name_of(self.enrolment)

    @property
    def is_lower(self) -> bool:
        """Whether the learner loses by it."""
        return self.before is not None and self.after < self.before


@dataclass(frozen=True)
class Imported:
    """What a file comes to. With ``faults`` nothing can be applied.

    ``digest`` stands for the changes: sent back, it says that exactly these were seen. ``listed`` are the first of
    them, ``unchanged`` the cells that say what is there already.
    """

    faults: tuple[Fault, ...] = ()
    changed: int = 0
    lowered: int = 0
    unchanged: int = 0
    listed: tuple[Planned, ...] = ()
    ignored: tuple[str, ...] = ()
    digest: str = ""
    is_applied: bool = False


@dataclass
class _Plan:
    changes: list[Planned]
    faults: list[Fault]
    unchanged: int = 0

    @property
    def digest(self) -> str:
        """Of what would change, in hex."""
        said = [f"{one.enrolment.pk} {one.problem_set.pk} {one.before} {one.after}" for one in self.changes]
        return sha256("\n".join(said).encode()).hexdigest()


def import_grades(
    *,
    actor: User,
    course: Course,
    sets: Sequence[ProblemSet],
    text: str,
    reason: str = "",
    is_preview: bool = True,
    seen: str = "",
) -> Imported:
    """Read a file of grades of these sets, which come as from ``gradebook.sets_of``, and set every score that is other
    than the grade book's by hand, with one reason. A cell that is empty or says what is there changes nothing.

    With ``is_preview``, or where anything is wrong with the file, nothing is kept. It is applied as a whole, in one
    transaction with its entries in the audit trail. ``seen`` is the digest of the dry run: sent twice, it is applied
    once. Raises GradeRefused without a reason, ChangedMeanwhile where it would change other scores than were seen.
    """
    known = {key_of(one): one for one in sets}
    file = read(text, known)
    if is_preview or file.faults:
        return _told(file, _planned(course, known, file), is_applied=False)
    said = checked_reason(reason)
    with transaction.atomic():
        # As a single override takes the learner's: before any attempt.
        hold_enrolments(course)
        plan = _planned(course, known, file)
        if plan.changes and not plan.faults:
            if plan.digest != seen:
                raise ChangedMeanwhile(
                    "Scores have changed since this was shown, so the file would change others. Nothing was kept: "
                    "look at what it would change now."
                )
            _apply(plan.changes, actor, said)
        return _told(file, plan, is_applied=not plan.faults)


def _told(file: GradeFile, plan: _Plan, *, is_applied: bool) -> Imported:
    return Imported(
        faults=tuple(plan.faults),
        changed=len(plan.changes),
        lowered=sum(one.is_lower for one in plan.changes),
        unchanged=plan.unchanged,
        listed=tuple(plan.changes[:MOST_LISTED]),
        ignored=file.ignored,
        digest=plan.digest,
        is_applied=is_applied,
    )


def _planned(course: Course, known: Mapping[str, ProblemSet], file: GradeFile) -> _Plan:
    """What the file would change, read against the grade book in batches."""
    plan = _Plan([], list(file.faults))
    sets = [known[key] for key in file.keys]
    matched = _matched(course, file.rows, plan.faults)
    for start in range(0, len(matched), BATCH):
        batch = matched[start : start + BATCH]
        for (row, enrolment), stands in zip(batch, book_rows(sets, [who for _, who in batch]), strict=True):
            for cell, problem_set, now in zip(row.cells, sets, stands.cells, strict=True):
                _plan_cell(plan, row, enrolment, problem_set, cell, now.score)
        if len(plan.faults) >= MOST_FAULTS or len(plan.changes) > MOST_CHANGES:
            break
    if len(plan.changes) > MOST_CHANGES:
        plan.faults.append(Fault(1, f"This file changes more than {MOST_CHANGES:,} scores: divide it."))
    plan.faults.sort(key=lambda fault: fault.line)
    return plan


def _plan_cell(
    plan: _Plan, row: GradeRow, enrolment: Enrolment, problem_set: ProblemSet, cell: str, now: Fraction | None
) -> None:
    if not cell or is_said_by(cell, now):
        plan.unchanged += 1
        return
    try:
        share = read_percent(cell)
    except ValueError as error:
        plan.faults.append(Fault(row.line, f"{problem_set.title}: {error}"))
        return
    plan.changes.append(Planned(row.line, enrolment, problem_set, now, share))


def _matched(course: Course, rows: Sequence[GradeRow], faults: list[Fault]) -> list[tuple[GradeRow, Enrolment]]:
    """The rows with whom they are about; who is nobody, two people, or there twice is a fault.

    By user name, else by email, else by external id. One query.
    """
    known = Known(learners_of(course, Wanted(with_dropped=True)))
    found: list[tuple[GradeRow, Enrolment]] = []
    lines: dict[int, int] = {}
    for row in rows:
        meant = known.called(row.username, row.email, row.external_id)
        if len(meant) != 1:
            told = ", ".join(filter(None, (row.username, row.email, row.external_id)))[:120]
            words = "means several learners" if meant else "is no learner of this course"
            faults.append(Fault(row.line, f"{told} {words}. Correct the row, or take it out."))
        elif meant[0].pk in lines:
            words = f"is in line {lines[meant[0].pk]} already. Keep one of the two."
            faults.append(Fault(row.line, f"{name_of(meant[0])} {words}"))
        else:
            lines[meant[0].pk] = row.line
            found.append((row, meant[0]))
    return found


def _apply(changes: Sequence[Planned], actor: User, reason: str) -> None:
    by_set: dict[int, list[Planned]] = defaultdict(list)
    for one in changes:
        by_set[one.problem_set.pk].append(one)
    learners = sorted({one.enrolment.user_id for one in changes})
    hold_all(Attempt.objects.filter(problem_set__in=by_set, learner__any_of=learners, is_preview=False))
    for planned in by_set.values():
        for start in range(0, len(planned), BATCH):
            batch = planned[start : start + BATCH]
            given = [Given(one.problem_set, one.enrolment, one.after) for one in batch]
            set_overrides(given, actor=actor, reason=reason)
            keep_scores(keys_of_places(batch[0].problem_set, [one.enrolment.user_id for one in batch], None))
