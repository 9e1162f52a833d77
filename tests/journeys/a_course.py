"""What the journey through a course knows of it: who scored what, by arithmetic of our own, and where to see it."""

import json
import math
import os
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.stacks import Stack

#: A thousand seeds, or a regrade, in a worker that shares the machine with the tests.
WORKED = 90_000
#: Her fork counts twice as much as the built-in problem. Of its steps only p and loss weigh, 1 and 2; of that, five, 1.
FORK, BUILT_IN = 2, 1
PASS = Fraction(9, 10)
#: Bob's total is wrong by the wrong key and weighs nothing: so p, carried on from it, pays half, and his loss all.
#: Carol answers by that key, and miscounts once.
BOB = {"fork": Fraction(5, 6), "built-in": Fraction(1)}
CAROL = {"fork": Fraction(1), "built-in": Fraction(4, 5)}
#: Where pictures of the stations are kept to be looked at, if anywhere.
PICTURES = os.environ.get("PICTURES", "")
#: What Bob was drawn; Carol comes in by the code and sits the quiz as well.
SEED = """
import json
from exercises.actions.courses import join_course
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.check import check_item
from exercises.actions.sitting.hand_in import hand_in
from exercises.loading import loaded
from exercises.models import *
from grader.solution import solve
bob = Attempt.objects.get(public_id={attempt!r})
def drawn(attempt):
    return [item.variants.get() for item in attempt.items.order_by("position")]
def keys(variant):
    return dict(solve(loaded(variant.version), variant.parameters).values)
told = [{{"parameters": variant.parameters, "keys": keys(variant)}} for variant in drawn(bob)]
carol = User.objects.create_user({carol!r})
join_course(user=carol, code={code!r})
hers = begin_attempt(learner=carol, problem_set=bob.problem_set)
for variant in drawn(hers):
    answers = {{name: f"{{key:.6g}}" for name, key in keys(variant).items() if name != "powers"}}
    if "graded" in answers:
        answers["graded"] = str(int(answers["graded"]) + 7)
    item = variant.attempt_item
    check_item(attempt_item=item, variant_id=str(variant.public_id), answers=answers, based_on=0, is_sure=True)
hand_in(attempt=hers)
print("SEEDED " + json.dumps(told))
"""


def share(value: Fraction) -> str:
    """A share as the pages write it, with a narrower blank or a usual one before the sign."""
    tenths = math.floor(value * 1000 + Fraction(1, 2))
    return f"{tenths // 10}" + (f".{tenths % 10}" if tenths % 10 else "") + r"\s%"


def whole(scores: dict[str, Fraction]) -> Fraction:
    """What somebody has in the whole quiz."""
    return (FORK * scores["fork"] + BUILT_IN * scores["built-in"]) / (FORK + BUILT_IN)


@dataclass
class Class:
    """What a journey knows of its course while it goes on."""

    stack: Stack
    alice: Page
    fork: str
    course: str = ""
    quiz: str = ""
    bob: str = ""
    carol: str = ""

    def tab(self, words: str) -> None:
        """To another page of the course."""
        self.alice.goto(self.course)
        self.alice.get_by_role("navigation", name="Of this course").get_by_role("link", name=words).click()
        expect(self.alice.get_by_role("heading", level=1)).to_be_visible()


def pictured(page: Page, name: str) -> None:
    """A picture of a station, on a phone and on a desk, in the light and in the dark, for whoever wants to look."""
    if not PICTURES:
        return
    size = page.viewport_size
    for scheme in ("light", "dark"):
        for width in (360, 1280):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.set_viewport_size({"width": width, "height": 800})
            page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{scheme}.png", full_page=True)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(size or {"width": 1280, "height": 900})


def drawn(klass: Class, attempt: str, code: str) -> list[dict[str, Any]]:
    """Parameters and keys of Bob's two items; Carol has sat hers as well when it returns."""
    seed = SEED.format(attempt=attempt, carol=klass.carol, code=code)
    printed = klass.stack.run(seed)
    line = next(line for line in printed.splitlines() if line.startswith("SEEDED "))
    told: list[dict[str, Any]] = json.loads(line.removeprefix("SEEDED "))
    return told


def sees_a_score(page: Page, attempt: str, scores: dict[str, Fraction]) -> None:
    """Bob on the page of his attempt."""
    page.goto(attempt)
    expect(page.locator(".attempt-score")).to_have_text(re.compile(rf"^\s*{share(whole(scores))}\s*$"))
    for number, key in ((1, "fork"), (2, "built-in")):
        row = page.get_by_role("row", name=re.compile(rf"^{number}\. "))
        expect(row.get_by_role("cell").last).to_have_text(re.compile(rf"^{share(scores[key])}$"))


def books_are(klass: Class, bob: dict[str, Fraction], carol: dict[str, Fraction], when: str) -> None:
    """Grade book, grades of the quiz and its statistics, by arithmetic of our own."""
    page = klass.alice
    klass.tab("Grade book")
    until(page, cell(page, klass.carol, 0), share(whole(carol)))
    expect(cell(page, klass.bob, 0)).to_contain_text(re.compile(share(whole(bob))))
    passes = whole(bob) >= PASS
    expect(cell(page, klass.bob, 0)).to_contain_text(re.compile(r"%\s*$" if passes else "not passed"))
    average = (whole(bob) + whole(carol)) / 2
    expect(page.locator("tfoot")).to_contain_text(re.compile(share(average)))
    pictured(page, f"40-book-{when}")
    page.get_by_role("link", name="Week 1: losses").click()
    for name, scores in ((klass.bob, bob), (klass.carol, carol)):
        for place, value in enumerate((whole(scores), scores["fork"], scores["built-in"])):
            expect(cell(page, name, place)).to_contain_text(re.compile(share(value)))
    pictured(page, f"41-grades-{when}")
    page.goto(klass.quiz)
    page.get_by_role("navigation", name="Of this set").get_by_role("link", name="Statistics").click()
    page.get_by_role("button", name=re.compile("^Calculate")).click()
    expect(page.get_by_text("Calculated on")).to_be_visible(timeout=WORKED)
    table = page.get_by_role("region", name="Items")
    for title, key in ((klass.fork, "fork"), ("Counting the chosen tokens", "built-in")):
        cells = table.get_by_role("row", name=re.compile(f"^{title}")).get_by_role("cell")
        # Until then the figures of before may stand there.
        expect(cells.nth(0)).to_have_text("2", timeout=WORKED)
        facility = 100 * (bob[key] + carol[key]) / 2
        expect(cells.nth(1)).to_contain_text(re.compile(rf"^\s*{round(facility)} %"), timeout=WORKED)
        expect(cells.nth(4)).to_have_text("1.0")
    pictured(page, f"42-statistics-{when}")


def cell(page: Page, name: str, place: int) -> Locator:
    """One score of somebody in the book that is open."""
    return page.get_by_role("row", name=re.compile(f"^{name}")).get_by_role("cell").nth(place)


def until(page: Page, place: Locator, words: str) -> None:
    """Load a page again until a worker has come so far."""
    for _ in range(200):
        if re.search(words, place.inner_text()):
            return
        page.wait_for_timeout(250)
        page.reload()
    expect(place).to_contain_text(re.compile(words))
