"""The event reference says just the kinds that there are."""

import re
from pathlib import Path

from exercises.courses.events import KINDS

PAGE = Path(__file__).resolve().parents[2] / "docs/events.md"


def test_every_kind_of_event_is_written_down_and_none_besides() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    written = [kind for row in rows for kind in re.findall(r"`([a-z.-]+)`", row.split("|")[1])]
    assert sorted(written) == sorted(KINDS)
