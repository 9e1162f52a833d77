"""The work of a course for research: what was answered and shown, without whose it was.

Who is who can be told by the key of the export alone, and that is thrown away unless somebody brings one. What is left
of a person is what they did: where fewer than k did the same thing, it is left out or lumped together.
"""

import csv
import datetime as dt
import hashlib
import hmac
import io
import secrets
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import IO, Any

from django.db.models import Count, Min, QuerySet

from exercises import clock
from exercises.actions.privacy.batches import in_batches
from exercises.actions.privacy.erase import ERASED
from exercises.models import Attempt, AttemptItem, Course, Enrolment, Evidence, Grading, ProblemSet, Role
from exercises.refusals import Refused

FEWEST = 5
#: Of a key that somebody brings.
SHORTEST_KEY = 16
_SIGNS = 16
_HOUR = dt.timedelta(hours=1)
RARE = "rare"
TOO_FEW = "Only {count} learners of this course have begun anything: with fewer than {least}, each could be recognised."
SHORT = f"A key has at least {SHORTEST_KEY} bytes."

#: The data dictionary: for each file its columns, in order, with what stands there.
COLUMNS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "attempts.csv": {
            "learner": "pseudonym, the same in all files of one export",
            "attempt": "pseudonym of the attempt",
            "set": "the problem set, numbered in the order of the course",
            "mode": "practice, quiz or exam",
            "number": "the how-manieth attempt of this learner at the set",
            "began_hour": "when it was begun: whole hours since the first attempt of the course",
            "handed_in_hour": "when it was handed in; empty if it was not",
            "is_late": "1 if it was handed in after due",
            "score": "share of the whole, in [0, 1]; empty as long as nothing is marked",
        },
        "marks.csv": {
            "learner": "as above",
            "attempt": "as above",
            "submission": "pseudonym of one answer; it has a row for each step",
            "set": "as above",
            "place": "of the exercise in the attempt, from 1",
            "problem": "name of a problem of the catalogue; a pseudonym for one that was written for the course",
            "hour": "when it was sent, as above",
            "step": "name of the step in the problem",
            "outcome": "right, carried, mistake, wrong, blank or unreadable, by the verdict that counts",
            "note": f"the named mistake or other road taken; “{RARE}” where fewer than k learners took it",
            "credit": "share of the step, in [0, 1]",
            "grader": "version of the grader",
        },
        "evidence.csv": {
            "learner": "as above",
            "attempt": "as above",
            "set": "as above",
            "problem": "as above",
            "step": "as above",
            "skill": "the skill that it speaks about",
            "hour": "when the step was closed, as above",
            "tries": "different answers until then",
            "hints": "hints taken",
            "correctness": "share that was right by the learner's own values",
            "strength": "how much it showed, in [0, 1]",
            "weight": "how much it counts",
            "predicted": "the chance of success that was foreseen",
        },
    }
)


class ResearchRefused(Refused):
    """A course that cannot be given away without giving its people away, or a key that is none."""

    code = "research-refused"


@dataclass
class Researched:
    """What an export came to: rows by file, and what was left out since fewer than k learners did it."""

    learners: int
    rows: dict[str, int] = field(default_factory=dict)
    left_out_sets: int = 0
    left_out_places: int = 0


@dataclass(frozen=True)
class _Scope:
    """What may be told: names by primary key of sets, items and problems that enough learners met, and how people are
    named."""

    pseudonym: Callable[[str, Any], str]
    learners: list[tuple[str, int]]
    sets: Mapping[int, str]
    items: set[int]
    notes: Mapping[tuple[str, str], set[int]]
    least: int
    began: dt.datetime

    def hour(self, at: dt.datetime | None) -> int | str:
        return "" if at is None else (at - self.began) // _HOUR

    def note(self, step: str, note: str) -> str:
        return note if not note or len(self.notes[step, note]) >= self.least else RARE

    def problem(self, item: Any) -> str:
        return str(item.problem.slug) if item.problem.built_in else "own-" + self.pseudonym("problem", item.problem_id)


