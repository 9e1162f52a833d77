"""Writing a problem in a browser: typing, mending, looking, trying, checking, publishing, forking; and by keyboard."""

import re
import uuid

import pytest
from playwright.sync_api import BrowserContext, Dialog, Locator, Page, Route, expect

from tests.journeys.learner import Learner, fill_in_sign_in, seeded
from tests.journeys.looking import PHONE, scanned
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)
#: A thousand seeds in a worker that shares the machine with the tests.
CHECKED = 90_000
#: What is offered takes no key within a moment of its coming: that one was meant for the text.
NOTICED = 150
OLDER = re.compile("faults-older")


@pytest.fixture
def author(live_stack: Stack) -> Learner:
    """Somebody new who teaches."""
    return seeded(live_stack, teaches=True)


def begin(page: Page, author: Learner) -> str:
    """A new problem in the editor; its address."""
    author.sign_in(page, then="/author/new/")
    page.get_by_label("Title").fill(f"Loss {uuid.uuid4().hex[:8]}")
    page.get_by_role("button", name="Begin").click()
    expect(text(page)).to_be_visible()
    return page.url


def text(page: Page) -> Locator:
    return page.locator(".cm-content")


def saved(page: Page) -> None:
    expect(page.locator("#save-state")).to_contain_text(re.compile("Saved"))


def go_to_line(page: Page, words: str) -> None:
    """The caret at the end of the line with these words."""
    page.locator(".cm-line", has_text=words).first.click()
    page.keyboard.press("End")


def test_a_problem_is_written_tried_checked_and_published(author: Learner, page: Page) -> None:
    begin(page, author)
    expect(page.locator("#source")).to_be_hidden()
    expect(page.locator("#faults")).to_contain_text("The file can be read")

    # A key and a function are offered while one types, and taken with Enter.
    go_to_line(page, "is: -ln(p)")
    page.keyboard.press("Enter")
    page.keyboard.type("symb")
    expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("symbol")
    page.wait_for_timeout(NOTICED)
    page.keyboard.press("Enter")
    expect(page.locator(".cm-line", has_text="symbol:")).to_have_count(1)
    page.keyboard.type("L")

    # A name that is not known is underlined, listed, and mended from the list.
    go_to_line(page, "is: -ln(p)")
    page.keyboard.press("Backspace")
    page.keyboard.type("+ q)")
    expect(page.locator("#faults")).to_contain_text("q is not known")
    fault = page.locator("#faults a")
    expect(fault).to_have_count(1)
    expect(page.locator(".cm-lintRange-error").first).to_be_visible()
    expect(page.locator("#preview")).to_have_class(re.compile("preview-older"))
    fault.click()
    expect(text(page)).to_be_focused()
    page.keyboard.press("End")
    for _ in range(4):
        page.keyboard.press("Backspace")
    page.keyboard.type(")")
    expect(page.locator("#faults")).to_contain_text("The file can be read")
    expect(page.locator(".cm-lintRange-error")).to_have_count(0)
    saved(page)

    # The preview follows the text, and a seed of it is tried.
    go_to_line(page, "The true word was given")
    page.keyboard.type(" Mind the sign.")
    expect(page.locator("#pane-1")).to_contain_text("Mind the sign.")
    page.get_by_role("link", name="Other seeds").click()
    expect(page.locator("#pane-4")).to_be_visible()
    page.get_by_role("button", name="Try it with seed 4").click()
    box = page.locator("#try .answer-box")
    key = float(page.locator("#pane-4 .key-box").first.inner_text())
    box.fill(f"{key / 0.693147:.4f}")
    expect(page.locator("#tried-loss")).to_contain_text("loss.log2")
    expect(page.locator("#tried-loss")).to_contain_text("credit 1/4")
    box.fill(f"{key:.4f}")
    expect(page.locator("#tried-loss")).to_contain_text("Right")
    expect(page.locator("#trial-score")).to_contain_text("everything right")
    expect(box).to_be_focused()

    # The check runs in the background and is drawn; the page was never left.
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#check .badge")).to_have_text("passes", timeout=CHECKED)
    expect(page.get_by_role("img", name=re.compile("Share of variants"))).to_be_visible()
    expect(box).to_have_value(f"{key:.4f}")

    page.get_by_role("button", name="Publish").click()
    expect(page.locator("#gate-title")).to_be_visible()
    expect(page.locator("main")).to_contain_text("This very text passed")
    page.get_by_label("What is new").fill("The first one.")
    page.get_by_role("button", name="Publish it").click()
    expect(page.locator("main")).to_contain_text("Version 1 is published")


