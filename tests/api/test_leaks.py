"""No response that a learner can reach holds a key before its time: all of them are searched, at 3 to 17 digits."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from exercises import catalogue
from exercises.actions import draw_variant, reveal_solution, send_answer, sync_catalogue
from exercises.models import User, Variant
from exercises.tasks import grade_pending
from grader.problem import load
from grader.solution import solve
from tests.api.conftest import Client

pytestmark = pytest.mark.usefixtures("servers")

FORBIDDEN_NAMES = ("seed", "allowance", "tolerance", "mistakes", "solution", "key", "version", "source", "digest")


def forms(value: Any) -> Iterator[str]:
    """A key as it could stand in a response, at 3 to 17 significant digits; whole and short numbers say too little."""
    if isinstance(value, list | tuple):
        for entry in value:
            yield from forms(entry)
    elif isinstance(value, float) and len(f"{value:.17g}".replace("-", "").replace("0.", "")) > 3:
        for digits in range(3, 18):
            yield f"{value:.{digits}g}"


def secrets_of(variant: Variant) -> set[str]:
    """Keys, allowances and mistaken values of a variant that are not printed in its own statement."""
    solution = solve(load(variant.version.source), variant.parameters)
    values = [*solution.values.values(), *solution.allowances.values()]
    for mistake in solution.mistakes.values():
        values += list(mistake["steps"].values()) if mistake["active"] else []
    return {form for value in values for form in forms(value) if len(form.strip("-0.")) >= 3}


def stands_in(form: str, body: str) -> bool:
    """Whether a number stands in a response by itself: not inside of a longer number, a time or an id."""
    plain = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z?", "", body)
    return re.search(rf"(?<![\d.]){re.escape(form)}(?!\d)", plain) is not None


def reachable(api: APIClient, variant: Variant) -> Iterator[tuple[str, str]]:
    """Every response of the door that has to do with the variant."""
    url = f"/api/v1/variants/{variant.public_id}"
    yield "variant", api.get(url).content.decode()
    yield "debug", api.get(f"{url}?debug=1&format=api&seed=1").content.decode()
    yield "problems", api.get("/api/v1/problems").content.decode()
    yield "again", api.post(f"/api/v1/problems/{variant.problem.slug}/variants").content.decode()
    yield "unreadable", api.post(f"{url}/answers", {"answers": {}}, format="json").content.decode()
    wrong = {step["step"]: "77777" for step in api.get(url).json()["steps"] if step["kind"] in ("number", "count")}
    yield "sent", api.post(f"{url}/answers", {"answers": wrong}, format="json").content.decode()
    grade_pending()
    yield "history", api.get("/api/v1/submissions").content.decode()
    for row in api.get("/api/v1/submissions").json()["results"]:
        yield "verdict", api.get(f"/api/v1/submissions/{row['id']}").content.decode()
    yield "variant after a wrong answer", api.get(url).content.decode()
    yield "whole", api.post(f"{url}/whole").content.decode()


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_no_response_tells_what_is_not_earned(slug: str, bob: User, client_of: Client) -> None:
    assert not sync_catalogue([slug]).faults
    variant = draw_variant(learner=bob, slug=slug, seed=7)
    api = client_of(bob)
    statement = api.get(f"/api/v1/variants/{variant.public_id}").json()["statement"]
    hidden = {form for form in secrets_of(variant) if form not in statement}
    for name, body in reachable(api, variant):
        assert not [form for form in hidden if stands_in(form, body)], name
        assert not [word for word in FORBIDDEN_NAMES if f'"{word}' in body], name


def test_the_search_finds_what_it_looks_for(bob: User, variant: Variant) -> None:
    """The search itself: the answer a learner typed right is found in their own history."""
    send_answer(learner=bob, variant=variant, answers={"p": "0.665"})
    assert {"0.665", "0.66524", "0.408", "0.40761"} <= secrets_of(variant)
    assert "0.6667" in secrets_of(variant)  # no-exp
    assert stands_in("0.665", '{"message": "it is 0.665."}')
    assert not stands_in("37.6", '{"at": "2026-11-29T19:56:37.612Z", "n": 137.65}')


def test_the_door_tells_no_solution_after_it_was_shown_either(bob: User, variant: Variant, client_of: Client) -> None:
    reveal_solution(variant=variant)
    told = client_of(bob).get(f"/api/v1/variants/{variant.public_id}").json()
    assert told["closed"] is True
    assert "0.665" not in str(told)