def research_export(course: Course, file: IO[bytes], *, key: bytes | None = None, least: int = FEWEST) -> Researched:
    """Write the work of a course into a file, as a zip of tables with their dictionary. Attempts of learners alone,
    neither previews nor what was erased. A few queries a learner and file, and flat memory but for the notes there are.
    Raises ResearchRefused."""
    if key is not None and len(key) < SHORTEST_KEY:
        raise ResearchRefused(SHORT)
    scope, report = _scope(course, key or secrets.token_bytes(32), least)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in (("attempts.csv", _attempts), ("marks.csv", _marks), ("evidence.csv", _evidence)):
            with archive.open(name, "w", force_zip64=True) as raw, io.TextIOWrapper(raw, "utf-8", newline="") as text:
                table = csv.DictWriter(text, list(COLUMNS[name]))
                table.writeheader()
                report.rows[name] = 0
                for row in rows(scope):
                    table.writerow(row)
                    report.rows[name] += 1
        archive.writestr("README.md", _dictionary(report, least, is_keyed=key is not None))
    return report


def _scope(course: Course, key: bytes, least: int) -> tuple[_Scope, Researched]:
    def pseudonym(kind: str, pk: Any) -> str:
        return hmac.new(key, f"{kind}:{pk}".encode(), hashlib.sha256).hexdigest()[:_SIGNS]

    own = _own(course)
    people = set(own.values_list("learner_id", flat=True).order_by().distinct())
    if len(people) < least:
        raise ResearchRefused(TOO_FEW.format(count=len(people), least=least))
    met = dict(own.order_by().values_list("problem_set_id").annotate(people=Count("learner", distinct=True)))
    numbered = ProblemSet.objects.filter(course=course, retired=False).order_by("position", "pk")
    sets = {row.pk: f"set-{place}" for place, row in enumerate(numbered, start=1) if met.get(row.pk, 0) >= least}
    places = AttemptItem.objects.filter(attempt__in=own.filter(problem_set__in=list(sets))).order_by()
    items = dict(places.values_list("item_id").annotate(people=Count("attempt__learner", distinct=True)))
    enough = {pk for pk, count in items.items() if count >= least}
    began = own.aggregate(first=Min("began_at"))["first"] or clock.now()
    # In the order of their pseudonyms: that of the tables would tell who came first.
    learners = sorted((pseudonym("learner", pk), pk) for pk in people)
    scope = _Scope(pseudonym, learners, sets, enough, _notes(own, enough), least, began)
    return scope, Researched(len(people), {}, len(met) - len(sets), len(items) - len(enough))


def _own(course: Course) -> QuerySet[Attempt]:
    learners = Enrolment.objects.filter(course=course, role=Role.LEARNER).exclude(user__username__startswith=ERASED)
    return Attempt.objects.filter(problem_set__course=course, is_preview=False, learner__in=learners.values("user"))


def _notes(own: QuerySet[Attempt], items: Iterable[int]) -> Mapping[tuple[str, str], set[int]]:
    """Which learners took which road, by step and note."""
    found: dict[tuple[str, str], set[int]] = defaultdict(set)
    place = "submission__variant__attempt_item__"
    rows = Grading.objects.filter(**{f"{place}attempt__in": own, f"{place}item__in": list(items)})
    for batch in in_batches(rows.select_related("submission").only("verdict", "submission__author_id")):
        for row in batch:
            for step, mark in row.verdict["marks"].items():
                found[step, mark["note"]].add(row.submission.author_id)
    return found


def _attempts(scope: _Scope) -> Iterator[dict[str, Any]]:
    for learner, pk in scope.learners:
        for row in Attempt.objects.filter(
            learner=pk, problem_set__in=list(scope.sets), is_preview=False
        ).select_related("problem_set").order_by("began_at", "pk"):  # fmt: skip
            yield {
                **_of(scope, learner, row), "mode": row.problem_set.mode, "number": row.number,
                "began_hour": scope.hour(row.began_at), "handed_in_hour": scope.hour(row.handed_in_at),
                "is_late": int(row.late_days > 0), "score": _number(row.score),
            }  # fmt: skip


