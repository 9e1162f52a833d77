"""A course from nothing to a key that was wrong, put right and taken back, by somebody who has never seen it."""

import json
import math
import os
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.journeys.conftest import EXPECTED
from tests.journeys.learner import answer, seeded, verdict
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

#: A thousand seeds, or a regrade, in a worker that shares the machine with the tests.
WORKED = 90_000
#: Her fork adds everything up twice, so that whoever calculates rightly is marked wrong at this step.
RULE, WRONG_RULE = "is: sum(powers)", "is: 2 * sum(powers)"
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


@pytest.fixture
def other_page(context: BrowserContext, complaints: list[str]) -> Iterator[Page]:
    """A tab of another person's browser, whose complaints are failures as well."""
    assert context.browser is not None
    opened = context.browser.new_context()
    opened.on("weberror", lambda error: complaints.append(str(error.error)))
    opened.on(
        "console",
        lambda said: complaints.append(said.text) if said.type == "error" and not EXPECTED.search(said.text) else None,
    )
    yield opened.new_page()
    opened.close()


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


def test_a_quiz_is_built_sat_regraded_and_regraded_back(
    live_stack: Stack, page: Page, context: BrowserContext, other_page: Page
) -> None:
    alice, bob = seeded(live_stack, teaches=True), seeded(live_stack)
    klass = Class(live_stack, page, fork=f"Loss of {alice.name}", bob=bob.name, carol=f"carol-{uuid.uuid4().hex[:10]}")
    alice.sign_in(page)
    code = makes_a_course(klass)
    publishes_a_fork(klass)
    builds_a_quiz(klass)
    bob.sign_in(other_page)
    attempt = sits_it(klass, other_page, code)
    books_are(klass, BOB, CAROL, "before")
    corrects_the_key(klass)
    after = {**BOB, "fork": Fraction(1)}
    regrades(klass, before=BOB, after=after)
    books_are(klass, after, CAROL, "regraded")
    sees_a_score(other_page, attempt, after)
    pictured(other_page, "32-bob-regraded")
    page.go_back()
    undoes(klass)
    books_are(klass, BOB, CAROL, "undone")
    sees_a_score(other_page, attempt, BOB)
    is_on_the_trail(klass)


def makes_a_course(klass: Class) -> str:
    """A course, found from the first page; its join code."""
    page = klass.alice
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Courses").click()
    pictured(page, "01-no-course")
    page.get_by_role("link", name="New course").click()
    page.get_by_label("Title").fill("BERT by hand")
    page.get_by_label("Term").fill("Winter 2026")
    pictured(page, "02-new-course")
    page.get_by_role("button", name="Make the course").click()
    code = page.locator(".join-code").inner_text()
    klass.course = page.url
    pictured(page, "03-course")
    return code


def publishes_a_fork(klass: Class) -> None:
    """A built-in problem becomes hers with a rule that is off, and passes the gate: the file cannot know the truth."""
    page = klass.alice
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Problems").click()
    pictured(page, "04-problems")
    page.get_by_role("link", name="Begin with one that exists").click()
    page.get_by_label("Title or skill").fill("one masked token")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Fork Loss at one masked token").click()
    page.get_by_label("Title").fill(klass.fork)
    pictured(page, "05-fork")
    page.get_by_role("button", name="Fork it").click()
    changes_a_line(page, RULE, WRONG_RULE)
    pictured(page, "06-editor")
    publishes(page, "With my own words.", version=1)


def changes_a_line(page: Page, old: str, new: str) -> None:
    """In the editor, the first line with these words; it is saved by itself."""
    text, line = page.locator(".cm-content"), page.locator(".cm-line", has_text=old)
    text.focus()
    page.keyboard.press("Control+Home")
    # Only the lines in sight are there.
    for _ in range(20):
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if line.count():
            break
        page.keyboard.press("PageDown")
    line.first.click()
    page.keyboard.press("End")
    page.keyboard.press("Shift+Home")
    page.keyboard.insert_text(new)
    expect(text).to_contain_text(new)
    expect(page.locator("#faults")).to_contain_text("The file can be read")
    expect(page.locator("#save-state")).to_contain_text("Saved")


