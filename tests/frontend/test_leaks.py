"""Nothing a learner can reach tells key, seed, allowance, a mistake's value or the solution before its time."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exercises import catalogue
from exercises.actions import draw_variant, sync_catalogue
from exercises.models import User, Variant
from grader.problem import Problem, load
from grader.sampling import draw
from grader.solution import solve
from grader.wording import hints
from tests.frontend.world import address, send

pytestmark = pytest.mark.usefixtures("servers")
FEWEST, MOST = 3, 17


def numbers(value: Any) -> Iterator[float]:
    """The numbers in a value of a step: what is chosen or written in words is not looked for."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int | float):
        yield float(value)
        return
    if isinstance(value, dict):
        value = value.values()
    for entry in value:
        yield from numbers(entry)


def written(value: float) -> set[str]:
    """How a value may be written, at 3 to 17 significant digits. Short numbers stand everywhere by chance."""
    forms = {f"{abs(value):.{digits}g}" for digits in range(FEWEST, MOST + 1)} | {repr(abs(value))}
    return {form for form in forms if len(re.sub(r"^0\.0*|[.]|e.*$", "", form)) >= FEWEST}


def shown_anyway(variant: Variant, problem: Problem) -> set[float]:
    """Numbers that the statement itself gives: parameters, and keys that are read off them."""
    return {round(abs(number), 12) for number in numbers(variant.parameters)}


def secrets_of(variant: Variant) -> dict[str, set[str]]:
    """Every form of what must not be told, by what it is."""
    problem = load(variant.version.source)
    solution = solve(problem, variant.parameters)
    given = shown_anyway(variant, problem)
    found = {
        "key": solution.values,
        "allowance": solution.allowances,
        "mistake": {note: mistake["steps"] for note, mistake in solution.mistakes.items()},
    }
    secrets = {
        what: {
            form
            for value in numbers(values)
            if value == value and abs(value) != float("inf") and round(abs(value), 12) not in given
            for form in written(value)
        }
        for what, values in found.items()
    }
    secrets["seed"] = {str(variant.seed)}
    return secrets


def leaks(html: str, secrets: dict[str, set[str]]) -> list[str]:
    """What of it stands in a response as a number of its own."""
    # Tokens and ids are random: they may hold any digits.
    html = re.sub(r'value="[A-Za-z0-9]{64}"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}', "", html)
    # The learner's number counts up over the tests that ran before: it may be any.
    html = re.sub(r'name="learner" value="\d+"', "", html)
    # Geometry of the figures is checked through the figure's data: tests/frontend/test_figures.py.
    html = re.sub(r'\b(x|y|x1|x2|y1|y2|cx|cy|r|rx|width|height|d|viewBox|nonce|[lr]space|[a-z]+size)="[^"]*"', "", html)
    standing = set(re.findall(r"(?<![\d.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\d.]\d|\d)", html))
    return [f"{what} {form}" for what, forms in secrets.items() for form in forms if form in standing]


def reachable(client: Client, variant: Variant, problem: Problem) -> Iterator[tuple[str, str]]:
    """Every response a learner can get about a variant before it is right or revealed."""
    script = {"HX-Request": "true"}
    own = {"learner": str(variant.learner_id)}
    yield "page", client.get(address("variant", variant)).content.decode()
    yield "problem", client.get(reverse("frontend:problem", args=[variant.problem.slug])).content.decode()
    yield "home", client.get("/").content.decode()
    yield "solution question", client.get(address("reveal", variant)).content.decode()
    yield "report", client.get(address("report", variant)).content.decode()
    for step in problem.asked:
        form = {**own, f"answer-{step.name}": "987.125"}
        yield "reading", client.post(address("reading", variant, step=step.name), form, headers=script).content.decode()
        for _ in hints(problem, variant.parameters, step.name, variant.draft):
            page = address("hint", variant, step=step.name)
            yield f"hint of {step.name}", client.post(page, own, headers=script).content.decode()
        wrong: Any = ["987.125"] * 12 if step.kind == "vector" else "987.125"
        yield f"wrong {step.name}", send(client, variant, check=step.name, **{step.name: wrong}).content.decode()
    yield "page after all", client.get(address("variant", variant)).content.decode()
    yield "history", client.get(reverse("frontend:history")).content.decode()


def drawn_by(seed: int, learner: User, slug: str) -> Variant:
    """The variant of a fixed seed, so that the test says the same each time it runs."""
    variant = draw_variant(learner=learner, slug=slug)
    variant.parameters = draw(load(variant.version.source), seed)
    variant.seed = 4_019_283_746 + seed
    variant.save()
    return variant


@pytest.mark.usefixtures("quick_worker")
@pytest.mark.parametrize("slug", catalogue.slugs())
def test_no_response_tells_what_is_to_be_found_out(as_bob: Client, bob: User, slug: str) -> None:
    assert not sync_catalogue([slug], catalogue.source).faults
    variant = drawn_by(3, bob, slug)
    problem, secrets = load(variant.version.source), secrets_of(variant)
    for where, html in reachable(as_bob, variant, problem):
        assert not leaks(html, secrets), (where, variant.parameters)


def test_the_search_finds_a_key_that_is_there(bob: User) -> None:
    sync_catalogue(["masked-token-loss"], catalogue.source)
    variant = drawn_by(1, bob, "masked-token-loss")
    secrets = secrets_of(variant)
    key = solve(load(variant.version.source), variant.parameters).values["loss"]
    for digits in (3, 4, 9, 17):
        assert leaks(f"<p>The loss is {key:.{digits}g}.</p>", secrets)
    assert leaks(f"<p data-seed='{variant.seed}'>", secrets)
    assert secrets["mistake"]
    assert secrets["allowance"]
    assert not leaks("<p>Nothing is told here.</p>", secrets)
