"""A problem leaves as a file and comes in again with a colleague; questions of another system come in; by keyboard."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.journeys.learner import Learner, seeded
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)
GIFT = """::Half of three:: What is half of 3? {=1.5 =%50%15#The point is not where it belongs.}

::Say it:: In your own words {}
"""


@pytest.fixture
def author(live_stack: Stack) -> Learner:
    """Somebody new who teaches."""
    return seeded(live_stack, teaches=True)


@pytest.fixture
def colleague(live_stack: Stack) -> Learner:
    """Another one."""
    return seeded(live_stack, teaches=True)


def is_fit(page: Page) -> None:
    """Nothing that a screen reader would stumble over, on a phone and on a desk, and nothing wider than the page."""
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def chosen(page: Page, name: str, content: bytes) -> None:
    """A file put into the form, and looked at."""
    page.get_by_label("File").set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})
    page.get_by_role("button", name="Show what would be imported").click()


def test_a_problem_is_exported_and_imported_again_and_a_question_of_another_system_too(
    author: Learner, colleague: Learner, page: Page, browser: Browser, tmp_path: Path
) -> None:
    author.sign_in(page, then="/author/new/")
    page.get_by_label("Title").fill("Loss of one word")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("link", name="Export").click()
    is_fit(page)

    # First what is lost, in the form of another system, then the file of our own.
    page.get_by_label("Moodle XML").check()
    page.get_by_label("Variants of each problem").fill("3")
    page.get_by_role("button", name="Show what comes along").click()
    expect(page.get_by_role("heading", name=re.compile("as Moodle XML"))).to_be_visible()
    expect(page.locator(".exchange-entry")).to_contain_text("3 cloze questions")
    is_fit(page)
    page.get_by_label("BERT gym").check()
    page.get_by_role("button", name="Show what comes along").press("Enter")
    expect(page.locator(".exchange-entry")).to_contain_text("Nothing is lost")
    with page.expect_download() as waited:
        page.get_by_role("button", name=re.compile("Download")).click()
    file = tmp_path / waited.value.suggested_filename
    waited.value.save_as(file)
    assert file.name == "loss-of-one-word-bert-gym.zip"

    other = browser.new_context(java_script_enabled=False)
    theirs = other.new_page()
    colleague.sign_in(theirs, then="/author/")
    theirs.get_by_role("link", name="Import").click()
    chosen(theirs, file.name, file.read_bytes())
    expect(theirs.locator(".exchange-entry")).to_contain_text("A draft of yours")
    theirs.get_by_role("button", name=re.compile("Take it over")).click()
    expect(theirs.get_by_role("status")).to_contain_text("1 problem came in")
    theirs.get_by_role("link", name="Loss of one word").click()
    expect(theirs.locator("#source")).to_have_value(re.compile("title: Loss of one word"))
    other.close()

    # A question of another system comes in as a draft, and what cannot be taken says why.
    page.goto(f"{author.stack.url}/exchange/import/")
    chosen(page, "questions.gift", GIFT.encode())
    expect(page.locator(".exchange-entry")).to_have_count(2)
    expect(page.locator(".exchange-entry").nth(1)).to_contain_text("an essay is not marked here")
    is_fit(page)
    page.get_by_role("button", name=re.compile("Take it over")).click()
    page.get_by_role("link", name="Half of three").click()
    expect(page.locator("#faults")).to_contain_text("The file can be read")

    # A file that was spoilt keeps everything out, and says where.
    page.goto(f"{author.stack.url}/exchange/import/")
    chosen(page, "mine.yaml", b"title: [\n")
    expect(page.get_by_text("this is not YAML")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Take it over"))).to_have_count(0)
    is_fit(page)