def publishes(page: Page, news: str, *, version: int) -> None:
    """Through the gate of a thousand seeds."""
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("textbox", name="What is new").fill(news)
    pictured(page, f"07-publish-{version}")
    page.get_by_role("button", name=re.compile("^Publish (it|a new version)")).click(timeout=WORKED)
    expect(page.locator("main")).to_contain_text(f"Version {version} is published", timeout=WORKED)
    pictured(page, f"08-published-{version}")


def builds_a_quiz(klass: Class) -> None:
    """A quiz with her problem, which counts twice, and a built-in one."""
    page = klass.alice
    page.goto(klass.course)
    page.get_by_role("link", name="New problem set").click()
    pictured(page, "10-new-set")
    page.get_by_label("Mode").select_option("quiz")
    page.get_by_role("button", name="Take this mode").click()
    page.get_by_label("Title").fill("Week 1: losses")
    page.get_by_label("Pass mark").fill("90 %")
    pictured(page, "11-new-quiz")
    page.get_by_role("button", name="Make the set").click()
    for title in (klass.fork, "Counting the chosen tokens"):
        page.get_by_label("Words").fill(title)
        page.get_by_role("button", name="Search").click()
        page.get_by_role("checkbox", name=title).check()
        pictured(page, "12-candidates")
        page.get_by_role("button", name="Put the ticked ones in").click()
        expect(page.locator(".item-row h2", has_text=title)).to_be_visible()
    pictured(page, "13-items")
    page.locator(".item-row").get_by_role("link", name=klass.fork).click()
    page.get_by_label("Weight").fill(str(FORK))
    pictured(page, "14-item")
    page.get_by_role("button", name="Keep the item").click()
    expect(page.locator(".item-facts").first).to_contain_text(f"weight {FORK}")
    page.get_by_role("link", name="Done: to the overview").click()
    klass.quiz = page.url
    pictured(page, "15-draft")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("It is published: learners see it now.")).to_be_visible()
    pictured(page, "16-published")


def sits_it(klass: Class, page: Page, code: str) -> str:
    """Bob comes in by the code and answers everything rightly; Carol follows. The address of Bob's attempt."""
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Courses").click()
    page.get_by_role("link", name="Join a course").click()
    page.get_by_label("Join code").fill(code)
    pictured(page, "20-join")
    page.get_by_role("button", name="Join").click()
    pictured(page, "21-joined")
    page.get_by_role("link", name="Week 1: losses").click()
    pictured(page, "22-quiz")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(re.compile(r"/attempts/[0-9a-f-]{36}/"))
    found = re.search(r"/attempts/([0-9a-f-]{36})/", page.url)
    assert found is not None
    attempt = f"{klass.stack.url}/attempts/{found[1]}/"
    first, second = drawn(klass, found[1], code)

    z, t = first["parameters"]["z"], first["parameters"]["t"]
    powers = [math.exp(one) for one in z]
    p = powers[t] / sum(powers)
    page.goto(f"{attempt}1/")
    pictured(page, "23-item")
    answer(
        page,
        {
            "powers": [f"{one:.6g}" for one in powers],
            "total": f"{sum(powers):.6g}",
            "p": f"{p:.6g}",
            "loss": f"{-math.log(p):.6g}",
        },
    )
    page.get_by_role("button", name=re.compile("^Check: try 1")).click()
    expect(verdict(page, "total")).to_contain_text("Not right")
    expect(page.locator("#news")).to_contain_text(re.compile(share(BOB["fork"])))
    pictured(page, "24-marked-wrong")

    page.goto(f"{attempt}2/")
    answer(page, {name: str(key) for name, key in second["keys"].items()})
    page.get_by_role("button", name=re.compile("^Check: try 1")).click()
    expect(page.locator("#news")).to_contain_text("All right.")
    page.goto(f"{attempt}hand-in/")
    pictured(page, "25-hand-in")
    page.get_by_role("button", name="Hand in now").click()
    expect(page.locator(".receipt-code")).to_be_visible()
    sees_a_score(page, attempt, BOB)
    pictured(page, "26-handed-in")
    return attempt


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
    page.get_by_role("button", name=re.compile("^Work it out")).click()
    expect(page.get_by_text("Worked out on")).to_be_visible(timeout=WORKED)
    table = page.get_by_role("region", name="Items")
    for title, key in ((klass.fork, "fork"), ("Counting the chosen tokens", "built-in")):
        cells = table.get_by_role("row", name=re.compile(f"^{title}")).get_by_role("cell")
        expect(cells.nth(0)).to_have_text("2")
        facility = 100 * (bob[key] + carol[key]) / 2
        expect(cells.nth(1)).to_contain_text(re.compile(rf"^\s*{round(facility)} %"))
        expect(cells.nth(4)).to_have_text("1.0")
    pictured(page, f"42-statistics-{when}")


