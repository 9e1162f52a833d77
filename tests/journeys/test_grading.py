"""Grades as teachers meet them in a browser: from the book to a mark, to a decision, and back again."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.learner import MARKED, signed_in
from tests.journeys.looking import comes_true, scanned
from tests.journeys.sitters import SLUGS, Sitter, sitter
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

#: The learner takes the logits for probabilities; twelve others have begun, three of them are done, one is late.
SEED = (
    """
import datetime as dt, json
from exercises import clock
from exercises.actions.sitting.check import check_item
from exercises.actions.sitting.hand_in import hand_in
from exercises.tasks import grade_pending
item = attempt.items.get(position=1)
answers = {"total": "11.107", "p": "0.6667", "loss": "0.9"}
variant = item.variants.get()
check_item(attempt_item=item, variant_id=str(variant.public_id), answers=answers, based_on=0, is_sure=True)
hand_in(attempt=attempt)
grade_pending()
"""
    + MARKED
    + """
course, made = attempt.problem_set.course, attempt.problem_set
made.pass_mark, made.title = "7/10", "Week 3: softmax and masks"
made.save()
whose = Enrolment.objects.get(course=course, user=attempt.learner)
whose.name = "Bob Bell"
whose.save()
now = clock.now()
ProblemSet.objects.create(course=course, title="Week 4: exam", mode="exam", published_at=now, position=1)
for number in range(12):
    user = User.objects.create_user(f"{attempt.learner.username}-{number}")
    Enrolment.objects.create(course=course, user=user, name=f"Learner {number:02}", external_id=str(4700 + number))
    if number % 4:
        row = Attempt.objects.create(problem_set=made, learner=user, score_numerator=39 + number, score_denominator=56)
        if number % 4 == 1:
            Attempt.objects.filter(pk=row.pk).update(handed_in_at=now, late_days=number == 5)
