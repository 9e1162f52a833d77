"""Somebody looks at what is kept of them, takes it along, and has it erased."""

import zipfile

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.learner import PASSWORD, seeded
from tests.journeys.looking import scanned
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)


def test_somebody_takes_everything_along_and_goes(live_stack: Stack, page: Page) -> None:
    learner = seeded(live_stack)
    learner.sign_in(page)
    page.locator(".who a").click()
    scanned(page)
    page.get_by_role("link", name="What is kept about me").click()
    expect(page.get_by_role("heading", name="How much there is")).to_be_visible()
    scanned(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download everything").click()
    assert zipfile.ZipFile(waiting.value.path()).testzip() is None
    page.get_by_role("link", name="Erase my account").click()
    expect(page.get_by_role("heading", name="Erase my account?")).to_be_visible()
    page.get_by_label("Your user name").fill(learner.name)
    page.get_by_label("Your password").fill("not this one")
    page.get_by_role("button", name="Erase my account").click()
    expect(page.get_by_text("That is not your password")).to_be_visible()
    scanned(page)
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Erase my account").click()
    expect(page.get_by_text("Your account is erased")).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link", name="Sign up")).to_be_visible()
