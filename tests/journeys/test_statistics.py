"""How a class does, as those who teach it look at it: by keyboard, without scripts, on a phone, in the dark."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys.learner import signed_in
from tests.journeys.looking import comes_true, scanned
from tests.journeys.sitters import SLUGS, Sitter, sitter
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

#: Figures come from a worker that shares the machine with the tests.
WORKED = 60_000
#: A class of thirty that has studied for weeks, and one of its quizzes: the demo world's, which nobody changes.
TEACHER, QUIZ = "alice", "Quiz 1: from logits to loss"


def open_class(stack: Stack, page: Page) -> str:
    """As its teacher, on the page of the demo's class; the address."""
    signed_in(page, stack, TEACHER, then="/courses/")
    page.locator(".course-list").get_by_role("link", name="BERT by hand").first.click()
    page.get_by_role("navigation", name="Of this course").get_by_role("link", name="Class").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Class")
    return page.url


def open_quiz(page: Page) -> str:
    """From a page of the course to the statistics of its quiz; the address."""
    page.get_by_role("navigation", name="Of this course").get_by_role("link", name="Sets").click()
    page.get_by_role("link", name=QUIZ).click()
    page.get_by_role("navigation", name="Of this set").get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(QUIZ)
    return page.url


def open_withdrawal(page: Page, quiz: Sitter) -> None:
    """Where the variant that a learner had is withdrawn, as who teaches them."""
    printed = quiz.run("item = attempt.items.get(position=1); print('HAD', item.item_id, item.variants.get().digest)")
    line = next(line for line in printed.splitlines() if line.startswith("HAD "))
    _, item, digest = line.split()
    address = f"/statistics/sets/{quiz.problem_set}/items/{item}/withdraw/?digest={digest}"
    signed_in(page, quiz.stack, f"teacher-{quiz.name}", then=address)
    expect(page.get_by_role("heading", level=1)).to_have_text("Withdraw a variant")


def test_from_the_class_to_the_items_of_a_quiz(live_stack: Stack, page: Page) -> None:
    open_class(live_stack, page)
    heat = page.get_by_role("region", name="Learners and skills")
    everybody = heat.locator("tbody tr").count()
    assert everybody >= 30
    name = heat.locator("tbody th").first.inner_text()
    page.get_by_role("searchbox", name="Name").fill(name)
    page.get_by_role("button", name="Show").click()
    expect(heat.locator("tbody tr")).to_have_count(1)
    expect(heat.locator("tbody th")).to_have_text(name)
    page.get_by_role("searchbox", name="Name").fill("nobody is called so")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("Nobody fits this.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download all as CSV").click()
    assert len(download.value.path().read_text("utf-8-sig").splitlines()) > everybody

    open_quiz(page)
    page.get_by_role("button", name=re.compile("^Calculate")).click()
    # The page fetches what is ready by itself.
    expect(page.get_by_text("Calculated on")).to_be_visible(timeout=WORKED)
    row = page.get_by_role("region", name="Items").get_by_role("row", name=re.compile("^Loss at one masked token"))
    expect(row.get_by_role("cell").nth(1)).to_contain_text(re.compile(r"^\s*\d+ % +\d+ % to \d+ %"))
    expect(row.get_by_role("cell").nth(2)).to_have_text(re.compile(r"^[+−]\d\.\d\d$"))
    row.get_by_role("link").click()
    steps = page.get_by_role("region", name="Steps of Loss at one masked token")
    expect(steps).to_be_in_viewport()
    learners = int(row.get_by_role("cell").first.inner_text())
    panel = page.locator("section.panel").filter(has=page.get_by_role("heading", name="Loss at one masked token"))
    panel.get_by_text("As a table").click()
    counts = panel.locator(".spread td").all_inner_texts()
    assert sum(map(int, counts)) == learners


def test_tables_are_read_by_keyboard_on_a_phone(live_stack: Stack, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    open_class(live_stack, page)
    heat = page.get_by_role("region", name="Learners and skills")
    heat.focus()
    page.keyboard.press("ArrowRight")
    comes_true(page, "document.activeElement.scrollLeft > 0")
    page.keyboard.press("Tab")
    expect(heat.get_by_role("link").first).to_be_focused()
    # What a cell is painted with is said as well.
    said = heat.locator("tbody td").first.get_by_text(
        re.compile("mastered|proficient|learning|not started", re.IGNORECASE)
    )
    expect(said).to_have_count(1)


def test_without_scripts_figures_are_worked_out_and_a_variant_is_withdrawn(live_stack: Stack, plain_page: Page) -> None:
    page, quiz = plain_page, sitter(live_stack, "quiz", slugs=SLUGS[:2])
    open_withdrawal(page, quiz)
    page.get_by_label("Reason").fill(" ")
    page.get_by_role("button", name="Withdraw it").click()
    expect(page.locator(".form-error")).to_contain_text("required")
    page.get_by_label("Reason").fill("Its numbers are too close to each other.")
    page.get_by_role("button", name="Withdraw it").click()
    expect(page.get_by_text("It is drawn for nobody any more.")).to_be_visible()
    expect(page.get_by_text("Not calculated yet.")).to_be_visible()
    page.get_by_role("button", name="Calculate now").click()
    for _ in range(180):
        if page.get_by_text("Calculated on").is_visible():
            break
        page.wait_for_timeout(500)
        page.goto(page.url)
    expect(page.get_by_role("region", name="Items").get_by_role("row")).to_have_count(3)


def test_nothing_stands_in_anybodys_way(live_stack: Stack, page: Page, context: BrowserContext) -> None:
    open_class(live_stack, page)
    scanned(page)
    open_quiz(page)
    for summary in page.locator("main summary").all():
        summary.click()
    scanned(page)
    context.clear_cookies()
    open_withdrawal(page, sitter(live_stack, "quiz", slugs=SLUGS[:1]))
    scanned(page)
    page.get_by_label("Reason").fill(" ")
    page.get_by_role("button", name="Withdraw it").click()
    expect(page.locator(".form-error")).to_be_visible()
    scanned(page)
