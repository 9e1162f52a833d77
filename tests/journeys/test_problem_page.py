"""The problem page as people use it: by mouse, by keyboard alone, without scripts, on a phone, in the dark, by ear."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys.learner import (
    Learner,
    answer,
    check_all,
    fill_in_sign_in,
    marked_plainly,
    seeded,
    sign_out,
    step,
    verdict,
)
from tests.journeys.looking import scanned
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

C1 = ("masked-token-loss", {"words": ["mat", "car", "sky"], "z": [2.0, 1.0, 0.0], "t": 0})
AVERAGE = ("mlm-average", {"tokens": 10, "positions": [], "losses": []})


@pytest.fixture
def learner(live_stack: Stack) -> Learner:
    """Somebody new, with a variant of the first worked example."""
    return seeded(live_stack, C1)


def test_somebody_new_signs_up_draws_and_solves(live_stack: Stack, page: Page) -> None:
    page.goto(live_stack.url)
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    page.get_by_label("Username").fill("newcomer")
    page.get_by_label("Password", exact=True).fill("a long enough secret")
    page.get_by_label("Password (again)").fill("a long enough secret")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("banner")).to_contain_text("newcomer")
    page.get_by_role("navigation", name="Skill map").get_by_role("link", name=re.compile("^Softmax,")).click()
    page.locator("#skill-softmax").get_by_role("button", name=re.compile("Loss at one masked token")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Loss at one masked token")
    first = page.url
    page.get_by_role("button", name="Another variant").click()
    expect(page.locator("#answers")).to_be_visible()
    expect(page).not_to_have_url(first)


def test_the_page_reads_along_and_keeps_the_notation_at_hand(learner: Learner, page: Page) -> None:
    learner.open(page)
    box = step(page, "p").locator("input.answer-box")
    box.press_sequentially("5e-2")
    expect(page.locator("#reading-p")).to_have_text("read as 0.05")
    box.fill("log(2)")
    expect(page.locator("#reading-p")).to_contain_text("log2")
    box.fill("")
    page.get_by_role("button", name="ln", exact=True).click()
    expect(box).to_have_value("ln()")
    page.keyboard.type("2")
    expect(box).to_have_value("ln(2)")
    expect(page.locator("#reading-p")).to_contain_text("0.693")


def test_formulas_are_drawn_and_can_be_read(learner: Learner, page: Page) -> None:
    learner.open(page)
    expect(page.locator(".statement .katex").first).to_be_visible()
    assert page.locator(".katex math").count() > 0
    height = page.evaluate("document.querySelector('.step .katex').getBoundingClientRect().height")
    assert height > 10


def test_a_verdict_is_announced_and_the_focus_stays(learner: Learner, page: Page) -> None:
    learner.open(page)
    answer(page, {"p": "0.6667"})
    step(page, "p").get_by_role("button", name="Check").click()
    expect(page.locator("#announcer")).to_contain_text("a known mistake.")
    assert page.locator("#announcer").get_attribute("aria-live") == "polite"
    assert page.evaluate("document.activeElement.id") == "check-p"
    described = step(page, "p").locator("input.answer-box").get_attribute("aria-describedby") or ""
    assert "feedback-p" in described.split()


def test_the_figure_fills_in_with_the_right_probability(learner: Learner, page: Page) -> None:
    learner.open(page)
    expect(page.get_by_role("img", name=re.compile("mat not known yet"))).to_be_visible()
    answer(page, {"p": "0.665"})
    check_all(page)
    expect(page.get_by_role("img", name=re.compile(r"mat 0\.665"))).to_be_visible()


def test_by_keyboard_alone(learner: Learner, page: Page) -> None:
    page.goto(learner.address())
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.get_by_label("Name or email").focus()
    page.keyboard.type(learner.name)
    page.keyboard.press("Tab")
    page.keyboard.type("a learner of the journeys")
    page.keyboard.press("Enter")
    expect(page.locator("#answers")).to_be_visible()
    for _ in range(60):
        if page.evaluate("document.activeElement.id") == "box-p":
            break
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches(':focus-visible')")
    page.keyboard.type("0.665")
    page.keyboard.press("Enter")
    expect(verdict(page, "p")).to_contain_text("Right")
    expect(page.locator("#box-p")).to_be_focused()
    assert page.locator("#feedback-loss").count() == 0, "Enter checks the step it is pressed in"
    for _ in range(6):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "box-loss":
            break
    page.keyboard.type("0.408")
    while page.evaluate("document.activeElement.id") != "check-all":
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.locator("#done")).to_be_visible()


def test_without_scripts(learner: Learner, plain_page: Page) -> None:
    page = plain_page
    learner.open(page)
    assert page.locator("math").count() > 0
    assert page.locator(".chips").is_hidden()
    page.get_by_label("What do you expect?").fill("below")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".forecast")).to_contain_text("You expected: below")
    answer(page, {"p": "0.6667", "loss": "0.4055"})
    step(page, "p").get_by_role("button", name="Hint").click()
    expect(step(page, "p").locator(".hint")).to_have_count(1)
    expect(step(page, "p").locator("input.answer-box")).to_have_value("0.6667")
    check_all(page)
    marked_plainly(page)
    expect(verdict(page, "p")).to_contain_text("A known mistake")
    expect(verdict(page, "loss")).to_contain_text("carried forward")
    page.reload()
    expect(page.locator(".so-far summary")).to_have_text("Your answers so far (1)")
    page.get_by_role("button", name="Show the worked solution").click()
    page.get_by_role("button", name="Show it and close this variant").click()
    expect(page.locator("#solution")).to_contain_text("Worked solution")
    assert page.get_by_role("button", name="Check all steps").count() == 0


def test_the_solution_is_asked_for_once_and_has_the_numbers_put_in(learner: Learner, page: Page) -> None:
    learner.open(page)
    page.get_by_role("button", name="Show the worked solution").click()
    page.get_by_role("link", name="Keep working").click()
    expect(page.get_by_role("button", name="Check all steps")).to_be_visible()
    page.get_by_role("button", name="Show the worked solution").click()
    page.get_by_role("button", name="Show it and close this variant").click()
    expect(page.locator("#solution")).to_be_visible()
    expect(page.locator("#solution .checks li")).not_to_have_count(0)
    expect(page.locator("#solution")).to_contain_text("0.4076")
    page.get_by_role("button", name="Another variant").click()
    expect(page.get_by_role("button", name="Check all steps")).to_be_visible()


def test_nothing_to_average_is_answered_with_one_click(live_stack: Stack, page: Page) -> None:
    learner = seeded(live_stack, AVERAGE)
    learner.open(page)
    answer(page, {"count": "0", "total": "0"})
    step(page, "mean").get_by_role("button", name="undefined").click()
    check_all(page)
    expect(verdict(page, "mean")).to_contain_text("Right")


def test_an_expired_session_loses_nothing(learner: Learner, page: Page, context: BrowserContext) -> None:
    learner.open(page)
    answer(page, {"p": "0.6667", "powers": ["7.389", "2.718", "1"]})
    context.clear_cookies(name="sessionid")
    check_all(page)
    expect(page.locator("#notice")).to_contain_text("You have been signed out.")
    expect(step(page, "p").locator("input.answer-box")).to_have_value("0.6667")
    page.get_by_role("link", name="Sign in again").click()
    fill_in_sign_in(page, learner.name)
    expect(step(page, "p").locator("input.answer-box")).to_have_value("0.6667")
    expect(page.locator("#box-powers-2")).to_have_value("2.718")
    expect(page.locator("#notice")).to_contain_text("back in its boxes")
    check_all(page)
    expect(verdict(page, "p")).to_contain_text("A known mistake")
    expect(page.locator(".so-far summary")).to_have_text("Your answers so far (1)")


def test_what_was_never_sent_is_there_again_when_one_comes_back(learner: Learner, page: Page) -> None:
    learner.open(page)
    answer(page, {"p": "0.6"})
    expect(page.locator("#reading-p")).to_have_text("read as 0.6")
    page.get_by_role("link", name="How to type an answer").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How to type an answer")
    page.goto(learner.address())
    expect(page.locator("#box-p")).to_have_value("0.6")
    expect(page.locator("#restored")).to_be_visible()


def test_another_person_in_another_tab_is_refused_by_name(
    live_stack: Stack, learner: Learner, page: Page, context: BrowserContext
) -> None:
    other = seeded(live_stack, C1)
    learner.open(page)
    second = context.new_page()
    second.goto(live_stack.url)
    sign_out(second)
    other.sign_in_by_form(second)
    answer(page, {"p": "0.665"})
    check_all(page)
    expect(page.locator("#notice")).to_contain_text(f"signed in as {other.name}")
    expect(step(page, "p").locator("input.answer-box")).to_have_value("0.665")
    second.goto(other.address())
    expect(second.locator("#answers")).to_be_visible()
    expect(second.locator(".so-far")).to_have_count(0)


def test_signing_in_again_in_another_tab_is_enough(learner: Learner, page: Page, context: BrowserContext) -> None:
    learner.open(page)
    second = context.new_page()
    second.goto(learner.stack.url)
    sign_out(second)
    learner.sign_in_by_form(second)
    answer(page, {"p": "0.665"})
    check_all(page)
    expect(verdict(page, "p")).to_contain_text("Right")


def test_two_tabs_reloads_and_the_back_button_are_harmless(
    learner: Learner, page: Page, context: BrowserContext
) -> None:
    learner.open(page)
    second = context.new_page()
    second.goto(learner.address())
    for tab in (page, second):
        answer(tab, {"p": "0.6667", "loss": "0.4055"})
        check_all(tab)
        expect(verdict(tab, "p")).to_contain_text("A known mistake")
    expect(second.locator("#workbench .notice").first).to_contain_text("You tried this answer before")
    page.reload()
    page.goto(f"{learner.stack.url}/answers/")
    page.go_back()
    expect(verdict(page, "p")).to_contain_text("A known mistake")
    page.reload()
    expect(page.locator(".so-far summary")).to_have_text("Your answers so far (1)")


def test_an_answer_survives_while_no_worker_is_there(live_stack: Stack, learner: Learner, page: Page) -> None:
    learner.open(page)
    live_stack.parts["worker"].stop()
    try:
        answer(page, {"p": "0.665"})
        step(page, "p").get_by_role("button", name="Check").click()
        expect(page.locator("#pending")).to_contain_text("Received, not marked yet.")
        page.locator("#box-loss").fill("0.408")
    finally:
        live_stack.start("worker")
    expect(verdict(page, "p")).to_contain_text("Right")
    expect(page.locator("#box-loss")).to_have_value("0.408")


def test_no_page_fails_the_accessibility_scan_or_scrolls_sideways(learner: Learner, page: Page) -> None:
    page.goto(learner.stack.url)
    scanned(page)
    page.goto(f"{learner.stack.url}/accounts/signup/")
    scanned(page)
    learner.open(page)
    scanned(page)
    answer(page, {"p": "0.6667", "loss": "0.4055", "total": "1/0", "powers": ["7.389", "2.5", "1"]})
    check_all(page)
    expect(verdict(page, "p")).to_be_visible()
    step(page, "p").get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()
    scanned(page)
    for path in ("/", "/answers/", "/help/answers/", f"/variants/{learner.variants[0]}/report/"):
        page.goto(learner.stack.url + path)
        scanned(page)
    page.goto(learner.address() + "solution/")
    scanned(page)
    page.get_by_role("button", name="Show it and close this variant").click()
    expect(page.locator("#solution")).to_be_visible()
    scanned(page)


def test_motion_is_left_out_for_those_who_ask(learner: Learner, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    learner.open(page)
    durations = page.evaluate(
        "[...document.querySelectorAll('a, .button')].map(item => getComputedStyle(item).transitionDuration)"
    )
    assert set(durations) == {"0s"}


#: A course in which somebody is taught, since before what they reported.
TAUGHT = """
import datetime as dt
from exercises.models import Course, Enrolment, User
course = Course.objects.create(title="Taught")
long_ago = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
for name, role in (({teacher!r}, "instructor"), ({learner!r}, "learner")):
    Enrolment.objects.create(course=course, user=User.objects.get(username=name), role=role, created_at=long_ago)
