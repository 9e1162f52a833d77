"""Flashcards as people go through them: by keyboard alone, without scripts, by touch, in two tabs, by ear."""

import json
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.frontend.cards.world import CHOICE, CLOZE, DRAWN, NUMBER, SELF
from tests.journeys.learner import Learner, fill_in_sign_in, seeded, sign_out
from tests.journeys.looking import scanned
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

#: A deck of their own, so that nobody else's cards come between.
MAKE = """
import json
from exercises import actions
from exercises.models import User
author = User.objects.get(username={name!r})
deck = actions.create_deck(author=author, title="Deck of " + author.username)
for card in json.loads({cards!r}):
    actions.keep_card(author=author, deck=deck, content=card)
print("MADE " + deck.slug)
"""
TOGETHER = """
from exercises.models import Course, Enrolment, User
course = Course.objects.create(title="Of one teacher")
for name, role in (({teacher!r}, "instructor"), ({learner!r}, "learner")):
    Enrolment.objects.create(course=course, user=User.objects.get(username=name), role=role)
"""
LONG = {
    **SELF,
    "id": "long",
    "back": "\n\n".join(f"Paragraph {number} of a long back, which is longer than a phone." for number in range(14)),
}


def with_deck(stack: Stack, *cards: dict[str, Any]) -> tuple[Learner, str]:
    """Somebody new, and the address of a deck that is theirs alone."""
    person = seeded(stack, teaches=True)
    printed = stack.run(MAKE.format(name=person.name, cards=json.dumps(cards)))
    slug = next(line for line in printed.splitlines() if line.startswith("MADE ")).removeprefix("MADE ")
    return person, f"/cards/decks/{slug}/"


def begin(page: Page, person: Learner, deck: str) -> None:
    """Sign in, and go to the first card of the deck."""
    person.sign_in(page, then=deck)
    page.get_by_role("button", name="Review this deck").click()
    expect(page.locator("#card-stage")).to_be_visible()


def front(page: Page) -> Locator:
    return page.locator("#card-ask")


def settled(page: Page) -> None:
    """A card that has just come takes no press for a moment: the second half of a double press is not for it."""
    expect(page.locator("#card-stage[data-tended]:not([data-fresh])")).to_be_visible()


def key(page: Page, name: str) -> None:
    settled(page)
    page.keyboard.press(name)


