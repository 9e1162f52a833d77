"""Variants, answers and verdicts, and how a learner stands."""

from collections.abc import Mapping
from typing import Any

from exercises import catalogue
from exercises.actions import Sent
from exercises.mastery.levels import Standing
from exercises.models import Submission, Variant
from exercises.queries import marks_of, past, shown
from grader.reading import Reading
from grader.verdict import Verdict
from grader.wording import Field
from server.api.shapes import practice as shapes


def variant_told(variant: Variant) -> dict[str, Any]:
    """A variant as its learner may see it. One query."""
    seen = shown(variant)
    return shapes.Variant(
        {
            "id": variant.public_id,
            "problem": variant.problem.slug,
            "number": variant.number,
            "title": seen.title,
            "statement": seen.statement,
            "forecast": seen.forecast,
            "steps": [field_told(field) for field in seen.fields],
            "asked_all": variant.asked is None,
            "draft": variant.draft,
            "closed": variant.is_closed,
            "created_at": variant.created_at,
            "marks": {step: standing.best.to_json() for step, standing in marks_of(variant).items()},
        }
    ).data


def skills_told(held: Mapping[str, Standing]) -> dict[str, Any]:
    """Where a learner stands at every skill, in the order of the map. No query."""
    rows = [{"skill": skill, "standing": held[skill.id]} for skill in catalogue.skills()]
    return shapes.Skills({"results": rows}).data


def submission_told(submission: Submission, verdict: Verdict | None) -> dict[str, Any]:
    """A submission with the verdict that counts. No query."""
    return shapes.Submission(
        {
            "id": submission.public_id,
            "variant": submission.variant.public_id,
            "problem": submission.variant.problem.slug,
            "state": submission.state,
            "answers": submission.answers,
            "checked": submission.checked,
            "created_at": submission.created_at,
            "verdict": verdict.to_json() if verdict else None,
        }
    ).data


def past_told(rows: list[Submission]) -> list[dict[str, Any]]:
    """A page of ``queries.own_submissions``. No query."""
    return [submission_told(row, past(row).verdict) for row in rows]


def sent_told(sent: Sent, verdict: Verdict | None) -> dict[str, Any]:
    """What became of an answer. No query."""
    return shapes.Sent(
        {
            "kind": sent.kind,
            "readings": {step: reading_told(reading) for step, reading in sent.readings.items()},
            "submission": submission_told(sent.submission, verdict) if sent.submission else None,
        }
    ).data


def reading_told(reading: Reading) -> dict[str, Any]:
    """How something typed is read."""
    return {"status": reading.status, "read_as": reading.shown, "message": reading.message}


def field_told(field: Field) -> dict[str, Any]:
    """What is asked at a step."""
    return {
        "step": field.step,
        "kind": field.kind,
        "ask": field.ask,
        "labels": list(field.labels),
        "options": [{"value": key, "text": text} for key, text in field.options],
        "size": field.size,
        "undefined": field.undefined,
        "optional": field.optional,
        "weight": str(field.weight),
        "unit": field.unit,
        "digits": field.digits,
    }
