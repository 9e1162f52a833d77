"""How several processes share the tests."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import LONG, pytest_collection_modifyitems
from tests.stacks import LIVELY, ROOT


@dataclass
class Item:
    """What is looked at of a test."""

    path: Path
    fixturenames: tuple[str, ...] = ()


def test_what_is_named_as_long_or_lively_is_there() -> None:
    assert [name for name in (*LONG, *LIVELY) if not (ROOT / name).exists()] == []


def test_the_longest_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    few, many = Item(ROOT / "tests/few.py"), Item(ROOT / "tests/many.py")
    long, live = Item(ROOT / max(LONG, key=LONG.__getitem__)), Item(ROOT / "tests/live.py", ("new_stack",))
    items = [few, *[many] * 3, long, live]
    pytest_collection_modifyitems(items)  # type: ignore[arg-type]
    assert items == [live, long, *[many] * 3, few]
