"""Row C1: a launch inside a frame of another site, in a browser that blocks third-party cookies: by partitioned
cookies, by the storage of the platform, and in a tab of its own."""

import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Error, FrameLocator, Page, expect

from exercises import clock
from exercises.models import (
    Context,
    Course,
    Deployment,
    Enrolment,
    LaunchFlow,
    Membership,
    PlatformUser,
    ProblemSet,
    Registration,
    ResourceLink,
    User,
)
from tests.browsers import ARGUMENTS, PATIENCE
from tests.journeys.looking import scanned
from tests.lti.conftest import link, lms_context, operator, platform, published, registration
from tests.lti.pages import PlatformPages
from tests.lti.platform import INSTRUCTOR, LEARNER, FakePlatform

__all__ = ["link", "lms_context", "operator", "platform", "published", "registration"]
#: Seconds that one of these takes at the very most. Now and then Chromium stops answering inside a frame of another
#: site, and Playwright then waits without an end: the browser is ended, and for that alone a test is begun once more.
LONGEST = 180
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.flaky(reruns=1, only_rerun=["has been closed"]),
]

#: Chromium's own switch “Block third-party cookies”.
BLOCKED: dict[str, Any] = {"cookie_controls_mode": 1, "block_third_party_cookies": True}
Opened = Callable[[dict[str, Any]], BrowserContext]


def _end_browser(profile: Path) -> None:
    for process in psutil.process_iter(["cmdline"]):
        if f"--user-data-dir={profile}" in (process.info["cmdline"] or ()):
            process.kill()


@pytest.fixture
def opened(browser: Browser, chromium: str, tmp_path: Path) -> Iterator[Opened]:
    """A fresh profile with these settings of the browser."""
    contexts: list[BrowserContext] = []
    watches: list[threading.Timer] = []

    def open_profile(profile: dict[str, Any]) -> BrowserContext:
        folder = tmp_path / "profile"
        (folder / "Default").mkdir(parents=True)
        (folder / "Default" / "Preferences").write_text(json.dumps({"profile": profile}))
        made = browser.browser_type.launch_persistent_context(
            str(folder), executable_path=chromium, args=list(ARGUMENTS), viewport={"width": 1280, "height": 1000}
        )
        made.set_default_timeout(PATIENCE)
        contexts.append(made)
        watch = threading.Timer(LONGEST, _end_browser, [folder])
        watch.daemon = True
        watch.start()
        watches.append(watch)
        return made

    yield open_profile
    for watch in watches:
        watch.cancel()
    for one in contexts:
        with contextlib.suppress(Error):
            one.close()


@pytest.fixture
def pages(platform: FakePlatform, registration: Registration, live_server: Any) -> PlatformPages:
    """The platform on http://127.0.0.1, the tool on http://localhost: two sites."""
    assert live_server.url.startswith("http://localhost:")
    return PlatformPages(platform, registration, live_server.url)


def no_cookies_in_frames(pages: PlatformPages) -> dict[str, Any]:
    """A browser that keeps no cookie at all of the tool inside the platform, and every one outside of it."""
    rule = {f"{pages.tool},{pages.platform.url}": {"setting": 2}}
    return {**BLOCKED, "content_settings": {"exceptions": {"cookies": rule}}}


def frame_of(page: Page, pages: PlatformPages) -> FrameLocator:
    """The tool inside the course."""
    page.goto(pages.course)
    return page.frame_locator("iframe[name=tool]")


def made_set(course: Course) -> ProblemSet:
    """A set that is published."""
    return ProblemSet.objects.create(course=course, title="Losses", mode="practice", published_at=clock.now())


def test_a_teacher_connects_a_course_inside_a_frame_whose_cookies_are_partitioned(
    opened: Opened, pages: PlatformPages
) -> None:
    Registration.objects.update(lets_teach=True)
    pages.roles = [INSTRUCTOR]
    browser = opened(BLOCKED)
    page = browser.new_page()
    frame = frame_of(page, pages)
    expect(frame.get_by_role("heading", name="Which course is BERT by hand?")).to_be_visible()
    frame.get_by_role("button", name="Create the course").click()
    expect(frame.get_by_role("heading", name="What does “Week 1” open?")).to_be_visible()
    course = Course.objects.get()
    assert Enrolment.objects.get(course=course).role == "instructor"
    chosen = made_set(course)
    page.reload()
    frame.get_by_label("Problem set").select_option(str(chosen.public_id))
    frame.get_by_role("button", name="Open this set").click()
    expect(frame.get_by_role("heading", name="Losses")).to_be_visible()
    # What the frame keeps is kept for the frame alone.
    own = browser.new_page()
    own.goto(f"{pages.tool}/courses/")
    expect(own.get_by_role("heading", name="Sign in")).to_be_visible()
    assert [cookie["name"] for cookie in browser.cookies() if cookie["name"] == "sessionid"] == []


