"""How the REST door is described in OpenAPI: the settings of that, and what each set of choices is called there."""

from pathlib import Path

SPECTACULAR_SETTINGS = {
    "TITLE": "BERT arithmetic gym",
    "DESCRIPTION": (Path(__file__).parent / "api" / "conventions.md").read_text(),
    "VERSION": "1.0.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "OAS_VERSION": "3.1.0",
    "APPEND_COMPONENTS": {
        "responses": {
            "Problem": {
                "description": "Refused, and told why (RFC 9457).",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}},
            }
        }
    },
    "PATH_CONVERTER_OVERRIDES": {
        "ref": {"type": "string", "description": "An id of ours, or `ext:` and the external id that you gave it."},
        "named": {"type": "string", "description": "A slug, or `ext:` and the external id that you gave it."},
    },
    "ENUM_NAME_OVERRIDES": {
        "AttemptState": "server.api.shapes.attempts.ATTEMPT_STATES",
        "CheckKind": "server.api.shapes.attempts.CHECK_KINDS",
        "GradeState": "server.api.shapes.grades.GRADE_STATES",
        "GradingReason": "server.api.shapes.attempts.GRADING_REASONS",
        "RegradeState": "server.api.shapes.regrades.REGRADE_STATES",
        "RulingKind": "server.api.shapes.grades.RULING_KINDS",
        "HandedInBy": "server.api.shapes.attempts.HANDED_IN_BY",
        "PlaceState": "server.api.shapes.attempts.PLACE_STATES",
        "SetMode": "server.api.shapes.attempts.MODES",
        "SubmissionState": "server.api.shapes.attempts.SUBMISSION_STATES",
        "DeckForm": "server.api.shapes.cards.DECK_FORMS",
        "DeliveryState": "server.api.shapes.events.DELIVERY_STATES",
        "CourseRole": "server.api.shapes.courses.ROLES",
        "JobKind": "server.api.shapes.courses.JOB_KINDS",
        "JobState": "server.api.shapes.courses.JOB_STATES",
        "ChangePart": "server.api.shapes.problems.CHANGE_PARTS",
        "ChangeKind": "server.api.shapes.problems.CHANGES",
        "CheckState": "server.api.shapes.problems.CHECK_STATES",
        "DifferenceLineKind": "server.api.shapes.problems.LINES",
        "SwitchVerdict": "server.api.shapes.problems.SWITCHES",
        "ExportFormat": "server.api.shapes.exports.EXPORT_FORMATS",
        "SetFeedback": "server.api.shapes.problem_sets.FEEDBACKS",
        "SetPhase": "server.api.shapes.problem_sets.PHASES",
        "SetRetry": "server.api.shapes.problem_sets.RETRIES",
        "SetStanding": "server.api.shapes.problem_sets.STANDINGS",
        "EventKind": "server.api.shapes.events.EVENT_KINDS",
        "Level": "server.api.shapes.practice.LEVELS",
        "WebhookState": "server.api.shapes.events.WEBHOOK_STATES",
    },
}
