"""A course from its first day: made and entered by keyboard, filled from a roster, and every page of it looked at."""

import re
import uuid
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.journeys.learner import Learner, seeded, sign_out
from tests.journeys.looking import scanned
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

ROSTER = (
    "username;name;role;group;time_factor\n"
    "{learner};Bob Builder;;Tutorial 1;1,75\n"
    "{teacher};;learner;;\n"
    "nobody-of-this-name;;;;\n"
    ";no name\n"
)
#: A course with somebody in every role, and a trail.
FILL = """
from exercises.actions import courses as actions
from exercises.actions.courses import Choices, CourseFields
from exercises.models import User
teacher = User.objects.get(username={teacher!r})
fields = CourseFields("BERT by hand " + {mark!r}, "Winter 2026", "Europe/Berlin")
course = actions.create_course(author=teacher, fields=fields)
text = "username,email,name,role,group,external_id,time_factor\\n" + {learner!r} + ",,Bob Builder,,Tutorial 1,17,1.5\\n"
text += "".join(f"p{{n}}-{mark},p{{n}}@example.org,Person {{n}},,Tutorial {{n % 3}},,\\n" for n in range(12))
text += "ta-{mark},ta@example.org,Dave Assistant,assistant,,,\\n"
plan = actions.plan_roster(course=course, text=text)
seal = actions.seal_of(plan, text=text, choices=Choices())
actions.import_roster(actor=teacher, course=course, text=text, choices=Choices(), seal=seal)
member = course.enrolments.get(user__username={learner!r})
print("COURSE " + str(course.public_id) + " " + str(member.pk))
"""


def filled(stack: Stack) -> tuple[Learner, Learner, str, str]:
    """A teacher, a learner, the address of their course, and of the learner's page there."""
    teacher, learner = seeded(stack, teaches=True), seeded(stack)
    code = FILL.format(teacher=teacher.name, learner=learner.name, mark=uuid.uuid4().hex[:8])
    printed = stack.run(code)
    line = next(line for line in printed.splitlines() if line.startswith("COURSE "))
    _, course, member = line.split()
    return teacher, learner, f"/courses/{course}/", f"/courses/{course}/people/{member}/"


