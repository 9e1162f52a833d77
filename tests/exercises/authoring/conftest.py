"""What the tests of authoring share."""

import pytest

from exercises.actions.authoring import checks
from exercises.queries.authoring import states


@pytest.fixture
def quick_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gate of forty seeds, where the gate itself is not what is tested."""
    monkeypatch.setattr(checks, "SEEDS", 40)
    monkeypatch.setattr(states, "SEEDS", 40)
