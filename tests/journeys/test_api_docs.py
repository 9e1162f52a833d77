"""The description of the door, as anybody reads it in a browser."""

import json
import os

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.looking import scanned
from tests.stacks import Stack

pytestmark = pytest.mark.parametrize("live_stack", ["embedded"], indirect=True)


def pictured(page: Page, name: str) -> None:
    """A picture for whoever wants to look."""
    if folder := os.environ.get("PICTURES"):
        for width, scheme in ((360, "light"), (1280, "dark"), (1280, "light")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png", full_page=True)


def test_the_description_can_be_read_by_anybody(live_stack: Stack, page: Page) -> None:
    page.goto(f"{live_stack.url}/api/v1/docs")
    expect(page.get_by_role("heading", name="REST", exact=True)).to_be_visible()
    page.get_by_text("/api/v1/variants/{public_id}/answers").click()
    expect(page.get_by_text("Takes a key with the scope practice").locator("visible=true")).to_be_visible()
    scanned(page)
    pictured(page, "docs")
    page.get_by_role("link", name="AnswersRequest").click()
    expect(page.get_by_role("row", name="locale")).to_be_visible()
    described = json.loads(page.request.get(f"{live_stack.url}/api/v1/openapi.json").text())
    assert described["openapi"] == "3.1.0"