"""


def test_a_fault_report_reaches_the_teacher(live_stack: Stack, learner: Learner, page: Page) -> None:
    learner.open(page)
    page.get_by_role("link", name="Report a fault").click()
    page.get_by_label("What is wrong, and where?").fill(f"Told by {learner.name}.")
    page.get_by_role("button", name="Send the report").click()
    expect(page.locator(".notice").first).to_contain_text("Thank you.")
    sign_out(page)
    teacher = seeded(live_stack, teaches=True)
    live_stack.run(TAUGHT.format(teacher=teacher.name, learner=learner.name))
    teacher.sign_in(page, then="/staff/faults/")
    expect(page.get_by_text(f"Told by {learner.name}.")).to_be_visible()


def test_news_are_in_sight_however_far_down_the_button_is(
    learner: Learner, page: Page, context: BrowserContext
) -> None:
    page.set_viewport_size({"width": 1280, "height": 420})
    learner.open(page)
    answer(page, {"p": "0.6667"})
    check_all(page)
    expect(verdict(page, "p")).to_contain_text("A known mistake")
    page.locator("#check-all").scroll_into_view_if_needed()
    check_all(page)
    expect(page.get_by_text("You tried this answer before")).to_be_in_viewport()
    context.clear_cookies(name="sessionid")
    check_all(page)
    expect(page.get_by_text("You have been signed out.")).to_be_in_viewport()


def test_being_done_is_in_sight_when_an_early_step_was_the_last(learner: Learner, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 420})
    learner.open(page)
    answer(page, {"total": "11.107", "loss": "0.408"})
    check_all(page)
    expect(verdict(page, "loss")).to_contain_text("Right")
    answer(page, {"p": "0.665"})
    step(page, "p").get_by_role("button", name="Check").click()
    expect(page.locator("#done")).to_be_in_viewport()
    expect(page.locator("#done").get_by_role("button", name="Another variant")).to_be_visible()


def test_a_pasted_sign_that_turns_the_writing_does_not_stay(learner: Learner, page: Page) -> None:
    learner.open(page)
    answer(page, {"p": "\u202e52.1"})
    expect(page.locator("#box-p")).to_have_value("52.1")
