"""What SECURITY.md says is held by a test is held by one that is there."""

import re
from pathlib import Path

from tests.fuzz.readers import READERS

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_every_test_that_is_named_is_there() -> None:
    there = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(named) > 50
    assert named <= there, sorted(named - there)


def test_every_threat_names_what_holds_it() -> None:
    rows = [
        line
        for line in TEXT.splitlines()
        if line.startswith("| ") and not line.startswith(("| ---", "| wants", "| has"))
    ]
    assert len(rows) > 30
    for row in rows:
        assert re.search(r"`test_\w+`|`tests/fuzz`", row.rpartition(" | ")[2]), row


def test_readers_that_are_named_are_fuzzed() -> None:
    assert {"answer", "formula", "lti-claims"} <= set(READERS)


def test_it_is_found_from_where_people_look() -> None:
    for name in ("README.md", "CONTRIBUTING.md"):
        assert "(SECURITY.md)" in (ROOT / name).read_text(encoding="utf-8")
