"""What tests of attempts by REST share: sets to sit, and what somebody does who sits them."""

from typing import Any

from rest_framework.test import APIClient

from exercises.models import Attempt, ProblemSet, Variant
from tests.exercises.world import ALL_RIGHT, C1

API = "/api/v1"
WRONG = {**ALL_RIGHT, "loss": "9.99"}
#: What no learner is told before results are.
OF_RESULTS = ("verdict", "marks", "score", "percent", "worked")


def attempts(problem_set: ProblemSet) -> str:
    return f"{API}/problem-sets/{problem_set.public_id}/attempts"


def begun(client: APIClient, problem_set: ProblemSet) -> dict[str, Any]:
    """A begun attempt, on the numbers of the first worked example."""
    answer = client.post(attempts(problem_set))
    assert answer.status_code in (200, 201), answer.json()
    Variant.objects.filter(problem__slug="masked").update(parameters=C1)
    told: dict[str, Any] = answer.json()
    return told


def item(told: dict[str, Any], slug: str = "masked") -> str:
    """The address of the item of that problem."""
    position = next(place["position"] for place in told["places"] if place["problem"] == slug)
    return f"{API}/attempts/{told['id']}/items/{position}"


def save(api: APIClient, address: str, answers: dict[str, Any], *, match: str = "*", **more: Any) -> Any:
    return api.put(f"{address}/answers", {"answers": answers, **more}, format="json", headers={"If-Match": match})


def check(client: APIClient, address: str, answers: dict[str, Any], *, headers: Any = None, **more: Any) -> Any:
    variant = more.pop("variant", None) or client.get(address).json()["variant"]
    said = {"answers": answers, "variant": variant, "sure": True, **more}
    return client.post(f"{address}/check", said, format="json", headers=headers or {})


def attempt_row(told: dict[str, Any]) -> Attempt:
    return Attempt.objects.get(public_id=told["id"])
