"""The nine worked examples, answered in a browser as the source document prints them, and marked by a real worker."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.learner import Learner, answer, check_all, seeded, verdict
from tests.stacks import Stack

EXAMPLES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "golden" / "worked_examples.json").read_text(encoding="utf-8")
)["examples"]


@pytest.fixture(scope="module")
def learner(live_stack: Stack) -> Learner:
    """One learner with a variant of every example."""
    return seeded(live_stack, *((example["problem"], example["parameters"]) for example in EXAMPLES))


def test_every_printed_answer_is_right(learner: Learner, page: Page) -> None:
    learner.sign_in(page)
    for place, example in enumerate(EXAMPLES):
        page.goto(learner.address(place))
        answer(page, example["answers"])
        check_all(page)
        for name in example["answers"]:
            expect(verdict(page, name), f"{example['case']} {name}").to_contain_text("Right")
            expect(verdict(page, name), f"{example['case']} {name}").not_to_contain_text("carried")
        expect(page.locator("#done"), example["case"]).to_be_visible()


def test_what_is_right_is_listed_among_ones_own_answers(learner: Learner, page: Page) -> None:
    learner.sign_in(page, then="/answers/")
    expect(page.get_by_role("heading", name="My answers")).to_be_visible()


C1 = EXAMPLES[0]
MISTAKES = [
    ({"p": "0.6667", "loss": "0.4055"}, {"p": "A known mistake", "loss": "Right, carried forward"}),
    ({"loss": "0.4055"}, {"loss": "A known mistake"}),
    ({"p": "0.665", "loss": "0.588"}, {"p": "Right", "loss": "A known mistake"}),
]


@pytest.mark.parametrize(("typed", "told"), MISTAKES)
def test_errors_in_the_first_example_are_told_apart(
    live_stack: Stack, page: Page, typed: dict[str, str], told: dict[str, str]
) -> None:
    learner = seeded(live_stack, (C1["problem"], C1["parameters"]))
    learner.open(page)
    answer(page, typed)
    check_all(page)
    for name, words in told.items():
        expect(verdict(page, name).locator("strong").first).to_have_text(words)