def test_what_is_offered_on_a_phone_is_told_within_the_window(author: Learner, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    begin(page, author)
    go_to_line(page, "is: -ln(p)")
    page.keyboard.type(" + s")
    told = page.locator(".cm-completionInfo")
    expect(told).to_be_in_viewport()
    left, right = told.evaluate("told => (({ left, right }) => [left, right])(told.getBoundingClientRect())")
    assert left >= 8
    assert right <= 390 - 8 + 1  # half a pixel here and there


def test_faults_of_an_older_text_are_marked_as_such(author: Learner, page: Page) -> None:
    begin(page, author)
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    go_to_line(page, "is: -ln(p)")
    page.keyboard.press("Backspace")
    page.keyboard.type("+ q)")
    faults = page.locator("#faults")
    expect(faults).to_contain_text("q is not known")
    expect(faults).not_to_have_class(OLDER)
    # What stands there is of the text before until the answer comes, however long that takes.
    page.route("**/faults/", hold)
    for _ in range(4):
        page.keyboard.press("Backspace")
    page.keyboard.type(")")
    expect(faults).to_have_class(OLDER)
    expect(faults).to_contain_text("q is not known")
    clean(page)
    for route in asked:
        route.continue_()
    page.unroute("**/faults/")
    expect(faults).to_contain_text("The file can be read")
    expect(faults).not_to_have_class(OLDER)


def test_a_built_in_problem_is_changed_in_a_form(author: Learner, page: Page) -> None:
    author.sign_in(page, then="/author/")
    page.get_by_role("link", name="Built in and shared").click()
    page.get_by_label("Title or skill").fill("one masked token")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name=re.compile("Change it in a form")).first.click()
    title = f"Mine {uuid.uuid4().hex[:8]}"
    page.get_by_label("Title").fill(title)
    page.locator("#box-p-z-low").fill("1")
    page.locator("#box-p-z-high").fill("1.1")
    expect(page.locator("#guided-preview .pane").first).to_contain_text("1.1")
    page.locator("#box-answer").fill("9")
    expect(page.locator("#guided-preview")).to_contain_text("ask for 2 to 4 digits")
    page.locator("#box-answer").fill("4")
    expect(page.locator("#guided-preview")).not_to_contain_text("Not yet")
    page.get_by_role("button", name="Make it mine").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(text(page)).to_contain_text("range: [1, 1.1]")
    expect(page.locator(".author-head")).to_contain_text("forked from Loss at one masked token")


def test_a_stale_tab_is_told_and_loses_nothing(author: Learner, page: Page, context: BrowserContext) -> None:
    address = begin(page, author)
    other = context.new_page()
    other.goto(address)
    expect(text(other)).to_be_visible()
    go_to_line(page, "level: easy")
    page.keyboard.type("  # from the first tab")
    saved(page)
    go_to_line(other, "level: easy")
    other.keyboard.type("  # from the second tab")
    expect(other.locator("#stale")).to_be_visible()
    other.get_by_role("button", name="Look at both").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("This draft was changed elsewhere")
    expect(other.locator("#source")).to_have_value(re.compile("from the second tab"))
    expect(other.locator("main")).to_contain_text("from the first tab")
    other.get_by_role("button", name="Store this one instead").click()
    expect(text(other)).to_contain_text("from the second tab")


def test_what_could_not_be_stored_is_kept_in_the_browser(author: Learner, page: Page, complaints: list[str]) -> None:
    address = begin(page, author)
    page.route("**/save/", lambda route: route.abort())
    go_to_line(page, "level: easy")
    page.keyboard.type("  # never sent")
    expect(page.locator("#save-state")).to_contain_text("cannot be reached")
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(address)
    page.unroute("**/save/")
    expect(page.locator("#kept-here")).to_be_visible()
    expect(text(page)).not_to_contain_text("never sent")
    page.get_by_role("button", name="Put it back").click()
    expect(text(page)).to_contain_text("never sent")
    saved(page)
    assert all("net::ERR_FAILED" in each for each in complaints)
    complaints.clear()
    page.reload()
    expect(text(page)).to_contain_text("never sent")
    expect(page.locator("#kept-here")).to_be_hidden()


