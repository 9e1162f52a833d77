"""The pages of events and webhooks: gone through by keyboard, and looked at by everybody."""

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from exercises.actions.delivering import webhooks as actions
from exercises.actions.delivering.deliver import deliver_due, fan_out
from exercises.actions.events import tell
from exercises.actions.feed import place_events
from exercises.models import Course, Delivery, User, Webhook
from tests.exercises.events.receiver import receiving
from tests.journeys.looking import scanned
from tests.journeys.test_courses import reach

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def home(page: Page, live_server: Any, alice: User, settings: Any) -> str:
    """Where the pages are, for Alice."""
    settings.ALLOW_PRIVATE_ADDRESSES = True
    client = Client()
    client.force_login(alice)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    return str(live_server.url)


def happens(course: Course, number: int, learner: User) -> None:
    for one in range(number):
        data = {"problem_set": str(uuid.uuid4()), "score": f"{one}/{number}", "attempt": str(uuid.uuid4())}
        tell("score.changed", course=course.pk, learner=learner.pk, data=data)
    place_events()
    fan_out()


def test_a_webhook_is_made_by_keyboard_its_secret_copied_and_never_seen_again(
    page: Page, home: str, course: Course
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{home}/courses/{course.public_id}/")
    reach(page, "Events and webhooks")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Events and webhooks")).to_be_visible()
    reach(page, "New webhook")
    page.keyboard.press("Enter")
    reach(page, "Address")
    page.keyboard.type("http://127.0.0.1:9/hook")
    reach(page, "score.changed")
    page.keyboard.press("Space")
    scanned(page)
    page.keyboard.press("Enter")
    secret = page.locator("#secret").inner_text()
    assert re.fullmatch(r"whsec_[\w+/]{43}=", secret)
    scanned(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == secret
    page.get_by_role("link", name="I have it").click()
    expect(page.get_by_text("score.changed: what a learner")).to_be_visible()
    assert secret not in page.content()
    page.get_by_text("Remove it…").click()
    page.get_by_role("button", name="Remove the webhook").click()
    expect(page.get_by_text("Nothing is delivered to http://127.0.0.1:9/hook any more.")).to_be_visible()
    assert not Webhook.objects.exists()


def test_every_page_is_clear_to_everybody(page: Page, home: str, course: Course, alice: User, bob: User) -> None:
    """Without a finding of axe, on a phone and on a desk, light and dark."""
    with receiving() as receiver:
        hook, _ = actions.make_webhook(actor=alice, course=course, url=receiver.url, kinds=["score.changed"])
        long = f"http://127.0.0.1:9/{'very-long-name/' * 12}hook"
        gone, _ = actions.make_webhook(actor=alice, course=course, url=long, kinds=[])
        receiver.statuses = [200]
        happens(course, 6, bob)
        deliver_due(10)
        receiver.statuses = [503]
        happens(course, 1, bob)
        deliver_due(10)
    Delivery.objects.filter(webhook=gone).update(state="given-up", due_at=None)
    Webhook.objects.filter(pk=gone.pk).update(state="disabled", why="Nothing arrived there for three days.")
    actions.rotate_secret(actor=alice, webhook=hook)
    for one in ("", f"{hook.public_id}/", f"{gone.public_id}/", f"{gone.public_id}/edit/"):
        page.goto(f"{home}/courses/{course.public_id}/webhooks/{one}")
        for folded in page.locator("main details").all():
            folded.locator("summary").first.click()
        scanned(page)
    page.goto(f"{home}/courses/{course.public_id}/webhooks/{hook.public_id}/")
    expect(page.get_by_text("503 Service Unavailable")).to_be_visible()
    page.get_by_role("button", name="Try now").first.click()
    expect(page.get_by_text("It is delivered once more")).to_be_visible()
