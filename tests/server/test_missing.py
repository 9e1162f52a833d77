"""What cannot run is told by name, and is a failure where it must not be missing."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run_without_a_browser(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A run of one test that needs a browser, on a machine whose browser is gone."""
    file = folder / "test_in_a_browser.py"
    file.write_text("def test_that_needs_a_browser(page):\n    page.goto('about:blank')\n")
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), str(file)]
    environment = os.environ | {"CHROMIUM": str(folder / "none"), "REQUIRE_BROWSER": "0"} | environment
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_without_a_browser_the_journeys_are_listed_at_the_end(tmp_path: Path) -> None:
    ran = run_without_a_browser(tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    end = ran.stdout.partition("DID NOT RUN HERE")[2]
    assert "no browser is to be had" in end
    assert "test_that_needs_a_browser" in end
    assert "1 skipped" in end


def test_where_a_browser_is_required_its_absence_fails(tmp_path: Path) -> None:
    ran = run_without_a_browser(tmp_path, REQUIRE_BROWSER="1")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "REQUIRE_BROWSER=1 makes this a failure" in ran.stdout
