"""What every journey shares: the browser's complaints are failures."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page

HERE = Path(__file__).parent
#: A browser logs the refusals that a journey is about: they are asserted there.
EXPECTED = re.compile(r"the server responded with a status of 4(01|03|09|22)|Response Status Error Code 4(01|03|09|22)")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.journey)


@pytest.fixture(autouse=True)
def complaints(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Errors that the browser met: a script that fails, a file that is missing, a style the policy refuses."""
    found: list[str] = []
    if "context" in request.fixturenames:
        context: BrowserContext = request.getfixturevalue("context")
        context.on("weberror", lambda error: found.append(str(error.error)))
        context.on("console", lambda message: _note(message, found))
    yield found
    assert not found, found


def _note(message: ConsoleMessage, found: list[str]) -> None:
    if message.type == "error" and not EXPECTED.search(message.text):
        found.append(f"{message.text} ({message.location})")


@pytest.fixture
def plain_page(browser: object, context: BrowserContext) -> Iterator[Page]:
    """A tab of a browser that runs no scripts."""
    assert context.browser is not None
    opened = context.browser.new_context(java_script_enabled=False)
    yield opened.new_page()
    opened.close()
