"""Events as xAPI statements (xAPI 1.0.3, IEEE 9274.1.1), for learning record stores."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

VERSION = "1.0.3"
_VERBS = "http://adlnet.gov/expapi/verbs/"
_ACTIVITIES = "http://adlnet.gov/expapi/activities/"
#: The event, the verb that it is, and how that reads.
VERBS: Mapping[str, tuple[str, str]] = {
    "attempt.begun": ("initialized", "began"),
    "attempt.handed-in": ("completed", "handed in"),
    "submission.graded": ("answered", "answered"),
    "score.changed": ("scored", "scored"),
}


def statement_of(event: Mapping[str, Any], *, home: str, course: str) -> dict[str, Any] | None:
    """The statement of an event as the feed tells it; None for what no learner did.

    ``home`` is the address of this service, which accounts and activities belong to; ``course`` the public id of the
    course. The statement has the event's own id, so that a store that gets it twice keeps it once.
    """
    data = event["data"]
    if event["type"] not in VERBS or "learner" not in data:
        return None
    verb, display = VERBS[event["type"]]
    result = _result(event["type"], data)
    return {
        "id": event["id"],
        "version": VERSION,
        "timestamp": event["timestamp"],
        "actor": {"objectType": "Agent", "account": {"homePage": home, "name": data["learner"]}},
        "verb": {"id": _VERBS + verb, "display": {"en": display}},
        "object": _object(data, home),
        "context": {
            "registration": data["attempt"],
            "contextActivities": {
                "parent": [_activity(f"{home}/sets/{data['problem_set']}", "assessment")],
                "grouping": [_activity(f"{home}/courses/{course}", "course")],
            },
        },
    } | ({"result": result} if result else {})


def _object(data: Mapping[str, Any], home: str) -> dict[str, Any]:
    place = f"{home}/sets/{data['problem_set']}"
    if "item" in data:
        return _activity(f"{place}#item-{data['item']}", "question")
    return _activity(place, "assessment")


def _activity(address: str, kind: str) -> dict[str, Any]:
    return {"objectType": "Activity", "id": address, "definition": {"type": _ACTIVITIES + kind}}


def _result(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """What came of it: the score as a number, as the specification wants it, and as the exact fraction that it is."""
    if kind == "attempt.handed-in":
        return {"completion": True}
    if data.get("score") is None:
        return {}
    exact = Fraction(data["score"])
    said: dict[str, Any] = {"score": {"scaled": float(exact)}, "extensions": {_EXACT: str(exact)}}
    return said | ({"success": exact == 1} if kind == "submission.graded" else {})


#: An extension needs an address of its own; nothing has to be found there.
_EXACT = "tag:gym,2026:exact-score"
