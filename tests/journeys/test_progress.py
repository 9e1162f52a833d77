"""Progress as people meet it: a step answered in a real browser moves the map, the chart and what comes next."""

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.journeys.learner import Learner, answer, check_all, seeded, verdict
from tests.journeys.looking import DESK, PHONE, SMALLEST_TARGET, scanned
from tests.journeys.test_problem_page import C1
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

HEADER = ("Practice", "Today", "Cards", "My progress", "Courses", "My answers")


@pytest.fixture
def learner(live_stack: Stack) -> Learner:
    """Somebody new, with a variant of the first worked example."""
    return seeded(live_stack, C1)


def box_on_map(page: Page, title: str) -> Locator:
    """The box of a skill."""
    return page.get_by_role("navigation", name="Skill map").get_by_role("link", name=re.compile(f"^{title},"))


def next_for(page: Page) -> str:
    """What the strip above the map says comes next, with its reason."""
    strip = page.locator(".next-step").last
    return strip.inner_text()


def test_a_graded_step_moves_the_map_the_history_and_the_day(learner: Learner, page: Page) -> None:
    learner.sign_in(page)
    expect(box_on_map(page, "Softmax")).to_have_attribute("aria-label", re.compile("not started"))
    page.goto(learner.address())
    answer(page, {"p": "0.665", "loss": "0.408", "total": "11.107"})
    check_all(page)
    expect(page.locator("#done .risen")).to_contain_text("Softmax: learning")
    page.locator("#done .risen").get_by_role("link", name="My progress").click()
    expect(box_on_map(page, "Softmax")).to_have_attribute("aria-label", re.compile("^Softmax, learning,"))
    expect(page.get_by_role("row", name=re.compile("^Softmax "))).to_contain_text("Learning since")
    expect(page.get_by_role("img", name=re.compile("^Study calendar"))).to_be_visible()
    box_on_map(page, "Softmax").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Softmax")
    expect(page.get_by_role("img", name=re.compile(r"\d steps from .* [5-9]\d% now"))).to_be_visible()
    page.locator("summary").click()
    expect(page.get_by_role("row", name=re.compile("Loss at one masked token, p"))).to_be_visible()
    page.get_by_role("link", name="Practice").click()
    expect(box_on_map(page, "Cross-entropy")).to_have_attribute("aria-label", re.compile("^Cross-entropy, learning,"))


def test_what_comes_next_moves_with_what_was_done(learner: Learner, page: Page) -> None:
    learner.sign_in(page)
    before = next_for(page)
    assert "New for you:" in before
    page.locator(".next-step").last.get_by_role("button").click()
    box = page.locator("#answers input.answer-box").first
    # Whoever looks at the solution without trying anything has shown nothing, and nothing would move.
    box.fill("99")
    box.press("Enter")
    expect(page.locator("[id^=feedback-]").first).not_to_be_empty()
    page.get_by_role("button", name="Show the worked solution").click()
    page.get_by_role("button", name="Show it and close this variant").click()
    expect(page.locator("#solution")).to_be_visible()
    page.get_by_role("link", name="Practice", exact=True).first.click()
    assert next_for(page) != before


def test_a_wrong_answer_and_a_duplicate_raise_nothing(learner: Learner, page: Page) -> None:
    learner.open(page)
    answer(page, {"p": "0.6667"})
    check_all(page)
    expect(verdict(page, "p")).to_contain_text("A known mistake")
    check_all(page)
    expect(page.get_by_text("You tried this answer before")).to_be_visible()
    page.goto(f"{learner.stack.url}/progress/softmax/")
    expect(page.get_by_text("No step of this skill was closed yet")).to_be_visible()


def test_the_session_of_the_day_without_scripts(learner: Learner, plain_page: Page) -> None:
    page = plain_page
    learner.sign_in(page, then="/today/")
    page.get_by_role("button", name="Begin today’s session").click()
    expect(page.locator("#session-state")).to_contain_text("0 of")
    first = page.locator(".session-item").first
    expect(first.locator(".session-reason")).to_contain_text("New for you:")
    first.get_by_role("button", name=re.compile("^Begin")).click()
    expect(page.locator("#answers")).to_be_visible()
    page.get_by_role("link", name="Today").click()
    expect(page.locator(".session-item").first).to_contain_text("begun")
    page.locator(".session-item").first.get_by_role("button", name=re.compile("^Go on")).click()
    page.get_by_role("button", name="Show the worked solution").click()
    page.get_by_role("button", name="Show it and close this variant").click()
    page.get_by_role("link", name="Today").click()
    expect(page.locator("#session-state")).to_contain_text("1 of")


def test_the_time_zone_of_the_browser_is_offered(learner: Learner, browser: Any) -> None:
    context: BrowserContext = browser.new_context(timezone_id="Asia/Tokyo", locale="en-GB")
    page = context.new_page()
    learner.sign_in(page, then="/plan/")
    page.get_by_role("button", name="Take Tokyo, as this browser says").click()
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    expect(page.locator("#browser-zone")).to_be_hidden()
    page.get_by_label("New cards a day").fill("some")
    page.get_by_role("button", name="Save the plan").click()
    expect(page.get_by_text("Write a whole number")).to_be_visible()
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    page.get_by_label("New cards a day").fill("3")
    page.get_by_role("button", name="Save the plan").click()
    expect(page.get_by_role("status")).to_contain_text("Your study plan is kept.")
    page.get_by_role("link", name="My progress").first.click()
    expect(page.get_by_text("Your days begin at 04:00, Asia/Tokyo.")).to_be_visible()
    context.close()


def test_the_map_is_walked_by_keyboard(learner: Learner, page: Page) -> None:
    learner.sign_in(page, then="/progress/")
    box_on_map(page, "Counting tokens").focus()
    page.keyboard.press("Tab")
    expect(box_on_map(page, "Vocabulary and notation")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Vocabulary and notation")


def test_on_a_phone_names_lead_to_the_skills_in_place_of_the_map(learner: Learner, page: Page) -> None:
    learner.sign_in(page)
    expect(page.get_by_text("Find a skill")).to_be_hidden()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.get_by_role("navigation", name="Skill map")).to_be_hidden()
    page.get_by_text("Find a skill").click()
    page.locator(".skill-finder").get_by_role("link", name="Perplexity").click()
    expect(page.get_by_role("heading", level=2, name="Perplexity")).to_be_in_viewport()


def test_nothing_stands_in_anybodys_way(learner: Learner, page: Page) -> None:
    def every_way_is_there() -> None:
        ways = page.get_by_role("navigation", name="Main").get_by_role("link")
        assert tuple(ways.all_inner_texts()) == HEADER
        heights = [box["height"] for way in ways.all() if (box := way.bounding_box())]
        assert min(heights) >= SMALLEST_TARGET

    learner.open(page)
    answer(page, {"p": "0.6667"})
    check_all(page)
    expect(verdict(page, "p")).to_contain_text("A known mistake")
    answer(page, {"p": "0.665", "loss": "0.408", "total": "11.107"})
    check_all(page)
    expect(page.locator("#done")).to_be_visible()
    scanned(page)
    page.goto(f"{learner.stack.url}/today/")
    scanned(page)
    page.get_by_role("button", name="Begin today’s session").click()
    expect(page.locator("#session-state")).to_be_visible()
    for path in ("/today/", "/", "/progress/", "/progress/softmax/", "/progress/perplexity/", "/plan/"):
        page.goto(learner.stack.url + path)
        for summary in page.locator("summary:visible").all():
            summary.click()
        scanned(page, (PHONE, (800, "light"), DESK), also=every_way_is_there)
