"""Telling what happened to whoever follows a course: in the transaction of what happened, so that both are kept."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from exercises import clock
from exercises.bulk import write
from exercises.courses.events import KINDS, OF_DEED
from exercises.models import Attempt, AttemptItem, AuditEntry, Event, Submission
from grader.verdict import Verdict


def tell(
    kind: str, *, course: int, actor: int | None = None, learner: int | None = None, data: Mapping[str, Any]
) -> None:
    """Write one event, inside the transaction of what happened. ``data`` is plain and names public ids only; it holds
    neither keys nor seeds. One query. Raises ValueError for a kind that ``exercises.courses.events`` does not know."""
    _write([(kind, course, actor, learner, data)])


def tell_deeds(entries: Iterable[AuditEntry]) -> None:
    """Write the events of what staff did, as the audit trail has it. One query, none where no deed is an event.

    ``problem_set`` of each entry, where there is one, is loaded.
    """
    _write(
        (OF_DEED[entry.deed], entry.course_id, entry.actor_id, entry.learner_id, _deed(entry))
        for entry in entries
        if entry.deed in OF_DEED
    )


def tell_begun(attempt: Attempt) -> None:
    """Write that an attempt was begun; ``attempt`` comes with its set. One query, none for a preview."""
    if not attempt.is_preview:
        _write([_of_attempt("attempt.begun", attempt, {"number": attempt.number, "ends_at": attempt.ends_at})])


def tell_handed_in(attempt: Attempt) -> None:
    """Write that an attempt was handed in; ``attempt`` comes with its set. One query, none for a preview."""
    if not attempt.is_preview:
        said = {"number": attempt.number, "at": attempt.handed_in_at, "by": attempt.handed_in_by}
        _write([_of_attempt("attempt.handed-in", attempt, said)])


def tell_scores(attempts: Iterable[int]) -> None:
    """Write what these attempts score now. Two queries, none where there is none."""
    wanted = list(attempts)
    if not wanted:
        return
    rows = Attempt.objects.filter(pk__any_of=wanted, is_preview=False).select_related("problem_set").order_by("pk")
    _write(_of_attempt("score.changed", row, {"score": _said(row.score), "late_days": row.late_days}) for row in rows)


def tell_graded(judged: Sequence[tuple[Submission, Verdict]]) -> None:
    """Write that answers in attempts were marked; free practice is in no course, and in no feed. Two queries, none
    where there is none."""
    places = {row.variant.attempt_item_id for row, _ in judged} - {None}
    if not places:
        return
    rows = AttemptItem.objects.filter(pk__any_of=list(places), attempt__is_preview=False)
    found = {place.pk: place for place in rows.select_related("attempt__problem_set")}
    _write(
        _of_attempt(
            "submission.graded",
            place.attempt,
            {"submission": row.public_id, "item": place.position, "score": _said(verdict.score)},
        )
        for row, verdict in judged
        if (place := found.get(row.variant.attempt_item_id or 0))
    )


def _deed(entry: AuditEntry) -> dict[str, Any]:
    said: dict[str, Any] = {"deed": entry.deed, "about": entry.about}
    if entry.problem_set is not None:
        said["problem_set"] = entry.problem_set.public_id
    return said | {name: value for name in ("before", "after") if (value := getattr(entry, name)) is not None}


def _of_attempt(
    kind: str, attempt: Attempt, data: Mapping[str, Any]
) -> tuple[str, int, int | None, int | None, Mapping[str, Any]]:
    said = {"attempt": attempt.public_id, "problem_set": attempt.problem_set.public_id, **data}
    return kind, attempt.problem_set.course_id, None, attempt.learner_id, said


def _write(told: Iterable[tuple[str, int, int | None, int | None, Mapping[str, Any]]]) -> None:
    now = clock.now()
    rows = [
        {
            "public_id": uuid.uuid4(), "kind": kind, "course_id": course, "actor_id": actor, "learner_id": learner,
            "at": now, "data": {name: _plain(value) for name, value in data.items()},
        }
        for kind, course, actor, learner, data in told
    ]  # fmt: skip
    if unknown := {str(row["kind"]) for row in rows} - KINDS.keys():
        raise ValueError(f"There are no such kinds of events: {', '.join(sorted(unknown))}.")
    write(Event, rows)


def _plain(value: Any) -> Any:
    """Ids and times as programs read them."""
    if isinstance(value, uuid.UUID):
        return str(value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def _said(score: Fraction | None) -> str | None:
    """An exact fraction in text; None as long as nothing is marked."""
    return None if score is None else str(score)
