"""Attempts and their items, with no more of how they were marked than may be told."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from exercises import queries
from exercises.actions.sitting.check import Checked
from exercises.actions.sitting.sheet import Boxes
from exercises.actions.sitting.standing import Standing
from exercises.courses.scoring import percent
from exercises.loading import problem_of
from exercises.models import Attempt, AttemptItem, Submission, Variant
from exercises.queries.attempt import PlaceRow, offered, places_in
from exercises.queries.history import Past
from grader.verdict import Verdict
from grader.wording import worked_solution
from server.api.shapes import attempts as shapes
from server.api.telling.practice import field_told, reading_told


def score_told(score: Fraction | None, *, threshold: Fraction | None = None) -> dict[str, str | None]:
    """A score as an exact fraction, and in words."""
    if score is None:
        return {"score": None, "percent": None}
    return {"score": str(score), "percent": percent(score, threshold=threshold)}


def attempts_told(rows: Sequence[Attempt], *, tells: bool) -> list[dict[str, Any]]:
    """Attempts with their sets and learners, with their scores if these may be told. No query."""
    return [dict(shapes.Attempt(_attempt(row, tells=tells)).data) for row in rows]


def attempt_told(attempt: Attempt, standing: Standing, *, tells: bool) -> dict[str, Any]:
    """An attempt with its places; ``tells``: scores may be told to whoever asks. Four queries at most."""
    places = [_place(row) for row in places_in(attempt, standing.rules, tells=tells)]
    score = score_told(attempt.score if tells else None, threshold=standing.rules.pass_mark)
    whole = {
        **_attempt(attempt, tells=tells),
        **score,
        "over": standing.over,
        "tells": standing.tells,
        "places": places,
    }
    return dict(shapes.AttemptWithPlaces(whole).data)


def receipt_told(attempt: Attempt, **more: bool) -> dict[str, Any]:
    """The receipt of an attempt that is handed in, with its set and learner. No query."""
    shape = shapes.VerifiedReceipt if more else shapes.Receipt
    about = _attempt(attempt, tells=False)
    return dict(shape({**about, "attempt": attempt.public_id, **more}).data)


def saved_told(item: AttemptItem, variant: Variant) -> dict[str, Any]:
    """What stands in the boxes of a place, as far as it answers this variant. No query."""
    boxes = Boxes.of(item)
    is_of_it = boxes.variant == str(variant.public_id)
    return dict(
        shapes.SavedAnswers(
            {
                "variant": variant.public_id,
                "revision": item.saved_version,
                "answers": boxes.answers if is_of_it else {},
                "locale": boxes.locale,
                "at": item.saved_at if is_of_it else None,
            }
        ).data
    )


def saved_tag(item: AttemptItem, variant: Variant) -> str:
    """The tag of what stands in the boxes: it names the variant, and the revision that whoever saves goes on from."""
    return f'"{variant.public_id}.{item.saved_version}"'


def item_told(row: PlaceRow, variant: Variant, standing: Standing, *, tells: bool, solves: bool) -> dict[str, Any]:
    """A place with one of its variants; ``tells`` and ``solves``: marks and the worked solution may be told to whoever
    asks. Six queries at most."""
    seen, is_open = queries.shown(variant), standing.is_open and variant == row.variant
    past = queries.history(variant)
    for one in past:
        one.submission.variant = variant
    told = {
        **_place(row),
        "variant": variant.public_id,
        "statement": seen.statement,
        "steps": [field_told(field) for field in seen.fields],
        "over": standing.over,
        "tries_allowed": len(standing.rules.credits) if standing.rules.mode == "quiz" else 0,
        "variants": [one.public_id for one in row.variants],
        "saved": saved_told(row.item, variant),
        "saved_tag": saved_tag(row.item, row.variant),
        "asides": offered(row.item) if is_open else [],
        "hints": {step: [use.text for use in uses] for step, uses in queries.hints_taken(variant).items()},
        "marks": {step: one.best.to_json() for step, one in queries.marks_of(variant).items()} if tells else {},
        "submissions": [_submission(one, tells=tells) for one in past],
        "worked": _worked(variant) if solves else None,
    }
    return dict(shapes.Item(told).data)


def checked_told(checked: Checked, variant: Variant, verdict: Verdict | None) -> dict[str, Any]:
    """What became of a try; ``verdict`` as far as it may be told. No query."""
    submission = checked.submission
    if submission is not None:
        submission.variant = variant
    return dict(
        shapes.CheckedItem(
            {
                "kind": checked.kind,
                "readings": {step: reading_told(reading) for step, reading in checked.readings.items()},
                "submission": _submission(Past(submission, verdict), tells=True) if submission else None,
            }
        ).data
    )


def _attempt(row: Attempt, *, tells: bool) -> dict[str, Any]:
    names = ("number", "is_preview", "began_at", "ends_at", "handed_in_at", "count_as_at", "receipt", "updated_at")
    return {
        **{name: getattr(row, name) for name in names},
        "id": row.public_id,
        "problem_set": row.problem_set.public_id,
        "mode": row.problem_set.mode,
        "learner": row.learner.get_username(),
        "state": "handed-in" if row.is_over else "going-on",
        "handed_in_by": row.handed_in_by or None,
        "late_days": row.late_days,
        **score_told(row.score if tells else None),
    }


def _place(row: PlaceRow) -> dict[str, Any]:
    return {
        "position": row.position,
        "problem": row.item.item.problem.slug,
        "title": row.title,
        "weight": str(row.weight),
        "variant": row.variant.public_id,
        "state": row.state,
        "tries": row.tries,
        "is_unsent": row.is_unsent,
        "score": None if row.best is None else str(row.best),
    }


def _submission(past: Past, *, tells: bool) -> dict[str, Any]:
    row: Submission = past.submission
    return {
        "id": row.public_id,
        "variant": row.variant.public_id,
        "state": row.state,
        "answers": row.answers,
        "created_at": row.created_at,
        "verdict": past.verdict.to_json() if tells and past.verdict else None,
    }


def _worked(variant: Variant) -> list[dict[str, str]]:
    return [vars(step) for step in worked_solution(problem_of(variant), variant.parameters).steps]