def _marks(scope: _Scope) -> Iterator[dict[str, Any]]:
    place = "submission__variant__attempt_item"
    rows = Grading.objects.select_related("submission", f"{place}__attempt", f"{place}__item__problem")
    for learner, pk in scope.learners:
        counts: dict[int, Any] = {}
        own = rows.filter(submission__author=pk, **_may_be_told(scope, place))
        # Of several verdicts on one answer the latest counts.
        for batch in in_batches(own):
            for row in batch:
                counts[row.submission_id] = row.pk
        latest = set(counts.values())
        for batch in in_batches(own):
            for row in batch:
                if row.pk in latest:
                    yield from _marked(scope, learner, row)


def _marked(scope: _Scope, learner: str, row: Grading) -> Iterator[dict[str, Any]]:
    held: Any = row.submission.variant.attempt_item
    for step, mark in row.verdict["marks"].items():
        yield {
            **_of(scope, learner, held.attempt), "submission": scope.pseudonym("submission", row.submission_id),
            "place": held.position, "problem": scope.problem(held.item), "hour": scope.hour(row.submission.created_at),
            "step": step, "outcome": mark["outcome"], "note": scope.note(step, mark["note"]),
            "credit": mark["credit"], "grader": row.grader_version,
        }  # fmt: skip


def _evidence(scope: _Scope) -> Iterator[dict[str, Any]]:
    place = "variant__attempt_item"
    rows = Evidence.objects.select_related(f"{place}__attempt", f"{place}__item__problem")
    for learner, pk in scope.learners:
        latest: dict[tuple[int, str], Evidence] = {}
        for row in rows.filter(learner=pk, **_may_be_told(scope, place)).order_by("revision", "pk"):
            latest[row.variant_id, row.step] = row
        for row in latest.values():
            held: Any = row.variant.attempt_item
            yield {
                **_of(scope, learner, held.attempt), "problem": scope.problem(held.item), "step": row.step,
                "skill": row.skill, "hour": scope.hour(row.closed_at), "tries": row.tries, "hints": row.hints,
                "correctness": _number(row.correctness), "strength": _number(row.e), "weight": _number(row.w),
                "predicted": _number(row.predicted),
            }  # fmt: skip


def _may_be_told(scope: _Scope, place: str) -> dict[str, Any]:
    return {
        f"{place}__item__in": list(scope.items), f"{place}__attempt__problem_set__in": list(scope.sets),
        f"{place}__attempt__is_preview": False,
    }  # fmt: skip


def _of(scope: _Scope, learner: str, attempt: Attempt) -> dict[str, Any]:
    return {
        "learner": learner, "attempt": scope.pseudonym("attempt", attempt.pk), "set": scope.sets[attempt.problem_set_id]
    }  # fmt: skip


def _number(value: Any) -> str:
    return "" if value is None else f"{float(value):.4f}"


def _dictionary(report: Researched, least: int, *, is_keyed: bool) -> str:
    whose = "whoever asked for this export keeps." if is_keyed else "was thrown away: nobody can undo them."
    left_out = f"{report.left_out_sets} problem sets and {report.left_out_places} exercises of others"
    lines = [
        "# Work of one course, without names",
        "",
        f"{report.learners} learners. Left out, since fewer than {least} learners met them: {left_out}.",
        f"Pseudonyms are made with a key that {whose}",
        "What was typed, names, titles and dates are not in it.",
        "It stays data about people: somebody who knows what one of them did, and when, may find them.",
        "Give it to nobody who has not promised to leave that alone.",
    ]
    for name, columns in COLUMNS.items():
        lines += ["", f"## {name}: {report.rows[name]} rows", "", "| Column | What stands there |", "| --- | --- |"]
        lines += [f"| `{column}` | {says} |" for column, says in columns.items()]
    return "\n".join(lines) + "\n"
