"""What was sent in attempts, for those who read learners' work."""

from collections.abc import Sequence
from typing import Any

from exercises.models import Grading, Submission
from server.api.shapes import submissions as shapes
from server.api.telling.attempts import score_told


def sent_answers_told(rows: Sequence[Submission]) -> list[dict[str, Any]]:
    """A page of ``queries.attempts.submissions_in``. No query."""
    return [dict(shapes.SentAnswer(_sent(row)).data) for row in rows]


def sent_answer_told(row: Submission) -> dict[str, Any]:
    """One of these with every judgement. No query."""
    gradings = [_judgement(one) for one in _judgements(row)]
    return dict(shapes.SentAnswerWithGradings({**_sent(row), "gradings": gradings}).data)


def _sent(row: Submission) -> dict[str, Any]:
    place = row.variant.attempt_item
    assert place is not None  # noqa: S101 - found by its attempt
    judged = _judgements(row)
    return {
        "id": row.public_id,
        "problem_set": place.attempt.problem_set.public_id,
        "attempt": place.attempt.public_id,
        "position": place.position,
        "item": place.item_id,
        "learner": row.author.get_username(),
        "problem": row.variant.problem.slug,
        "variant": row.variant.public_id,
        "digest": row.variant.digest,
        "state": row.state,
        "answers": row.answers,
        "locale": row.locale,
        "created_at": row.created_at,
        "entered_by": row.entered_by.get_username() if row.entered_by else None,
        **score_told(judged[-1].score if judged else None),
        "verdict": judged[-1].judged.to_json() if judged else None,
        "failure": row.failure,
    }


def _judgement(one: Grading) -> dict[str, Any]:
    return {
        "score": str(one.score),
        "reason": one.reason,
        "problem_version": one.version.number,
        "grader_version": one.grader_version,
        "regrade": one.event.public_id if one.event else None,
        "created_at": one.created_at,
        "verdict": one.judged.to_json(),
    }


def _judgements(row: Any) -> Sequence[Grading]:
    found: Sequence[Grading] = row.judgements  # by the prefetch
    return found
