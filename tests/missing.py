"""What could not run is told loudly, at the end and by name: a skip nobody reads is a test nobody has."""

import os
from collections.abc import Generator
from typing import NoReturn

import pytest


def cannot_run(what: str, why: str, *, required: str) -> NoReturn:
    """Skip the asking test since `what` is not to be had, or fail it where the variable `required` is 1."""
    reason = f"{what}: {why}"
    if os.environ.get(required) == "1":
        pytest.fail(f"{reason} ({required}=1 makes this a failure.)", pytrace=False)
    pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    yield
    skipped: dict[str, list[str]] = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        skipped.setdefault(reason.removeprefix("Skipped: "), []).append(report.nodeid)
    if skipped:
        terminalreporter.section("DID NOT RUN HERE", sep="!", red=True, bold=True)
        for reason, names in skipped.items():
            terminalreporter.line(f"{len(names)} because of {reason}", red=True)
            for name in sorted(set(names)):
                terminalreporter.line(f"    {name}")
