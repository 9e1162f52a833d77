"""Somebody who teaches lets their account ask for a code of an app, and comes in by it."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.authenticator import STEP, code_at
from tests.journeys.learner import PASSWORD, fill_in_sign_in, seeded
from tests.journeys.looking import scanned
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)


def test_a_second_step_is_switched_on_used_and_switched_off(live_stack: Stack, page: Page) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    alice = seeded(live_stack, teaches=True)
    alice.sign_in(page, then="/accounts/password/change/")
    page.get_by_role("link", name="Switch on two-step sign-in").click()
    expect(page.get_by_role("heading", name="Two-step sign-in")).to_be_visible()
    scanned(page)
    page.get_by_role("link", name="Switch it on").click()
    expect(page.get_by_role("heading", name="Confirm that it is you")).to_be_visible()
    scanned(page)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    picture = page.get_by_role("img", name="QR code for the authenticator app")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth") > 0
    scanned(page)
    secret = page.locator(".secret code").inner_text()
    # The next one, which is taken already and will still be when a slow machine comes to it.
    page.get_by_role("textbox", name="code").fill(code_at(time.time() + STEP, secret))
    page.get_by_role("button", name="Switch it on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    scanned(page)
    recovery = page.locator(".recovery-codes code").all_inner_texts()
    with page.expect_download() as loaded:
        page.get_by_role("link", name="Download them").click()
    assert loaded.value.path().read_text().split() == recovery
    page.get_by_role("link", name="I have saved them").click()
    expect(page.get_by_text("are left")).to_contain_text("10 are left")
    scanned(page)
    page.context.clear_cookies()
    page.goto(f"{live_stack.url}/accounts/login/?next=/courses/")
    fill_in_sign_in(page, alice.name)
    expect(page.get_by_role("heading", name="Second step")).to_be_visible()
    page.get_by_role("textbox", name="code").fill("nonsense")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#id_code_error")).to_be_visible()
    scanned(page)
    page.get_by_role("textbox", name="code").fill(recovery[3])
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(re.compile("/courses/$"))
    page.goto(f"{live_stack.url}/accounts/second-step/")
    page.get_by_role("link", name="Switch it off").click()
    page.get_by_role("link", name="Use a code instead").click()
    expect(page.get_by_role("textbox", name="code")).to_be_visible()
    scanned(page)
    page.get_by_role("textbox", name="code").fill(recovery[4])
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="Switch off two-step sign-in")).to_be_visible()
    scanned(page)
    page.get_by_role("button", name="Switch it off").click()
    expect(page.locator(".badge", has_text="off")).to_be_visible()
    assert [text for text in said if "Content Security Policy" in text] == []