Extension.objects.create(problem_set=made, learner=user, due_at=now)
print("SEEDED " + json.dumps([str(course.public_id), whose.pk]))
"""
)


class Taught:
    """A course with grades, and its teacher."""

    def __init__(self, stack: Stack) -> None:
        self.sitter: Sitter = sitter(stack, "quiz", slugs=SLUGS[:2], credits=["1", "1/2"])
        line = next(line for line in self.sitter.run(SEED).splitlines() if line.startswith("SEEDED "))
        self.course, self.member = json.loads(line.removeprefix("SEEDED "))
        self.url = stack.url

    @property
    def book(self) -> str:
        return f"/grades/{self.course}/"

    @property
    def of_set(self) -> str:
        return f"/grades/sets/{self.sitter.problem_set}/"

    @property
    def of_attempt(self) -> str:
        return f"/grades/attempts/{self.sitter.attempt}/"

    def open(self, page: Page, path: str) -> None:
        signed_in(page, self.sitter.stack, f"teacher-{self.sitter.name}", then=path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.fixture
def taught(live_stack: Stack) -> Taught:
    return Taught(live_stack)


def shot(page: Page, name: str, folder: Path) -> None:
    page.screenshot(path=folder / f"{name}.png", full_page=True)


def test_from_the_book_to_a_decision_for_all_and_back(taught: Taught, page: Page, tmp_path: Path) -> None:
    taught.open(page, taught.book)
    row = page.get_by_role("row", name=re.compile("^Bob Bell"))
    expect(row).to_contain_text("not passed")
    before = row.get_by_role("link").first.inner_text()
    shot(page, "book", tmp_path)
    page.get_by_role("link", name="Week 3: softmax and masks").click()
    page.get_by_role("row", name=re.compile("^Bob Bell")).get_by_role("link", name=before).first.click()
    line = page.locator(".try-line").filter(has_text="no-exp")
    expect(line).to_contain_text("A known mistake")
    line.locator("summary").click()
    shot(page, "attempt", tmp_path)
    line.get_by_role("link", name=re.compile("^Accept p.no-exp for all")).click()
    expect(page.get_by_role("row", name=re.compile("^Bob Bell"))).to_contain_text(before)
    shot(page, "ruling", tmp_path)
    page.get_by_role("button", name="Decide so for all").click()
    expect(page.get_by_text("Say why.")).to_be_visible()
    page.get_by_label("Reason").fill("The statement spoke of shares")
    page.get_by_role("button", name="Decide so for all").click()
    expect(page.get_by_role("status").first).to_contain_text("It is decided. The scores follow.")
    expect(page.get_by_text("Counts 100 %: accepted for all.")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Take back ?: the mistake")).click()
    page.get_by_label("Reason").fill("It did not")
    page.get_by_role("button", name="Take it back").click()
    page.goto(taught.url + taught.book)
    expect(page.get_by_role("row", name=re.compile("^Bob Bell"))).to_contain_text(before)


def test_a_score_by_hand_without_scripts(taught: Taught, plain_page: Page) -> None:
    page = plain_page
    taught.open(page, taught.of_set)
    page.get_by_role("link", name="Set the score of Learner 00 by hand").click()
    page.get_by_label("Score").fill("85")
    page.get_by_label("Reason").fill("Oral exam")
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_text("Did you mean 85 %?")).to_be_visible()
    page.get_by_label("Score").fill("85 %")
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_role("row", name=re.compile("^Learner 00"))).to_contain_text("85 %")
    page.get_by_role("button", name="Set this score").click()
    expect(page.get_by_role("row", name=re.compile("^Learner 00"))).to_contain_text("by hand")


def test_a_file_comes_in_as_it_went_out(taught: Taught, page: Page) -> None:
    taught.open(page, taught.book)
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV for Excel").click()
    page.get_by_role("link", name="Import grades").click()
    page.get_by_label(re.compile("^File")).set_input_files(download.value.path())
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_role("heading", name="Nothing would change")).to_be_visible()
    box = page.get_by_label(re.compile("^Or paste it here"))
    box.fill(box.input_value().replace("Learner 00,,", "Learner 00,12.5,", 1))
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_role("row", name=re.compile("^Learner 00"))).to_contain_text("12.5 %")
    page.get_by_label(re.compile("^Reason")).fill("On paper")
    page.get_by_role("button", name="Apply this score").click()
    expect(page.get_by_role("status").first).to_contain_text("1 score set by hand from the file.")


def test_the_book_is_read_by_keyboard(taught: Taught, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    taught.open(page, taught.book)
    box = page.get_by_role("region", name="Grade book, learners by sets")
    box.focus()
    page.keyboard.press("ArrowRight")
    comes_true(page, "document.querySelector('.book-scroll').scrollLeft > 0")
    # The name and the head stay in sight while the rest scrolls by.
    sides = box.evaluate(
        """box => { box.scrollTo(9999, 9999); const edge = box.getBoundingClientRect();
        const name = box.querySelector('tbody tr:last-child .book-name').getBoundingClientRect();
        const head = box.querySelector('thead th:last-child').getBoundingClientRect();
        return [name.left - edge.left, head.top - edge.top]; }"""
    )
    assert max(abs(side) for side in sides) < 3
    page.keyboard.press("Tab")
    expect(box.get_by_role("link").first).to_be_focused()


def test_nothing_stands_in_anybodys_way(taught: Taught, page: Page) -> None:
    by_hand = f"{taught.of_set}learners/{taught.member}/"
    taught.open(page, taught.book)
    deciding = (f"{taught.of_attempt}count-as/", f"{taught.of_set}decisions/", f"{taught.book}import/")
    for path in (taught.book, taught.of_set, taught.of_attempt, by_hand, f"{by_hand}another/", *deciding):
        page.goto(taught.url + path)
        for summary in page.locator("summary").all():
            summary.click()
        scanned(page)
