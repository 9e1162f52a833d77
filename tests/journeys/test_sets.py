"""Problem sets as those who teach make them in a browser, and learners find them: by keyboard, by phone, by ear."""

import json
import re
import uuid
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.learner import PASSWORD, sign_out, signed_in
from tests.journeys.looking import scanned
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

#: Somebody who teaches, a course, a learner in it, and if wanted a set that is published.
SEED = """
import datetime as dt, json
from exercises.actions.sets import editing, items, publishing
from exercises.courses.set_details import SetDetails
from exercises.models import Course, Enrolment, Group, Problem, Role, User
from fractions import Fraction
teacher = User.objects.create_user({name!r} + "-t", password={password!r}, is_instructor=True)
learner = User.objects.create_user({name!r} + "-l", password={password!r})
course = Course.objects.create(title="BERT by hand", term="Winter 2026", time_zone="Europe/Berlin")
Enrolment.objects.create(course=course, user=teacher, role=Role.INSTRUCTOR)
Enrolment.objects.create(course=course, user=learner, role=Role.LEARNER, name="Bob Learner")
Group.objects.create(course=course, name="Monday")
made = []
for mode in json.loads({modes!r}):
    due = dt.datetime.now(dt.UTC) + dt.timedelta(days=3)
    said = SetDetails(title="A " + mode, mode=mode, credits=(Fraction(1), Fraction(1, 2)), due_at=due,
        late=(Fraction(1), Fraction(4, 5)), time_limit=45, feedback="released", pass_mark=Fraction(7, 10),
        instructions="Work with $\\\\ln$, the *natural* logarithm.")
    one = editing.create_set(actor=teacher, course=course, details=said)
    items.add_items(actor=teacher, problem_set=one, problems=list(Problem.objects.listed()[:2]))
    publishing.publish_set(actor=teacher, problem_set=one)
    made.append(str(one.public_id))
print("SEEDED " + json.dumps([str(course.public_id), *made]))
"""


@dataclass(frozen=True)
class Class:
    """A course of the live service with one who teaches and one who learns, and its published sets."""

    stack: Stack
    name: str
    course: str
    sets: tuple[str, ...]

    def sign_in(self, page: Page, who: str, then: str) -> None:
        """As ``t``, who teaches, or ``l``, who learns; on to an address."""
        signed_in(page, self.stack, f"{self.name}-{who}", then=then)

    def go(self, page: Page, address: str) -> None:
        """To an address of the service."""
        page.goto(self.stack.url + address)


def seeded(stack: Stack, *modes: str) -> Class:
    name = f"class-{uuid.uuid4().hex[:10]}"
    code = SEED.format(name=name, password=PASSWORD, modes=json.dumps(modes))
    printed = stack.run(code)
    line = next(line for line in printed.splitlines() if line.startswith("SEEDED "))
    course, *sets = json.loads(line.removeprefix("SEEDED "))
    return Class(stack, name, course, tuple(sets))


def test_a_quiz_is_made_adapted_published_and_begun(live_stack: Stack, page: Page) -> None:
    klass = seeded(live_stack)
    klass.sign_in(page, "t", f"/courses/{klass.course}/")
    page.get_by_role("link", name="New problem set").click()
    page.get_by_label("Mode").select_option("quiz")
    page.get_by_role("button", name="Use this mode").click()
    page.get_by_label("Title").fill("Losses by hand")
    page.get_by_label("What each try is worth").fill("1/2, 1")
    page.get_by_role("button", name="Create the set").click()
    expect(page.get_by_text("No try may be worth more than the one before it")).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Losses by hand")
    page.get_by_label("What each try is worth").fill("1, 1/2")
    page.get_by_role("button", name="Create the set").click()
    page.get_by_label("Words").fill("loss at one masked")
    page.get_by_role("button", name="Search").click()
    page.get_by_label("Loss at one masked token").check()
    page.get_by_role("button", name="Add the ticked ones").click()
    page.get_by_role("link", name="Loss at one masked token", exact=True).click()
    page.get_by_label("the final ones only").check()
    page.locator("#box-z-low").fill("0")
    page.get_by_role("button", name="Save the item").click()
    expect(page.locator(".item-facts").first).to_contain_text("adapted: z")
    page.get_by_role("link", name="Done: review and publish").click()
    # The check of a thousand variants goes on in the background.
    for _ in range(180):
        if page.get_by_text("checked", exact=True).count():
            break
        page.wait_for_timeout(500)
        page.reload()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("It is published: learners see it now.")).to_be_visible()
    sign_out(page)
    klass.sign_in(page, "l", f"/courses/{klass.course}/")
    page.get_by_role("link", name="Losses by hand").click()
    expect(page.locator("main")).to_contain_text("Quiz: 1 item.")
    page.get_by_role("button", name="Begin").click()
    expect(page).to_have_url(re.compile(r"/attempts/[0-9a-f-]{36}/"))


