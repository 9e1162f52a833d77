"""A real browser: the system's Chromium, driven by playwright."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.missing import cannot_run

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Nothing that calls home, and no sandbox where the tests run as root in a container.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """$CHROMIUM, else one on PATH, else (as root on Debian) one that apt installs now; None if there is none."""
    if given := os.environ.get("CHROMIUM"):
        return given
    if found := _on_path():
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["apt-get", "update"], ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]):
            environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            subprocess.run(command, env=environment, capture_output=True, check=False)
    return _on_path()


def _on_path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium, or the asking test is skipped by name (failed with REQUIRE_BROWSER=1)."""
    found = find_chromium()
    if found is None or not Path(found).exists():
        why = "set CHROMIUM to one, or install Debian's chromium package"
        cannot_run("no browser is to be had", why, required="REQUIRE_BROWSER")
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for the whole session."""
    # playwright runs an event loop in this thread, and Django would refuse database access beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile: nobody is signed in, nothing is remembered."""
    opened = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(10_000)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A tab in a fresh profile."""
    return context.new_page()
