"""A real browser: the system's Chromium, driven by playwright."""

import functools
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

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
#: Until something that is waited for counts as missing. A machine that runs other tests beside is slow, not wrong.
PATIENCE = 60_000
#: What somebody does to a thing on the page, and on the keyboard.
DEEDS = (
    "check",
    "click",
    "dblclick",
    "fill",
    "focus",
    "press",
    "press_sequentially",
    "select_option",
    "tap",
    "uncheck",
)
KEYS = ("insert_text", "press", "type")
#: What is done to a thing also while nobody can see it.
UNSEEN = ("focus", "press", "press_sequentially")
#: For some 20 ms htmx does not listen to what it has just put in. No hand is so quick, but a test is.
UNHEARD = ".htmx-added, .htmx-settling, .htmx-swapping"


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


def arrived(page: Page) -> None:
    """Return once the page that is open has loaded, which it has not before its scripts ran, and listens everywhere."""
    page.wait_for_load_state("load")
    page.locator(UNHEARD).first.wait_for(state="detached")


def _patient(deed: Callable[..., Any], page_of: Callable[[Any], Page]) -> Callable[..., Any]:
    @functools.wraps(deed)
    def wait_and_do(*given: Any, **named: Any) -> Any:
        if given and isinstance(given[0], Locator):
            # It may still be on its way: only once it is there can it be told whether htmx listens to it by now.
            is_seen = deed.__name__ not in UNSEEN and not named.get("force")
            given[0].wait_for(state="visible" if is_seen else "attached", timeout=named.get("timeout"))
        arrived(page_of(given[0] if given else None))
        return deed(*given, **named)

    return wait_and_do


def _attend(page: Page) -> None:
    for name in KEYS:
        setattr(page.keyboard, name, _patient(getattr(page.keyboard, name), lambda _: page))


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for the whole session, used as people use one: whatever is done to a page is done once it is there.

    Playwright waits for the thing that is clicked, not for the scripts that listen to it, and a key goes wherever it
    may: between the two a slow machine lost clicks and keys.
    """
    # playwright runs an event loop in this thread, and Django would refuse database access beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE)
    with pytest.MonkeyPatch.context() as patched, sync_playwright() as playwright:
        for name in DEEDS:
            patched.setattr(Locator, name, _patient(getattr(Locator, name), lambda thing: thing.page))
        patched.setattr(Page, "evaluate", _patient(Page.evaluate, lambda page: page))
        started = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        opening = started.new_context

        def new_context(**wanted: Any) -> BrowserContext:
            opened = opening(**{"locale": "en-GB", "viewport": {"width": 1280, "height": 900}, **wanted})
            opened.set_default_timeout(PATIENCE)
            opened.on("page", _attend)
            return opened

        patched.setattr(started, "new_context", new_context)
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile: nobody is signed in, nothing is remembered."""
    opened = browser.new_context()
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A tab in a fresh profile."""
    return context.new_page()
