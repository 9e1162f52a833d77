"""Looking at a page as different people have it before them, all in one go through it."""

import time
from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browsers import PATIENCE

SMALLEST_TARGET = 44
#: Every width and every scheme is looked at once: what is where does not depend on colours, nor a colour on the room.
PHONE, DESK = (360, "light"), (1280, "dark")
LOOKS = (PHONE, DESK)
PRESSED = "button, .button, summary, .answer-box, .text-box, .choice, .place"
#: Done once the page was painted twice. A tab that the browser takes to be behind another is never painted: then it is
#: done after a second, for a script that is waited for has no other end.
PAINTED = """new Promise(done => {
    requestAnimationFrame(() => requestAnimationFrame(done));
    setTimeout(done, 1000);
})"""
#: What can be pressed and is lower than a finger needs.
SMALL = """([pressed, least]) => [...document.querySelectorAll(pressed)]
    .filter(item => item.checkVisibility() && !item.classList.contains('visually-hidden'))
    .map(item => [item.outerHTML.slice(0, 90), item.getBoundingClientRect().height])
    .filter(([, height]) => height > 0 && height < least)"""


def comes_true(page: Page, script: str) -> None:
    """Return once a script on the page says so. It is asked from here again and again: what Playwright would leave in
    the page to ask by itself is refused there by our policy, as all that is made a script afterwards."""
    ends = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(script):
        assert time.monotonic() < ends, script
        page.wait_for_timeout(50)


def scanned(
    page: Page,
    looks: tuple[tuple[int, str], ...] = LOOKS,
    *,
    pressed: str = PRESSED,
    also: Callable[[], None] | None = None,
) -> None:
    """In each look no finding of axe, no sideways scrolling, nothing to press that is too small for a finger, and what
    ``also`` holds. Afterwards the window is as it was; motion stays left out, so that nothing is caught on its way.
    """
    size = page.viewport_size
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.evaluate(PAINTED)
        where = f"{page.url} at {width} px, {scheme}"
        found = Axe().run(page)
        assert found.violations_count == 0, f"{where}\n{found.generate_report()}"
        wide, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide <= room, where
        small = page.evaluate(SMALL, [pressed, SMALLEST_TARGET]) if pressed else []
        assert small == [], where
        if also:
            also()
    page.emulate_media(color_scheme="null")
    if size:
        page.set_viewport_size(size)
