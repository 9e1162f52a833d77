"""The pictures of the README, taken from the live service: `make screenshots`.

Not part of the suite (the name keeps it from being collected): it asserts nothing, it shows.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.journeys.learner import PASSWORD, answer, check_all, seeded, verdict
from tests.stacks import Stack

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
#: The first worked example: a forecast kept, shares of the raw logits taken for probabilities, the loss being typed.
EXAMPLE = ("masked-token-loss", {"words": ["mat", "car", "sky"], "z": [2.0, 1.0, 0.0], "t": 0})
FORECAST = "smaller: mat has the largest logit"
ANSWERS = {"powers": ["7.389", "2.718", "1"], "total": "11.107", "p": "0.6667"}
RENAME = "from exercises.models import User; User.objects.filter(username={old!r}).update(username={new!r})"
SET_PASSWORD = """
from exercises.models import User
user = User.objects.get(username={name!r})
user.set_password({password!r})
user.save()
"""
WIDTH = 1280


def test_pictures(new_stack: Callable[[str], Stack], browser: Browser) -> None:
    stack = new_stack("embedded")
    somebody = seeded(stack, EXAMPLE)
    stack.run(RENAME.format(old=somebody.name, new="ada"))
    ada = replace(somebody, name="ada")
    context = browser.new_context(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
    page = context.new_page()
    ada.open(page)
    page.get_by_label("What do you expect?").fill(FORECAST)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".forecast-said")).to_be_visible()
    answer(page, ANSWERS)
    check_all(page)
    expect(verdict(page, "p")).to_contain_text("A known mistake")
    answer(page, {"loss": "-ln(0.6667)"})
    expect(page.locator("#reading-loss")).to_contain_text("0.405")
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    # As tall as the page itself: what sticks to the lower edge of a window then lies where it belongs.
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": WIDTH, "height": height})
    page.evaluate("window.scrollTo(0, 0)")
    page.screenshot(path=IMAGES / "problem.png")
    context.close()
    _pictures_of_progress(stack, browser)


def _pictures_of_progress(stack: Stack, browser: Browser) -> None:
    """As somebody sees it who has studied for two weeks."""
    stack.manage("demo_world")
    password = SET_PASSWORD.format(name="bob", password=PASSWORD)
    stack.run(password)
    context = browser.new_context(viewport={"width": WIDTH, "height": 1000}, color_scheme="light")
    page = context.new_page()
    replace(seeded(stack), name="bob").sign_in(page)
    page.screenshot(path=IMAGES / "practice.png")
    page.goto(f"{stack.url}/progress/softmax/")
    page.set_viewport_size({"width": WIDTH, "height": 900})
    page.screenshot(path=IMAGES / "history.png")
    context.close()
    _pictures_of_teaching(stack, browser)


def _pictures_of_teaching(stack: Stack, browser: Browser) -> None:
    """As Alice sees it, who teaches the course of the demo world."""
    stack.run(SET_PASSWORD.format(name="alice", password=PASSWORD))
    context = browser.new_context(viewport={"width": WIDTH, "height": 1000}, color_scheme="light")
    page = context.new_page()
    replace(seeded(stack), name="alice").sign_in(page)
    page.goto(f"{stack.url}/courses/")
    page.get_by_role("link", name="BERT by hand").first.click()
    page.get_by_role("link", name="Grade book").click()
    expect(page.get_by_role("heading", name="Grade book")).to_be_visible()
    page.screenshot(path=IMAGES / "gradebook.png")
    page.goto(f"{stack.url}/author/")
    page.get_by_role("link", name="Next-sentence loss, our numbers", exact=True).click()
    source = page.locator(".cm-content")
    expect(source).to_be_visible()
    source.click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Control+f")
    page.keyboard.press("Escape")
    page.screenshot(path=IMAGES / "editor.png")
    page.goto(f"{stack.url}/lms/new/?kind=moodle")
    page.screenshot(path=IMAGES / "lms.png")
    context.close()