def test_by_keyboard_alone(live_stack: Stack, page: Page) -> None:
    person, deck = with_deck(live_stack, SELF, NUMBER, CHOICE, CLOZE)
    person.sign_in(page, then=deck)
    page.get_by_role("button", name="Review this deck").focus()
    page.keyboard.press("Enter")
    expect(front(page)).to_contain_text("Why are some tokens replaced")
    expect(page.locator("#show")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#card-back")).to_contain_text("trusted blindly")
    expect(page.locator("#rate-3")).to_be_focused()
    key(page, "4")
    expect(front(page)).to_contain_text("Three candidates")
    expect(page.locator("#box-answer")).to_be_focused()
    page.keyboard.type("1.585")
    key(page, "Enter")
    expect(page.locator("#feedback-answer")).to_contain_text("in bits")
    expect(page.locator("#box-answer")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("1.10")
    key(page, "Enter")
    expect(page.locator("#rate-2")).to_be_focused()
    key(page, "Space")
    expect(front(page)).to_contain_text("never chosen")
    key(page, "u")
    expect(page.locator("#card-stage")).to_contain_text("Taken back")
    expect(front(page)).to_contain_text("Three candidates")
    key(page, "2")
    expect(front(page)).to_contain_text("never chosen")
    special = page.get_by_label("The special ones")
    place = page.locator(".choices input").evaluate_all(
        "all => all.findIndex(option => option.value === 'special') + 1"
    )
    key(page, str(place))
    expect(special).to_be_checked()
    key(page, "Enter")
    expect(page.locator("#feedback-answer")).to_contain_text("Right")
    key(page, "Enter")
    expect(front(page)).to_contain_text("Softmax divides")
    key(page, "Escape")
    expect(page.locator("#card")).to_be_focused()
    key(page, "Space")
    expect(page.locator(".card-expected")).to_contain_text("sum")
    expect(page.locator("#rate-1")).to_be_focused()


def test_letters_and_digits_in_a_box_are_only_text(live_stack: Stack, page: Page) -> None:
    person, deck = with_deck(live_stack, CLOZE)
    begin(page, person, deck)
    page.locator("#box-answer").press_sequentially("u 1 2 3 4 h ? ")
    expect(page.locator("#box-answer")).to_have_value("u 1 2 3 4 h ? ")
    expect(page.locator("#card-stage[data-tended]")).to_be_visible()
    expect(page.locator("#keys")).to_be_hidden()
    expect(page.locator("#card-back")).to_have_count(0)


def test_the_keys_are_told_and_can_be_switched_off(live_stack: Stack, page: Page) -> None:
    person, deck = with_deck(live_stack, SELF)
    begin(page, person, deck)
    key(page, "?")
    expect(page.locator("#keys")).to_be_visible()
    expect(page.locator("#keys")).to_contain_text("take the last rating back")
    page.get_by_label("Use single keys in this browser").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.reload()
    key(page, "?")
    # Had the key been heard, the help would have opened within the press.
    expect(page.locator("#keys")).to_be_hidden()
    page.get_by_role("button", name="Keys").click()
    expect(page.locator("#keys")).to_be_visible()
    expect(page.get_by_label("Use single keys in this browser")).not_to_be_checked()


def test_without_scripts(live_stack: Stack, plain_page: Page) -> None:
    page = plain_page
    person, deck = with_deck(live_stack, NUMBER, SELF)
    begin(page, person, deck)
    expect(page.get_by_role("button", name="Keys")).to_have_count(0)
    page.locator("#box-answer").fill("0.9")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_contain_text("same claim")
    expect(page.locator("#box-answer")).to_have_value("0.9")
    page.locator("#box-answer").fill("log(3)")
    page.keyboard.press("Enter")
    expect(page.locator("#reading-answer")).to_contain_text("log2")
    page.locator("#box-answer").fill("1.10")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#card-back")).to_contain_text("A third each")
    expect(page.locator("#rate-2")).to_be_focused()
    page.reload()
    page.locator("#rate-2").click()
    expect(front(page)).to_contain_text("Why are some tokens replaced")
    page.go_back()
    expect(page.locator("#card-stage")).to_contain_text("You rated it Hard.")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Good").click()
    expect(page.locator("#card")).to_contain_text("You reviewed 2 cards today.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#card-back")).to_contain_text("trusted blindly")


def test_a_double_click_rates_once_and_opens_nothing(live_stack: Stack, page: Page) -> None:
    person, deck = with_deck(live_stack, SELF, {**SELF, "id": "second", "front": "A second question?"})
    begin(page, person, deck)
    page.locator("#show").click()
    expect(page.locator("#rate-3")).to_be_focused()
    settled(page)
    page.locator("#rate-3").dblclick()
    expect(front(page)).to_contain_text("A second question?")
    settled(page)
    expect(page.locator("#card-back")).to_have_count(0)


def test_two_tabs_have_one_card_and_the_slower_one_is_told(
    live_stack: Stack, page: Page, context: BrowserContext
) -> None:
    person, deck = with_deck(live_stack, SELF, NUMBER)
    begin(page, person, deck)
    second = context.new_page()
    second.goto(live_stack.url + deck)
    second.get_by_role("button", name="Review this deck").click()
    expect(second).to_have_url(page.url)
    for tab in (page, second):
        tab.locator("#show").click()
        expect(tab.locator("#card-back")).to_be_visible()
        settled(tab)
    page.locator("#rate-3").click()
    expect(front(page)).to_contain_text("Three candidates")
    second.locator("#rate-1").click()
    expect(second.locator("#card-stage")).to_contain_text("You rated it Good.")
    settled(second)
    second.get_by_role("button", name="Go on").click()
    expect(front(second)).to_contain_text("Three candidates")


def test_the_back_button_leads_out_of_the_review(live_stack: Stack, page: Page) -> None:
    person, deck = with_deck(live_stack, SELF, NUMBER)
    begin(page, person, deck)
    first = page.url
    page.locator("#show").click()
    expect(page.locator("#card-back")).to_be_visible()
    key(page, "3")
    expect(front(page)).to_contain_text("Three candidates")
    expect(page).not_to_have_url(first)
    page.reload()
    expect(front(page)).to_contain_text("Three candidates")
    page.go_back()
    expect(page).to_have_url(live_stack.url + deck)


def test_an_expired_session_keeps_what_was_typed(live_stack: Stack, page: Page, context: BrowserContext) -> None:
    person, deck = with_deck(live_stack, NUMBER)
    begin(page, person, deck)
    page.locator("#box-answer").fill("1.0986")
    context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#notice")).to_contain_text("You have been signed out.")
    expect(page.locator("#box-answer")).to_have_value("1.0986")
    page.get_by_role("link", name="Sign in again").click()
    fill_in_sign_in(page, person.name)
    expect(page.locator("#box-answer")).to_have_value("1.0986")
    settled(page)
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#feedback-answer")).to_contain_text("Right")


def test_what_happens_is_announced(live_stack: Stack, page: Page) -> None:
    person, deck = with_deck(live_stack, NUMBER, SELF)
    begin(page, person, deck)
    announcer = page.locator("#announcer")
    assert announcer.get_attribute("aria-live") == "polite"
    page.locator("#box-answer").fill("1.10")
    page.get_by_role("button", name="Check").click()
    expect(announcer).to_contain_text("Right. Answer:")
    expect(announcer).to_contain_text("Suggested: Good, in 2 days.")
    key(page, "3")
    expect(announcer).to_contain_text("1 left today. Why are some tokens")
    expect(page).to_have_title("1 left today · BERT gym")


def test_on_a_phone_everything_is_at_the_thumb(live_stack: Stack, context: BrowserContext) -> None:
    assert context.browser is not None
    phone = context.browser.new_context(
        viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True, device_scale_factor=2
    )
    page = phone.new_page()
    person, deck = with_deck(live_stack, LONG, NUMBER)
    begin(page, person, deck)
    page.get_by_role("button", name="Show the answer").tap()
    good = page.get_by_role("button", name="Good")
    expect(good).to_be_in_viewport()
    lowest = good.bounding_box()
    assert lowest is not None
    assert lowest["y"] > 320, "in the lower half, where a thumb is"
    settled(page)
    good.tap()
    expect(front(page)).to_contain_text("Three candidates")
    expect(page.locator("#box-answer")).not_to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    phone.close()


def test_no_page_fails_the_accessibility_scan_or_scrolls_sideways(live_stack: Stack, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    person, deck = with_deck(live_stack, NUMBER, CHOICE, DRAWN, SELF)
    begin(page, person, deck)
    scanned(page)
    page.locator("#box-answer").fill("1.585")
    page.keyboard.press("Enter")
    expect(page.locator("#feedback-answer")).to_be_visible()
    scanned(page)
    settled(page)
    page.locator("#show").click()
    expect(page.locator("#card-back")).to_be_visible()
    scanned(page)
    assert page.evaluate("getComputedStyle(document.getElementById('card-back')).animationName") == "none"
    page.evaluate("document.getElementById('keys').showModal()")
    scanned(page)
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    for _ in range(3):
        key(page, "1")
        expect(page.locator("#card-back")).to_have_count(0)
        scanned(page)
        if page.locator("#show").count():
            settled(page)
            page.locator("#show").click()
            expect(page.locator("#card-back")).to_be_visible()
            scanned(page)
    settled(page)
    page.get_by_role("button", name="Set this card aside").click()
    expect(front(page)).not_to_contain_text("Why are some")
    editing = [deck, f"{deck}edit/", f"{deck}import/", f"{deck}cards/new/?kind=choice", f"{deck}cards/uniform/"]
    for address in ("/cards/", "/cards/finished/", "/cards/set-aside/", "/cards/decks/new/", *editing):
        page.goto(live_stack.url + address)
        scanned(page)
    page.locator("[name='do'][value='preview']").last.click()
    expect(page.locator("#preview .flashcard")).to_be_visible()
    scanned(page)


def test_a_teacher_writes_shares_and_a_learner_reviews(live_stack: Stack, page: Page) -> None:
    teacher, learner = seeded(live_stack, teaches=True), seeded(live_stack)
    live_stack.run(TOGETHER.format(teacher=teacher.name, learner=learner.name))
    title = f"Masks of {teacher.name}"
    teacher.sign_in(page, then="/cards/")
    page.get_by_role("link", name="New deck").click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Share it with everybody in the courses that I teach").check()
    page.get_by_role("button", name="Create the deck").click()
    page.get_by_role("link", name="New card").click()
    page.get_by_label("What is asked for").select_option("count")
    page.get_by_role("button", name="Use this kind").click()
    page.get_by_label("Front").fill("Of 200 tokens, how many are chosen?")
    page.get_by_label("Right answer").fill("15*200/100")
    page.get_by_label("Back").fill("Fifteen of a hundred, twice.")
    page.get_by_role("button", name="Preview").last.click()
    page.locator("#box-answer").fill("30")
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#preview #feedback-answer")).to_contain_text("Right")
    page.get_by_role("button", name="Save the card").click()
    expect(page.locator(".card-list")).to_contain_text("Of 200 tokens")
    sign_out(page)
    learner.sign_in(page, then="/cards/")
    row = page.locator(".deck-row").filter(has_text=title)
    row.get_by_role("button", name="Review").click()
    page.locator("#box-answer").fill("30")
    page.keyboard.press("Enter")
    expect(page.locator("#card-back")).to_contain_text("Fifteen of a hundred, twice.")
