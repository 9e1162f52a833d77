"""A set on paper: copies drawn and printed with their keys, and what was written on them entered, one by one or all."""

import csv
import io
import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.looking import scanned
from tests.journeys.test_sets import Class, seeded
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

COPIES = 3


@pytest.fixture
def klass(live_stack: Stack) -> Class:
    """A course with an exam, one who teaches and one who learns."""
    return seeded(live_stack, "exam")


def draw(klass: Class, page: Page) -> str:
    """Three copies of the exam, as who teaches it; the address of the print."""
    klass.sign_in(page, "t", f"/sets/{klass.sets[0]}/")
    page.get_by_role("navigation", name="Of this set").get_by_role("link", name="Paper").click()
    page.get_by_role("textbox", name="Copies").fill(str(COPIES))
    page.get_by_label("What this print is for").fill("Tutorial 2")
    page.get_by_role("button", name="Draw copies").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"{COPIES} copies")
    return page.url


def codes(page: Page) -> list[str]:
    """The codes of the copies, from the page of their print."""
    return page.get_by_role("region", name="Copies").locator("tbody td:nth-child(2)").all_inner_texts()


def test_every_copy_is_printed_on_pages_of_its_own(klass: Class, page: Page) -> None:
    run = draw(klass, page)
    drawn = codes(page)
    assert len(set(drawn)) == COPIES
    for words in ("sheets", "keys", "worked solutions"):
        page.goto(run)
        page.get_by_role("link", name=f"{words} of copies 1 to {COPIES}").click()
        expect(page.locator("article.sheet")).to_have_count(COPIES)
        assert page.locator(".sheet-code strong").all_inner_texts() == drawn
        # Paper is white, also for who reads in the dark, and shows nothing but the copies.
        page.emulate_media(media="print", color_scheme="dark")
        for place, sheet in enumerate(page.locator("article.sheet").all(), start=1):
            style = sheet.evaluate("at => [getComputedStyle(at).breakAfter, getComputedStyle(at).backgroundColor]")
            assert style == ["page" if place < COPIES else "auto", "rgb(255, 255, 255)"], words
        for hidden in (page.get_by_role("banner"), page.locator(".paper-tools")):
            expect(hidden).to_be_hidden()
        pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
        if words == "keys":
            assert pages == COPIES
        else:
            assert COPIES <= pages <= 4 * COPIES, words
        page.emulate_media(media="screen", color_scheme="light")


def test_a_copy_is_found_by_its_code_and_entered_by_keyboard(klass: Class, page: Page) -> None:
    draw(klass, page)
    code = codes(page)[0]
    box = page.get_by_label("Code of the copy")
    box.fill(code[:-1] + ("A" if code[-1] != "A" else "B"))
    box.press("Enter")
    expect(page.locator(".form-error")).to_contain_text("This is no code of a copy")
    box = page.get_by_label("Code of the copy")
    box.fill(code.lower())
    box.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(code)
    page.get_by_label("Written by").fill("somebody else")
    answers = page.locator(".answer-box")
    answers.first.fill("0.25")
    page.get_by_label("Written by").press("Enter")
    expect(page.get_by_text("No learner of this course is called")).to_be_visible()
    expect(answers.first).to_have_value("0.25")
    page.get_by_label("Written by").fill(f"{klass.name}-l")
    page.get_by_label("Written by").press("Enter")
    expect(page.get_by_text(f"Copy 1 is entered for {klass.name}-l")).to_be_visible()
    expect(answers.first).to_have_value("0.25")
    page.get_by_role("link", name="Back to the copies").click()
    row = page.get_by_role("region", name="Copies").get_by_role("row", name=re.compile("^1 "))
    expect(row).to_contain_text(f"{klass.name}-l")
    row.get_by_role("link", name="entered").click()
    expect(page.locator(".try-typed").first).to_contain_text("0.25")


def test_a_table_of_answers_is_entered_without_scripts(klass: Class, plain_page: Page) -> None:
    page = plain_page
    run = draw(klass, page)
    page.get_by_text("Many at once, as a table").click()
    address = page.get_by_role("link", name="Download the table").get_attribute("href")
    head, first, second, _ = csv.reader(io.StringIO(page.request.get(f"{klass.stack.url}{address}").text()))
    first[1], first[3], second[1] = f"{klass.name}-l", "0.25", "somebody else"
    filled = io.StringIO()
    csv.writer(filled).writerows([head, first, second])
    page.get_by_label("Or paste it here").fill(filled.getvalue())
    page.get_by_role("button", name="Preview it first").click()
    rows = page.get_by_role("region", name="Rows of the table").locator("tbody tr")
    expect(rows.nth(0)).to_contain_text("in order")
    expect(rows.nth(1)).to_contain_text("left out")
    page.get_by_role("button", name="Enter these answers").click()
    expect(rows.nth(0)).to_contain_text("entered")
    page.goto(run)
    row = page.get_by_role("region", name="Copies").get_by_role("row", name=re.compile("^1 "))
    expect(row).to_contain_text(f"{klass.name}-l")


def test_nothing_stands_in_anybodys_way(klass: Class, page: Page) -> None:
    run = draw(klass, page)
    page.get_by_text("Many at once, as a table").click()
    scanned(page)
    copy = page.get_by_role("region", name="Copies").get_by_role("link").first.get_attribute("href") or ""
    page.get_by_label("Or paste it here").fill("no,table\n1,2\n")
    page.get_by_role("button", name="Preview it first").click()
    expect(page.locator(".form-error").first).to_be_visible()
    scanned(page)
    for address in (f"{run}sheets/", f"{run}keys/", f"{run}keys/?solutions"):
        page.goto(address)
        expect(page.locator("article.sheet")).to_have_count(COPIES)
        scanned(page)
    klass.go(page, f"/paper/sets/{klass.sets[0]}/")
    page.get_by_role("textbox", name="Copies").fill("0")
    page.get_by_role("button", name="Draw copies").click()
    expect(page.locator(".form-error")).to_be_visible()
    scanned(page)
    klass.go(page, copy)
    for summary in page.locator("main summary").all():
        summary.click()
    page.locator(".answer-box").first.fill("1..2")
    page.get_by_role("button", name="Enter this copy").click()
    expect(page.locator(".form-error").first).to_be_visible()
    scanned(page)
