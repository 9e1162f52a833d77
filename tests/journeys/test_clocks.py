"""What an open page does when the end of its attempt moves, and with what was typed just before it closed."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.journeys.learner import answer, step
from tests.journeys.sitters import SLUGS, Sitter, sitter
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

#: Run in the service's database.
AN_HOUR = """
import datetime as dt
from exercises import clock
attempt.ends_at = clock.now() + dt.timedelta(hours=1)
attempt.save()
"""
#: Puts back what a page keeps of its boxes until the service has them.
KEEP = """() => {
    const { elements, dataset } = document.getElementById("sheet");
    const { attempt, position } = dataset;
    const page = elements.form.value;
    const typed = [...new FormData(document.getElementById("sheet"))].filter(([name]) => name.startsWith("answer-"));
    const key = ["gym:attempt", elements.learner.value, attempt, position, elements.variant.value, page].join(":");
    localStorage.setItem(key, JSON.stringify({ typed, basedOn: "0", page, at: Date.now() }));
}"""


@pytest.fixture
def exam(live_stack: Stack) -> Sitter:
    return sitter(live_stack, "exam", slugs=SLUGS, seconds=3000, feedback="released")


def p_box(page: Page) -> str:
    return step(page, "p").locator("input.answer-box").input_value()


def look_again(page: Page) -> None:
    """As it does every 30 seconds."""
    page.evaluate("dispatchEvent(new Event('online'))")


def test_a_page_that_knows_an_older_end_hands_nothing_in(exam: Sitter, page: Page) -> None:
    def with_an_older_end(route: Route) -> None:
        response = route.fetch()
        body = response.text()
        now = int(re.findall(r'data-now="(\d+)"', body)[0])
        route.fulfill(response=response, body=re.sub(r'data-ends-at="\d+"', f'data-ends-at="{now + 4000}"', body))

    exam.open(page)
    for address in (exam.address(1), exam.address(), exam.address() + "hand-in/"):
        page.route(address, with_an_older_end)
        page.goto(address)
        expect(page.locator("#countdown-said")).to_contain_text("You have more time. Ends")
        expect(page.locator("#countdown-said")).to_be_in_viewport()
        expect(page.locator("#countdown-left")).to_have_text(re.compile(r"^4\d:\d\d$"))
        assert page.url == address
    page.unroute_all()
    page.goto(exam.address(1))
    answer(page, {"p": "0.665"})
    expect(page.locator("#save-state")).to_contain_text("Saved at")


def test_an_end_that_is_taken_away_and_set_again_is_followed(exam: Sitter, page: Page) -> None:
    exam.open(page)
    expect(page.locator("#countdown-left")).to_be_visible()
    exam.run("attempt.ends_at = None\nattempt.save()")
    look_again(page)
    expect(page.locator("#countdown")).to_be_hidden()
    expect(page.locator("#countdown-said")).to_contain_text("The end was taken away")
    page.reload()
    expect(page.locator("#countdown")).to_be_hidden()
    exam.run(AN_HOUR)
    look_again(page)
    expect(page.locator("#countdown-left")).to_have_text(re.compile(r"^5\d:\d\d$"))
    expect(page.locator("#countdown-said")).to_contain_text("An end was set. Ends ")


def test_what_was_saved_while_the_page_closed_is_in_the_next_one(exam: Sitter, page: Page) -> None:
    exam.open(page)
    # What a reload gets when it comes before the save that the closing page sends.
    before = page.request.get(exam.address(1)).text()
    answer(page, {"p": "0.665"})
    expect(page.locator("#save-state")).to_contain_text("Saved at")
    expect(page.locator(".place[aria-current] .icon circle")).to_have_count(1)
    page.evaluate(KEEP)
    page.route(exam.address(1), lambda route: route.fulfill(body=before, content_type="text/html"))
    page.goto(exam.address(1))
    expect(step(page, "p").locator("input.answer-box")).to_have_value("0.665")
    expect(page.locator("#notice")).to_contain_text("is back in its boxes, and saved")
    answer(page, {"loss": "0.408"})
    expect(page.locator(".place[aria-current]")).to_contain_text("typed and saved")
    page.unroute_all()
    # And so it is when it is left at once.
    answer(page, {"loss": "0.41"})
    page.reload()
    expect(step(page, "loss").locator("input.answer-box")).to_have_value("0.41")
    answer(page, {"loss": "0.42"})
    expect(page.locator("#save-state")).to_contain_text("Saved at")
    page.reload()
    assert p_box(page) == "0.665"
    expect(page.locator(".aside-box")).to_have_count(0)


def test_the_row_of_signs_covers_nothing_before_one_types(exam: Sitter, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 700})
    exam.open(page)
    chips, box = page.locator(".chips"), step(page, "p").locator("input.answer-box")
    expect(page.locator(".countdown-until")).to_have_text(re.compile(r"^until \d\d:\d\d$"))
    assert chips.evaluate("row => getComputedStyle(row).position") == "static"
    box.click()
    assert chips.evaluate("row => getComputedStyle(row).position") == "sticky"
    page.get_by_role("button", name="square root").click()
    expect(box).to_have_value("sqrt()")
    expect(box).to_be_focused()