def reach(page: Page, name: str) -> None:
    """Go on by the keyboard until the thing of that name has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "(at => at?.labels?.[0]?.innerText || at?.innerText || '')(document.activeElement).trim()"
        )
        if str(found).startswith(name):
            return
    raise AssertionError(f"The keyboard does not reach {name!r}.")


def test_a_course_is_made_and_joined_by_keyboard(live_stack: Stack, page: Page, context: BrowserContext) -> None:
    alice, bob = seeded(live_stack, teaches=True), seeded(live_stack)
    title = f"Course of {alice.name}"
    alice.sign_in(page, then="/courses/")
    expect(page.get_by_role("heading", name="Courses")).to_be_visible()
    reach(page, "New course")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New course")).to_be_visible()
    reach(page, "Title")
    page.keyboard.type(title)
    reach(page, "Term")
    page.keyboard.type("Winter 2026")
    reach(page, "Create the course")
    page.keyboard.press("Enter")
    code = page.locator(".join-code").inner_text()
    assert re.fullmatch(r"[A-Z2-9]{4}-[A-Z2-9]{4}", code)
    course = page.url
    assert context.browser is not None
    other = context.browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    his = other.new_page()
    bob.sign_in(his, then="/courses/join/")
    expect(his.get_by_role("heading", name="Join a course")).to_be_visible()
    reach(his, "Join code")
    his.keyboard.type("WRONGONE")
    his.keyboard.press("Enter")
    expect(his.locator(".form-error")).to_contain_text("No course is open under this code")
    expect(his.get_by_label("Join code")).to_have_value("WRONGONE")
    his.get_by_label("Join code").fill(code.lower())
    his.keyboard.press("Enter")
    expect(his.get_by_role("status")).to_contain_text(f"You are in {title} Winter 2026.")
    expect(his).to_have_url(course)
    his.goto(f"{live_stack.url}/courses/")
    expect(his.locator(".course-list")).to_contain_text(title)
    other.close()
    page.goto(course)
    page.get_by_role("link", name="People").click()
    expect(page.get_by_role("region", name="People")).to_contain_text(bob.name)


def test_a_roster_is_looked_at_and_then_brought_in(live_stack: Stack, page: Page, tmp_path: Path) -> None:
    teacher, learner, course, _ = filled(live_stack)
    file = tmp_path / "roster.csv"
    file.write_text(ROSTER.format(learner=learner.name, teacher=teacher.name), encoding="utf-8-sig")
    teacher.sign_in(page, then=f"{course}people/")
    page.get_by_role("link", name="Import a roster").click()
    page.get_by_label("File").set_input_files(file)
    page.get_by_label("Drop learners who are not in this roster").check()
    page.get_by_role("button", name="Show what it would do").click()
    plan = page.get_by_role("region", name="What it would do")
    expect(plan).to_contain_text("Line 4: Nobody here is called nobody-of-this-name")
    expect(plan).to_contain_text("Nobody is dropped as long as a line has a fault")
    expect(plan).to_contain_text("is instructor here")
    text = page.get_by_label("Or paste it here")
    text.fill("\n".join(text.input_value().splitlines()[:3]))
    page.get_by_role("button", name="Show what it would do").click()
    expect(plan).to_contain_text("12 people would be dropped")
    page.get_by_role("button", name="Do just this").click()
    expect(page.get_by_role("alert")).to_contain_text("nothing was done yet")
    page.get_by_label("12 people would be dropped").fill("12")
    page.get_by_role("button", name="Do just this").click()
    expect(page.get_by_role("status")).to_contain_text("0 added, 1 changed, 12 dropped.")
    expect(page.locator(".data-table")).to_contain_text("Bob Builder")
    expect(page.locator(".data-table")).not_to_contain_text("Person 3")


def test_the_pages_go_without_scripts(live_stack: Stack, plain_page: Page) -> None:
    teacher, _, _, member = filled(live_stack)
    teacher.sign_in(plain_page, then=member)
    plain_page.get_by_label("Time factor").fill("200 %")
    plain_page.get_by_role("button", name="Save the time factor").click()
    expect(plain_page.get_by_role("status")).to_contain_text("The time factor is kept")
    expect(plain_page.locator(".terms")).to_contain_text("2")


def test_no_page_fails_the_accessibility_scan_or_scrolls_sideways(live_stack: Stack, page: Page) -> None:
    teacher, learner, course, member = filled(live_stack)
    teacher.sign_in(page, then="/courses/")
    pages = ("", "edit/", "copy/", "people/", "people/?q=nobody-there", "groups/", "roster/", "audit/")
    for address in ("/courses/", "/courses/new/", *(f"{course}{name}" for name in pages), member):
        page.goto(live_stack.url + address)
        scanned(page)
    page.goto(f"{live_stack.url}{course}roster/")
    page.get_by_label("Or paste it here").fill(ROSTER.format(learner=learner.name, teacher=teacher.name))
    page.get_by_role("button", name="Show what it would do").click()
    expect(page.get_by_role("region", name="What it would do")).to_be_visible()
    scanned(page)
    page.goto(f"{live_stack.url}/courses/new/")
    page.get_by_role("button", name="Create the course").click()
    expect(page.locator(".form-error")).to_be_visible()
    scanned(page)
    page.goto(live_stack.url + member)
    page.get_by_role("button", name="Take them out").click()
    expect(page.get_by_role("button", name="Bring them back")).to_be_visible()
    scanned(page)
    page.get_by_role("button", name="Bring them back").click()
    expect(page.get_by_role("button", name="Take them out")).to_be_visible()
    sign_out(page)
    learner.sign_in(page, then="/courses/")
    for address in ("/courses/", "/courses/join/", course):
        page.goto(live_stack.url + address)
        scanned(page)


def test_the_tab_of_a_page_is_in_sight_on_a_phone(live_stack: Stack, page: Page) -> None:
    teacher, _, course, _ = filled(live_stack)
    page.set_viewport_size({"width": 360, "height": 800})
    teacher.sign_in(page, then=f"{course}audit/")
    expect(page.locator(".tabs [aria-current]")).to_have_text("Audit")
    expect(page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.9)
    page.goto(live_stack.url + course)
    expect(page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("width", [1024, 1100, 1280, 1600])
def test_who_is_signed_in_stands_on_the_line_of_the_name(live_stack: Stack, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    seeded(live_stack, teaches=True).sign_in(page, then="/courses/")
    brand, who = (page.locator(each).bounding_box() for each in (".brand", ".who"))
    assert brand
    assert who
    assert who["y"] < brand["y"] + brand["height"]
    assert page.get_by_role("button", name="Sign out").is_visible()


def test_a_new_course_is_proposed_the_time_zone_of_the_browser(
    live_stack: Stack, browser: Browser, plain_page: Page
) -> None:
    alice = seeded(live_stack, teaches=True)
    context = browser.new_context(timezone_id="Asia/Tokyo", locale="en-GB")
    page = context.new_page()
    alice.sign_in(page, then="/courses/new/")
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    expect(page.get_by_text("This one is where your browser is.")).to_be_visible()
    page.get_by_label("Time zone").select_option("UTC")
    page.get_by_role("button", name="Create the course").click()
    expect(page.locator(".form-error")).to_be_visible()
    expect(page.get_by_label("Time zone")).to_have_value("UTC")
    context.close()
    alice.sign_in(plain_page, then="/courses/new/")
    expect(plain_page.get_by_label("Time zone")).to_have_value("UTC")
