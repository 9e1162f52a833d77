"""A corrected key from a learner's report to the regrade and its undoing, and every page of it looked at."""

import os
import re
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.learner import PASSWORD, Learner, seeded
from tests.journeys.looking import scanned
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)

#: A problem of the teacher's own whose key was wrong at first, a quiz, and learners who answered it.
SEED = """
import hashlib, time
from exercises.actions import report_fault, send_answer
from exercises.actions.draw import fresh_variant
from exercises.models import *
from tests.exercises.regrading.world import MISLED, RIGHT, WRONG
from tests.exercises.world import C1, MASKED
mark, teacher = {mark!r}, User.objects.get(username={teacher!r})
problem = Problem.objects.create(slug="regraded-" + mark, title="Loss at one masked token", owner=teacher)
made = [
    ProblemVersion.objects.create(problem=problem, number=n, source=source, author=teacher, summary=said,
        digest=hashlib.sha256((mark + source).encode()).hexdigest())
    for n, source, said in ((1, WRONG, ""), (2, MASKED, "The total had one too many."))
]
Problem.objects.filter(pk=problem.pk).update(current=made[1])
course = Course.objects.create(title="BERT by hand", term="Winter 2026", time_zone="Europe/Berlin", created_by=teacher)
Enrolment.objects.create(course=course, user=teacher, role="instructor")
quiz = ProblemSet.objects.create(course=course, title="Week 3: losses", mode="quiz", credits=["1", "1/2"])
item = SetItem.objects.create(problem_set=quiz, problem=problem, version=made[0])
names = ("Ada L.", "Grace H.", "Alan T.", "Emmy N.", "Kurt G.", "Sofja K.")
for place, name in enumerate(names):
    learner = User.objects.create_user(f"r{{place}}-{{mark}}", password={password!r})
    Enrolment.objects.create(course=course, user=learner, role="learner", name=name)
    attempt = Attempt.objects.create(problem_set=quiz, learner=learner)
    spot = AttemptItem.objects.create(attempt=attempt, item=item, position=1, weight=1, version=made[0])
    variant = fresh_variant(learner=learner, version=made[0])
    variant.attempt_item, variant.parameters = spot, C1
    variant.save()
    typed = MISLED if place == 5 else {{**RIGHT, "loss": "0.5"}} if place % 2 else RIGHT
    send_answer(learner=learner, variant=variant, answers=typed)
    if place == 0:
        first = variant
ends = time.monotonic() + 60
while Submission.objects.filter(variant__problem=problem, state="pending").exists() and time.monotonic() < ends:
    time.sleep(0.2)
report = report_fault(learner=first.learner, variant=first, text="My total is right: 7.389 + 2.718 + 1 = 11.107.")
print("REGRADED " + str(course.public_id) + " " + str(report.pk))
"""
#: Where pictures of the pages are kept to be looked at, if anywhere.
PICTURES = os.environ.get("PICTURES", "")


@dataclass(frozen=True)
class World:
    """A course with something to regrade."""

    teacher: Learner
    course: str
    fault: str


@pytest.fixture
def world(live_stack: Stack) -> World:
    """A quiz that was marked by a wrong key, and a learner's report of it."""
    teacher, mark = seeded(live_stack, teaches=True), uuid.uuid4().hex[:8]
    code = SEED.format(mark=mark, teacher=teacher.name, password=PASSWORD)
    printed = live_stack.run(code)
    _, course, report = next(line for line in printed.splitlines() if line.startswith("REGRADED ")).split()
    return World(teacher, f"/regrades/{course}/", f"/staff/faults/{report}/")


def looked_at(page: Page, name: str) -> None:
    """The page as people have it before them, with pictures for whoever wants to look."""

    def pictured() -> None:
        if PICTURES:
            width = (page.viewport_size or {})["width"]
            page.screenshot(path=Path(PICTURES) / f"{name}-{width}.png", full_page=True)

    scanned(page, also=pictured)


def test_from_a_report_to_the_regrade_and_back(world: World, page: Page) -> None:
    world.teacher.sign_in(page, then="/staff/faults/")
    looked_at(page, "faults")
    page.get_by_role("link", name=re.compile("^Loss at one masked token *: report of")).click()
    expect(page.get_by_text("The current version (version 2): otherwise than told at total")).to_be_visible()
    looked_at(page, "fault")
    page.get_by_role("link", name=re.compile("^Regrade it in BERT by hand")).click()
    expect(page.get_by_label("Mark by").locator("option:checked")).to_contain_text("version 2")
    page.get_by_label("Why").fill("The total had one too many.")
    looked_at(page, "new")
    page.get_by_role("button", name="Begin the dry run").click()
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("row", name=re.compile("^Ada L.")).first).to_contain_text("75 % → 100 %")
    looked_at(page, "dry-run")
    page.get_by_role("link", name=re.compile("^Kept as they were")).click()
    expect(page.get_by_role("row", name=re.compile("^Sofja K."))).to_contain_text("100 %")
    looked_at(page, "kept")
    page.get_by_role("button", name=re.compile("^Apply")).click()
    expect(page.get_by_text("It was applied")).to_be_visible(timeout=60_000)
    page.get_by_text("Undo this regrade…").click()
    page.get_by_role("button", name="Undo this regrade").click()
    expect(page.get_by_text("It was undone")).to_be_visible(timeout=60_000)
    page.goto(f"{world.teacher.stack.url}{world.course}")
    looked_at(page, "list")


def test_without_scripts_it_goes_on_by_loading_the_page(world: World, plain_page: Page) -> None:
    page, url = plain_page, world.teacher.stack.url
    world.teacher.sign_in(page, then=f"{world.course}new/")
    page.get_by_role("button", name="Choose").click()
    page.get_by_label("Why").fill("The total had one too many.")
    page.get_by_role("button", name="Begin the dry run").click()
    address = page.url
    assert address.startswith(f"{url}/regrades/events/")
    for _ in range(180):
        if page.get_by_text("Nothing is changed yet.").is_visible():
            break
        page.wait_for_timeout(500)
        page.goto(address)
    expect(page.get_by_role("button", name=re.compile("^Apply"))).to_be_visible()


def test_a_report_is_settled_with_a_reply(world: World, page: Page) -> None:
    world.teacher.sign_in(page, then=world.fault)
    page.get_by_label("Reply to the learner").fill("You are right. It is corrected and regraded.")
    page.get_by_role("button", name="Reply and settle").click()
    expect(page.get_by_text("The report is settled")).to_be_visible()
    looked_at(page, "settled")
