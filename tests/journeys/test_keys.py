"""Somebody makes a key for a program, uses it, and takes it away; a system is let in; the description is read."""

import json
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.journeys.learner import seeded
from tests.journeys.looking import scanned
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)


def opened(stack: Stack, token: str) -> int:
    """What the door answers to a token."""
    request = urllib.request.Request(f"{stack.url}/api/v1/skills", headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def test_a_key_is_made_copied_used_and_taken_away(live_stack: Stack, page: Page, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    alice = seeded(live_stack, teaches=True)
    alice.sign_in(page, then="/accounts/password/change/")
    scanned(page)
    page.get_by_role("link", name="Manage keys").click()
    expect(page.get_by_role("heading", name="Keys for programs")).to_be_visible()
    page.get_by_role("link", name="New token").click()
    page.get_by_role("button", name="Create the token").click()
    expect(page.get_by_text("Tick at least one thing")).to_be_visible()
    scanned(page)
    page.get_by_label("Name").fill("notebook")
    page.get_by_label("practise, sit sets").check()
    page.get_by_label("read problems, their versions").check()
    page.get_by_role("button", name="Create the token").click()
    expect(page.get_by_text("This is shown only once")).to_be_visible()
    scanned(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    token = page.locator("#secret").inner_text()
    assert page.evaluate("navigator.clipboard.readText()") == token
    assert opened(live_stack, token) == 200
    page.get_by_role("link", name="I have it").click()
    page.get_by_role("link", name="New system").click()
    page.get_by_label("Name").fill("Campus")
    page.get_by_label("read courses, people, groups").check()
    page.get_by_role("button", name="Create the system").click()
    expect(page.get_by_role("heading", name="Client secret")).to_be_visible()
    page.get_by_role("link", name="I have it").click()
    expect(page.get_by_text(token[:10])).to_be_visible()
    page.get_by_text("Secret of Campus").click()
    scanned(page)
    page.get_by_role("button", name="Revoke notebook").click()
    expect(page.get_by_text("is revoked")).to_be_visible()
    assert opened(live_stack, token) == 401


def test_the_description_can_be_read_by_anybody(live_stack: Stack, page: Page) -> None:
    page.goto(f"{live_stack.url}/api/v1/docs")
    expect(page.get_by_role("heading", name="REST", exact=True)).to_be_visible()
    page.get_by_text("/api/v1/variants/{public_id}/answers").click()
    expect(page.get_by_text("Takes a key with the scope practice").locator("visible=true")).to_be_visible()
    scanned(page)
    page.get_by_role("link", name="AnswersRequest").click()
    expect(page.get_by_role("row", name="locale")).to_be_visible()
    described = json.loads(page.request.get(f"{live_stack.url}/api/v1/openapi.json").text())
    assert described["openapi"] == "3.1.0"