@pytest.mark.usefixtures("lms_context")
def test_without_any_cookie_the_storage_of_the_platform_shows_whose_launch_it_is(
    opened: Opened, pages: PlatformPages, link: ResourceLink, course: Course
) -> None:
    link.problem_set = made_set(course)
    link.save()
    pages.roles, pages.stores = [LEARNER], True
    page = opened(no_cookies_in_frames(pages)).new_page()
    frame = frame_of(page, pages)
    way = frame.get_by_role("link", name="Open in a new tab")
    expect(way).to_be_visible()
    expect(way).to_have_attribute("href", re.compile(r"^/lti/enter/"))
    # The launch itself was ended by what the platform kept: only its session needs a tab.
    assert not LaunchFlow.objects.exists()
    with page.context.expect_page() as opening:
        way.click()
    tab = opening.value
    expect(tab.get_by_role("heading", name="Go on as Alice Teacher")).to_be_visible()
    scanned(tab)
    tab.get_by_role("button", name="Go on").click()
    expect(tab.get_by_role("heading", name="Losses")).to_be_visible()


@pytest.mark.usefixtures("lms_context")
def test_without_cookies_and_without_storage_it_begins_anew_in_a_tab_of_its_own(
    opened: Opened, pages: PlatformPages, link: ResourceLink, course: Course
) -> None:
    link.problem_set = made_set(course)
    link.save()
    pages.roles = [LEARNER]
    page = opened(no_cookies_in_frames(pages)).new_page()
    frame = frame_of(page, pages)
    way = frame.get_by_role("link", name="Open in a new tab")
    expect(way).to_be_visible()
    assert not Enrolment.objects.filter(user__platform_users__sub="somebody").exists()
    with page.context.expect_page() as opening:
        way.click()
    tab = opening.value
    expect(tab.get_by_role("heading", name="Losses")).to_be_visible()
    assert Enrolment.objects.get(user__platform_users__sub="somebody").role == "learner"


@pytest.mark.usefixtures("lms_context")
def test_a_second_launch_in_another_tab_stops_the_first_from_sending(
    opened: Opened, pages: PlatformPages, link: ResourceLink, course: Course
) -> None:
    """BR-105, where both are frames of one platform."""
    pages.roles, pages.sub = [LEARNER], "ann"
    browser = opened(BLOCKED)
    first = browser.new_page()
    frame = frame_of(first, pages)
    frame.get_by_role("link", name="To the course").click()
    frame.get_by_role("link", name="Leave this course").click()
    pages.sub = "ben"
    frame_of(browser.new_page(), pages).get_by_role("link", name="To the course").wait_for()
    frame.get_by_role("button", name="Leave").click()
    now = User.objects.get(platform_users__sub="ben")
    expect(frame.get_by_text(f"This browser is now signed in as {now.username}")).to_be_visible()
    assert Enrolment.objects.filter(course=course, dropped_at=None, role="learner").count() == 3


def signed_in(page: Page, user: User, pages: PlatformPages) -> None:
    """Let the tab be somebody's."""
    client = Client()
    client.force_login(user)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": pages.tool}])


def test_every_page_about_platforms_is_clear_to_everybody(
    page: Page, pages: PlatformPages, link: ResourceLink, operator: User, alice: User, complaints: list[str]
) -> None:
    """Without a finding of axe, on a phone and on a desk, light and dark."""
    registration = pages.registration
    Deployment.objects.create(registration=registration, deployment_id="2", seen_as="The faculty's Moodle")
    person = PlatformUser.objects.create(registration=registration, sub="a", user=alice, name="Alice Teacher")
    other = Context.objects.create(
        deployment=link.context.deployment, context_id="course-2", title="Another course of the platform"
    )
    for one in (link.context, other):
        Membership.objects.create(context=one, platform_user=person, role="instructor", roles=[INSTRUCTOR])
    waiting = ResourceLink.objects.create(context=other, link_id="link-2", title="Week 2")
    made_set(link.context.course or Course())
    signed_in(page, operator, pages)
    for address in ("/lms/", "/lms/new/?kind=canvas", f"/lms/{registration.public_id}/",
                    f"/lms/{registration.public_id}/edit/", "/lms/keys/"):  # fmt: skip
        page.goto(f"{pages.tool}{address}")
        scanned(page)
    page.goto(f"{pages.tool}/lti/launch")
    scanned(page)
    assert "status of 400" in complaints.pop()  # it is none of a launch, and says so
    page.goto(f"{pages.tool}/lms/")
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_text("/lti/register/")).to_be_visible()
    scanned(page)
    signed_in(page, alice, pages)
    for address in (f"/lms/links/{link.public_id}/set/", f"/lms/contexts/{other.public_id}/",
                    f"/lms/contexts/{other.public_id}/account/"):  # fmt: skip
        page.goto(f"{pages.tool}{address}")
        scanned(page)
    Membership.objects.update(role="learner")
    page.goto(f"{pages.tool}/lms/links/{waiting.public_id}/")
    expect(page.get_by_role("heading", name="This course is not connected yet")).to_be_visible()
    scanned(page)