def test_the_editor_lets_the_keyboard_out_and_says_how(author: Learner, page: Page) -> None:
    begin(page, author)
    expect(page.locator(".editor-keys")).to_contain_text("leaves the editor")
    text(page).focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Tab")
    expect(text(page)).to_be_focused()
    page.keyboard.press("Control+z")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(text(page)).not_to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(text(page)).to_be_focused()


def test_without_scripts(author: Learner, plain_page: Page) -> None:
    page = plain_page
    author.sign_in(page, then="/author/new/")
    page.get_by_label("Title").fill(f"Plain {uuid.uuid4().hex[:8]}")
    page.get_by_role("button", name="Begin").click()
    source = page.get_by_label("The problem file")
    good = source.input_value()
    source.fill(good.replace("is: -ln(p)", "is: -ln(q)"))
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.locator("#faults")).to_contain_text("to mend")
    source.fill(good)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("main")).to_contain_text("Saved as your draft")
    page.get_by_role("button", name="Try it with seed 2").click()
    page.locator("#try .answer-box").fill("1..2")
    page.get_by_role("button", name="Mark it").click()
    expect(page.locator("#tried-loss")).to_contain_text("Could not be read")
    page.get_by_role("link", name="Editor").click()
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#check")).to_contain_text(re.compile("being checked|passes"))
    page.get_by_role("button", name="Publish").click()
    page.get_by_label("What is new").fill("The first one.")
    page.get_by_role("button", name="Publish it").click()
    expect(page.locator("main")).to_contain_text("Version 1 is published", timeout=CHECKED)


def test_a_form_is_not_left_with_something_unsaved_without_being_asked(author: Learner, page: Page) -> None:
    address = begin(page, author)
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.goto(f"{address}guided/")
    page.goto(address)
    assert asked == []
    page.goto(f"{address}guided/")
    page.get_by_label("Summary").press_sequentially("Changed. ")
    page.goto(address)
    assert asked == ["beforeunload"]
    page.goto(f"{address}guided/")
    page.get_by_label("Summary").press_sequentially("Kept. ")
    page.get_by_role("button", name="Save as draft").click()
    expect(page.get_by_text("Kept as your draft.")).to_be_visible()
    assert asked == ["beforeunload"]


def test_without_scripts_a_text_outlives_the_session(author: Learner, plain_page: Page) -> None:
    address = begin_plainly(plain_page, author)
    source = plain_page.locator("#source")
    source.fill(f"{source.input_value()}\n# typed for an hour\n")
    plain_page.context.clear_cookies(name="sessionid")
    plain_page.get_by_role("button", name="Save").last.click()
    fill_in_sign_in(plain_page, author.name)
    expect(plain_page.get_by_text("back in its place")).to_be_visible()
    assert "# typed for an hour" in source.input_value()
    plain_page.get_by_role("button", name="Save").last.click()
    plain_page.goto(address)
    assert "# typed for an hour" in source.input_value()


def begin_plainly(page: Page, author: Learner) -> str:
    """A new problem in the editor without scripts; its address."""
    author.sign_in(page, then="/author/new/")
    page.get_by_label("Title").fill(f"Loss {uuid.uuid4().hex[:8]}")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#source")).to_be_visible()
    return page.url


def test_every_page_is_clean_and_fits(author: Learner, page: Page) -> None:
    address = begin(page, author)
    go_to_line(page, "level: easy")
    page.keyboard.type(" x")
    expect(page.locator(".cm-lintRange-error").first).to_be_visible()
    clean(page)
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    saved(page)
    page.get_by_role("button", name="Try it with seed 1").click()
    expect(page.locator("#try .answer-box")).to_be_visible()
    page.locator("#try .answer-box").fill("0.5")
    expect(page.locator("#trial-score")).to_contain_text("Together")
    clean(page)
    for where in ("guided/", "publish/", "versions/", "withdrawn/", "sharing/", "preview/"):
        page.goto(address.partition("?")[0].partition("#")[0] + where)
        clean(page)
    for where in (
        "/author/",
        "/author/?show=others",
        "/author/new/",
        "/author/mask-counts/",
        "/author/mask-counts/fork/",
    ):
        page.goto(f"{author.stack.url}{where}")
        clean(page)


def clean(page: Page) -> None:
    """Nothing for a screen reader to stumble over, and nothing that sticks out of the page."""
    # The marks and lines of the editor are no buttons, and as low as a line.
    scanned(page, (PHONE, (1400, "dark")), pressed="")
