"""Sitting a quiz and an exam in a real browser, through what goes wrong on a bad day."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from tests.journeys.conftest import EXPECTED
from tests.journeys.learner import answer, fill_in_sign_in, marked_plainly, step, verdict
from tests.journeys.looking import scanned
from tests.journeys.sitters import SLUGS, Sitter, sitter
from tests.stacks import Stack

WRONG = {"powers": ["7.389", "2.718", "1"], "total": "11.107", "p": "0.6667", "loss": "0.4055"}
RIGHT = {**WRONG, "p": "0.665", "loss": "0.408"}
LOST = re.compile(r"net::ERR_INTERNET_DISCONNECTED|htmx:(sendError|afterRequest)|Failed to fetch")


#: What a database cannot change is gone through on one.
one_stack = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)


@pytest.fixture(autouse=True)
def complaints(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """As for every journey, except that a lost connection is what some of these are about."""
    found: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and not (EXPECTED.search(message.text) or LOST.search(message.text)):
            found.append(f"{message.text} ({message.location})")

    if "context" in request.fixturenames:
        context: BrowserContext = request.getfixturevalue("context")
        context.on("weberror", lambda error: found.append(str(error.error)))
        context.on("console", note)
    yield found
    assert not found, found


@pytest.fixture
def quiz(live_stack: Stack) -> Sitter:
    return sitter(live_stack, "quiz", slugs=SLUGS, credits=["1", "1/2", "1/4"])


@pytest.fixture
def exam(live_stack: Stack) -> Sitter:
    return sitter(live_stack, "exam", slugs=SLUGS, seconds=3000, feedback="released")


def saved(page: Page) -> None:
    expect(page.locator("#save-state")).to_contain_text("Saved at")


def p_box(page: Page) -> str:
    return step(page, "p").locator("input.answer-box").input_value()


def test_a_quiz_with_a_wrong_and_then_a_right_try(quiz: Sitter, page: Page) -> None:
    quiz.open(page)
    answer(page, WRONG)
    saved(page)
    page.get_by_role("button", name="Check: try 1 of 3, worth 100 %").click()
    expect(verdict(page, "p")).to_contain_text("A known mistake")
    expect(page.locator("#news")).to_contain_text("1 of 3 tries used.")
    page.reload()
    page.reload()
    expect(page.locator("#news")).to_contain_text("1 of 3 tries used.")
    answer(page, RIGHT)
    page.get_by_role("button", name="Check: try 2 of 3, worth 50 %").click()
    expect(page.locator("#news")).to_contain_text("All right.")
    expect(page.locator("#news")).to_contain_text("Best so far: 66.7 %")
    expect(page.locator("#check")).to_have_count(0)
    expect(page.locator(".place").first).to_contain_text("all right")


def test_an_exam_through_reload_offline_and_hand_in(exam: Sitter, page: Page, context: BrowserContext) -> None:
    exam.open(page)
    expect(page.locator("#countdown-left")).to_have_text(re.compile(r"^4\d:\d\d$"))
    answer(page, {"p": "0.665"})
    saved(page)
    page.reload()
    assert p_box(page) == "0.665"
    # The connection goes: what is typed is shown as not saved, and is saved by itself when it comes back.
    context.set_offline(True)
    answer(page, {"loss": "0.408"})
    expect(page.locator("#save-state")).to_contain_text("Not saved yet since")
    page.get_by_role("button", name="Save and go on").click()
    expect(page.locator("#notice")).to_contain_text("What you typed is kept here")
    context.set_offline(False)
    saved(page)
    page.get_by_role("button", name="Save and go on").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Item 2 of 3")
    page.get_by_role("button", name="Save and see it all").click()
    expect(page.locator(".overview")).to_contain_text("filled in")
    page.get_by_role("link", name="Hand in …").click()
    expect(page.locator(".notice-error")).to_contain_text("2 of 3 items are not complete")
    page.get_by_role("button", name="Hand in now").click()
    code = page.locator(".receipt-code").inner_text()
    assert re.fullmatch(r"([A-Z2-7]{4}-){4}[A-Z2-7]{4}", code)
    page.goto(exam.address(1))
    expect(step(page, "p").locator("input.answer-box")).to_have_attribute("readonly", "")
    expect(page.locator(".feedback")).to_have_count(0)


@one_stack
def test_what_was_typed_offline_is_back_after_the_page_was_closed(
    exam: Sitter, page: Page, context: BrowserContext
) -> None:
    exam.open(page)
    answer(page, {"total": "11.107"})
    saved(page)
    context.set_offline(True)
    answer(page, {"p": "0.665"})
    expect(page.locator("#save-state")).to_contain_text("Not saved yet")
    page.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(exam.address(1))
    expect(step(again, "p").locator("input.answer-box")).to_have_value("0.665")
    expect(again.locator("#notice")).to_contain_text("is back in its boxes, and saved")
    again.reload()
    assert p_box(again) == "0.665"


def test_an_older_tab_replaces_nothing_and_loses_nothing(exam: Sitter, page: Page, context: BrowserContext) -> None:
    exam.open(page)
    older = context.new_page()
    older.goto(exam.address(1))
    answer(page, {"p": "0.665"})
    saved(page)
    answer(older, {"p": "0.1"})
    expect(older.locator("#notice")).to_contain_text("set aside")
    older.get_by_role("link", name="Show both, and choose.").click()
    assert p_box(older) == "0.665"
    expect(older.locator(".aside-box")).to_contain_text("0.1")
    older.get_by_role("button", name="Use this instead").click()
    expect(older.locator(".aside-box")).to_have_count(0)
    assert p_box(older) == "0.1"


@one_stack
def test_a_session_that_ends_loses_nothing(exam: Sitter, page: Page, context: BrowserContext) -> None:
    exam.open(page)
    answer(page, {"p": "0.66"})
    saved(page)
    context.clear_cookies(name="sessionid")
    answer(page, {"p": "0.665"})
    expect(page.locator("#notice")).to_contain_text("You have been signed out")
    page.get_by_role("link", name="Sign in again").click()
    fill_in_sign_in(page, exam.name)
    expect(step(page, "p").locator("input.answer-box")).to_have_value("0.665")
    saved(page)
    page.reload()
    assert p_box(page) == "0.665"


def test_when_time_is_up_the_page_hands_in_what_is_typed(exam: Sitter, page: Page) -> None:
    exam.open(page)
    answer(page, RIGHT)
    # Only now it ends soon: however long the typing took here.
    exam.run(
        "import datetime as dt\nfrom exercises import clock\n"
        "Attempt.objects.filter(pk=attempt.pk).update(ends_at=clock.now() + dt.timedelta(seconds=4))"
    )
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("heading", level=1)).to_have_text("Handed in", timeout=60_000)
    expect(page.locator(".receipt-code")).to_be_visible()
    expect(page.locator(".overview")).to_contain_text("handed in")
    printed = exam.run(
        "print('SAVED', attempt.handed_in_by, Submission.objects.get(author=attempt.learner).answers['p'])"
    )
    assert re.search(r"SAVED (learner|time) 0\.665", printed)


@one_stack
def test_more_time_is_seen_while_one_writes(exam: Sitter, page: Page) -> None:
    exam.open(page)
    exam.run("import datetime as dt\nattempt.ends_at += dt.timedelta(hours=2)\nattempt.save()")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#countdown-said")).to_contain_text("You have more time.")
    expect(page.locator("#countdown-left")).to_have_text(re.compile(r"^2:4\d:\d\d$"))


@one_stack
def test_without_scripts_every_button_works(exam: Sitter, plain_page: Page) -> None:
    exam.open(plain_page)
    answer(plain_page, {"p": "0.665"})
    plain_page.locator("#go-on").click()
    expect(plain_page.get_by_role("heading", level=1)).to_contain_text("Item 2 of 3")
    plain_page.locator(".place").first.click()
    assert p_box(plain_page) == "0.665"
    plain_page.get_by_role("button", name="Save and see it all").click()
    plain_page.get_by_role("link", name="Hand in …").click()
    plain_page.get_by_role("button", name="Hand in now").click()
    expect(plain_page.locator(".receipt-code")).to_be_visible()


@one_stack
def test_a_quiz_without_scripts(quiz: Sitter, plain_page: Page) -> None:
    quiz.open(plain_page)
    answer(plain_page, {"p": "0.6667"})
    plain_page.locator("#check").click()
    expect(plain_page.locator("#notice")).to_contain_text("something is still blank")
    plain_page.get_by_role("button", name="Check it as it is").click()
    marked_plainly(plain_page)
    expect(verdict(plain_page, "p")).to_contain_text("A known mistake")


@one_stack
def test_by_keyboard_alone(quiz: Sitter, page: Page) -> None:
    quiz.open(page)
    step(page, "p").locator("input.answer-box").focus()
    page.keyboard.type("0.665")
    # Enter takes no try: it goes on.
    page.keyboard.press("Enter")
    expect(step(page, "loss").locator("input.answer-box")).to_be_focused()
    page.keyboard.type("0.408")
    page.keyboard.press("Enter")
    expect(page.locator("#check")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#news")).to_contain_text("All right.")


@one_stack
def test_no_page_fails_the_accessibility_scan_or_scrolls_sideways(
    quiz: Sitter, page: Page, context: BrowserContext
) -> None:
    quiz.open(page)
    scanned(page)
    answer(page, {**WRONG, "total": "1/0"})
    saved(page)
    page.locator("#check").click()
    expect(page.locator("#notice")).to_contain_text("cannot be read")
    scanned(page)
    answer(page, WRONG)
    page.locator("#check").click()
    expect(verdict(page, "p")).to_be_visible()
    scanned(page)
    older = context.new_page()
    older.goto(quiz.address(1))
    answer(page, {"p": "0.7"})
    saved(page)
    answer(older, {"p": "0.8"})
    expect(older.locator("#notice")).to_contain_text("set aside")
    scanned(older)
    for path in ("1/", "2/", "", "hand-in/"):
        page.goto(quiz.address() + path)
        scanned(page)
    page.get_by_role("button", name="Hand in now").click()
    scanned(page)
    for path in ("1/", ""):
        page.goto(quiz.address() + path)
        scanned(page)