def cell(page: Page, name: str, place: int) -> Locator:
    """One score of somebody in the book that is open."""
    return page.get_by_role("row", name=re.compile(f"^{name}")).get_by_role("cell").nth(place)


def until(page: Page, place: Locator, words: str) -> None:
    """Load a page again until a worker has come so far."""
    for _ in range(40):
        if re.search(words, place.inner_text()):
            return
        page.wait_for_timeout(250)
        page.reload()
    expect(place).to_contain_text(re.compile(words))


def corrects_the_key(klass: Class) -> None:
    """The second version of her fork, from the list of her problems."""
    page = klass.alice
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Problems").click()
    page.get_by_role("link", name=klass.fork, exact=True).click()
    changes_a_line(page, WRONG_RULE, RULE)
    publishes(page, "The total was counted twice.", version=2)


def regrades(klass: Class, *, before: dict[str, Fraction], after: dict[str, Fraction]) -> None:
    """A dry run that says who moves, and the same in earnest; who answered by the wrong key keeps the marks."""
    page = klass.alice
    klass.tab("Regrades")
    page.get_by_role("link", name="Regrade a problem").click()
    page.get_by_label("Problem").select_option(label=klass.fork)
    page.get_by_role("button", name="Choose").click()
    expect(page.get_by_label("Mark by").locator("option:checked")).to_contain_text("version 2")
    page.get_by_label("Why").fill("The total was counted twice.")
    pictured(page, "50-regrade")
    page.get_by_role("button", name="Begin the dry run").click()
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible(timeout=WORKED)
    moves = page.get_by_role("region", name="Who moves, by how much and why")
    row = moves.get_by_role("row", name=re.compile(f"^{klass.bob}"))
    expect(row).to_contain_text(re.compile(f"{share(before['fork'])} → {share(after['fork'])}"))
    expect(row).to_contain_text(re.compile(f"{share(whole(before))} → {share(whole(after))}"))
    expect(moves.get_by_role("row", name=re.compile(f"^{klass.carol}"))).to_have_count(0)
    pictured(page, "51-dry-run")
    page.get_by_role("link", name=re.compile("^Kept as they were")).click()
    expect(page.get_by_role("row", name=re.compile(f"^{klass.carol}"))).to_be_visible()
    pictured(page, "52-kept")
    page.get_by_role("button", name="Apply: the score of 1 answer changes").click()
    expect(page.get_by_text("It was applied")).to_be_visible(timeout=WORKED)
    pictured(page, "53-applied")


def undoes(klass: Class) -> None:
    """From the list of regrades."""
    page = klass.alice
    klass.tab("Regrades")
    page.get_by_role("row", name=re.compile(f"^{klass.fork}")).get_by_role("link").click()
    page.get_by_text("Undo this regrade…").click()
    page.get_by_role("button", name="Undo this regrade").click()
    expect(page.get_by_text("It was undone")).to_be_visible(timeout=WORKED)
    pictured(page, "54-undone")


def is_on_the_trail(klass: Class) -> None:
    """Every deed of hers that changes something for others, in its order."""
    page = klass.alice
    klass.tab("Audit")
    rows = page.get_by_role("region", name="Audit trail").locator("tbody tr")
    pictured(page, "60-audit")
    deeds = [row.locator("td").nth(1).inner_text() for row in rows.all()]
    assert deeds == [
        "undid a regrade",
        "applied a regrade",
        "began a regrade",
        "published a set",
        "changed an item",
        "put items in",
        "put items in",
        "made a set",
        "made the course",
    ]
