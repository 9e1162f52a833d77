"""The pages of what platforms are told, and choosing content for one, in a real browser."""

from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from exercises.models import Context, Course, LineItem, LmsScore, Membership, PlatformUser, ProblemSet, User
from tests.exercises.courses.world import problem_set
from tests.exercises.sitting.world import synced
from tests.journeys.looking import scanned
from tests.lti.conftest import lms_context, platform, published, registration, served, services
from tests.lti.platform import INSTRUCTOR, FakePlatform, send
from tests.lti.services import Services

__all__ = ["lms_context", "platform", "published", "registration", "served", "services"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def quiz(course: Course) -> ProblemSet:
    return problem_set(course, "quiz", *synced(), opens_at=None, closes_at=None)


def signed_in(page: Page, user: User, tool: str, **kept: Any) -> None:
    """Let the tab be somebody's, with what a launch left in their session."""
    client = Client()
    client.force_login(user)
    session = client.session
    session["lti"] = kept
    session.save()
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": tool}])


def test_a_teacher_puts_two_links_into_the_platform(
    page: Page, live_server: Any, served: Context, quiz: ProblemSet, course: Course, alice: User, platform: FakePlatform
) -> None:
    """The one page that posts to another host, under our policy: by its script, and to that host alone."""
    problem_set(course, "exam", *synced(), opens_at=None, closes_at=None)
    came: list[dict[str, list[str]]] = []

    def taken(handler: BaseHTTPRequestHandler) -> None:
        came.append(parse_qs(handler.rfile.read(int(handler.headers["Content-Length"])).decode()))
        send(handler, b"<!doctype html><title>There</title><h1>Two links</h1>")

    platform.pages["/return"] = taken
    person = PlatformUser.objects.create(registration=served.deployment.registration, sub="t", user=alice)
    Membership.objects.create(context=served, platform_user=person, role="instructor", roles=[INSTRUCTOR])
    settings = {
        "return_url": f"{platform.url}/return", "accept_types": ["ltiResourceLink"], "accept_targets": ["iframe"],
        "accept_multiple": True,
    }  # fmt: skip
    deployment = served.deployment
    signed_in(
        page, alice, live_server.url, registration=deployment.registration_id, deployment=deployment.deployment_id,
        context=served.context_id, deep_linking=settings,
    )  # fmt: skip
    page.goto(f"{live_server.url}/lms/contexts/{served.public_id}/content/")
    scanned(page)
    page.get_by_label("A quiz").check()
    page.get_by_label("A exam").check()
    page.get_by_role("button", name="Put these links into the course").click()
    expect(page.get_by_role("heading", name="Two links")).to_be_visible()
    assert len(came) == 1
    assert came[0]["JWT"][0].count(".") == 2


def test_the_pages_of_what_platforms_were_told_are_clear_to_everybody(
    page: Page, live_server: Any, served: Context, quiz: ProblemSet, alice: User, course: Course, services: Services
) -> None:
    """Without a finding of axe, on a phone and on a desk, light and dark."""
    signed_in(page, alice, live_server.url)
    address = f"{live_server.url}/lms/courses/{course.public_id}/"
    page.goto(f"{live_server.url}/courses/{course.public_id}/people/")
    page.get_by_role("link", name="Learning platforms").click()
    expect(page.get_by_role("heading", name="Learning platforms")).to_be_visible()
    scanned(page)
    column = LineItem.objects.create(
        context=served, problem_set=quiz, url=services.columns["1"]["id"], is_coupled=True, label="Week 1"
    )
    LineItem.objects.create(
        context=served, problem_set=quiz, state="gone", why="The platform says that this column was deleted (404)."
    )
    sent = {"scoreGiven": 50, "scoreMaximum": 100, "gradingProgress": "FullyGraded"}
    person = PlatformUser.objects.get(sub="7")
    score = LmsScore.objects.create(
        line_item=column, platform_user=person, state="failed", sent=sent, last_status=422, last_answer="no",
        why="The platform does not grade this person (422).", shown={"score": 3, "maximum": 20},
        read_at=served.created_at, sent_at=served.created_at,
    )  # fmt: skip
    Context.objects.update(
        sync_report={
            "state": "failed", "seen": 3, "came": 1, "changed": 0, "dropped": 0, "failed": 1, "left": 12,
            "faults": ["Row 3: it has no user id that could be one."], "why": "12 are not on it any more.",
        }
    )  # fmt: skip
    page.goto(address)
    expect(page.get_by_role("button", name="Read it and drop those 12")).to_be_visible()
    scanned(page)
    page.get_by_role("link", name="Week 1").click()
    expect(page.get_by_text("other than sent")).to_be_visible()
    scanned(page)
    page.get_by_role("button", name="Send again: bob").click()
    expect(page.get_by_text("1 score will be sent within a minute.")).to_be_visible()
    score.refresh_from_db()
    assert (score.state, score.sent_version) == ("pending", 0)