def test_items_are_ordered_by_keyboard_and_without_scripts(live_stack: Stack, plain_page: Page) -> None:
    page, klass = plain_page, seeded(live_stack, "quiz")
    klass.sign_in(page, "t", f"/sets/{klass.sets[0]}/items/")
    first = page.locator(".item-row h2").first.inner_text()
    down = page.get_by_role("button", name=f"Move {first} down")
    down.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".item-row h2").nth(1)).to_have_text(first)


def test_two_tabs_that_edit_one_set_see_each_other(live_stack: Stack, page: Page) -> None:
    klass = seeded(live_stack, "quiz")
    klass.sign_in(page, "t", f"/sets/{klass.sets[0]}/edit/")
    second = page.context.new_page()
    klass.go(second, f"/sets/{klass.sets[0]}/edit/")
    for tab, title in ((page, "From the first tab"), (second, "From the second tab")):
        tab.get_by_label("Title").fill(title)
        tab.get_by_role("button", name="Save").last.click()
    expect(second.locator(".form-now")).to_contain_text("From the first tab")
    expect(second.get_by_label("Title")).to_have_value("From the second tab")
    second.get_by_role("button", name="Save mine").click()
    expect(second.locator("h1")).to_contain_text("From the second tab")


def test_no_page_fails_the_accessibility_scan_or_scrolls_sideways(live_stack: Stack, page: Page) -> None:
    klass = seeded(live_stack, "quiz", "exam", "practice")
    quiz, exam, practice = klass.sets
    klass.sign_in(page, "t", f"/sets/{quiz}/items/")
    item = page.locator(".item-row h2 a").first.get_attribute("href") or ""
    at = f"/sets/{quiz}/"
    pages = (f"/courses/{klass.course}/", at, f"{at}items/", item, f"{at}pools/new/", f"{at}edit/", f"{at}copy/")
    more = (f"{at}extensions/", f"{at}rules/", f"/sets/new/{klass.course}/?mode=exam", f"/sets/{exam}/")
    for address in (*pages, *more):
        klass.go(page, address)
        scanned(page)
    klass.go(page, f"{at}extensions/")
    page.get_by_role("button", name="For this learner").click()
    page.get_by_role("button", name="Give it").click()
    scanned(page)
    page.get_by_label("More attempts").select_option("1")
    page.get_by_label("Reason").fill("unwell")
    page.get_by_role("button", name="Give it").click()
    expect(page.get_by_role("row", name="Bob Learner")).to_be_visible()
    scanned(page)
    klass.go(page, f"{at}rules/")
    page.get_by_role("button", name="Show the rules").click()
    scanned(page)
    klass.go(page, f"{at}edit/")
    page.get_by_label("Title").fill("")
    page.get_by_role("button", name="Save").last.click()
    scanned(page)
    page.context.clear_cookies()
    klass.sign_in(page, "l", f"/courses/{klass.course}/")
    scanned(page)
    for address in (at, f"/sets/{exam}/", f"/sets/{practice}/"):
        klass.go(page, address)
        scanned(page)
