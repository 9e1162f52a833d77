"""The table of typed answers as data: for the tests and for the help page."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from grader.reading import Reading, read
from grader.typed.result import Typed
from grader.verdict import Outcome

_FILE = Path(__file__).with_suffix(".yaml")


@dataclass(frozen=True)
class Row:
    """One typed answer. ``reading``: what is shown, or for an unreadable answer a part of the message.

    ``key``: a number, a list, an option's key, a text, "undefined", or a calculation in text.
    """

    typed: Typed
    locale: str
    key: Any
    reading: str
    outcome: Outcome
    note: str


@dataclass(frozen=True)
class Section:
    """Rows that make one point, and the box they are typed into (see ``grader.reading.Box``).

    ``mistakes`` maps a tag to the formula of a named mistake that the notes of the rows refer to.
    """

    heading: str
    says: str
    rows: tuple[Row, ...]
    kind: str = "number"
    unit: str = ""
    undefined: bool = False
    size: int = 1
    options: tuple[tuple[str, str], ...] = ()
    mistakes: tuple[tuple[str, str], ...] = ()

    def read(self, row: Row) -> Reading:
        """How one of its rows is read in its box."""
        return read(
            self.kind,
            row.typed,
            size=self.size,
            options=self.options,
            locale=row.locale,
            unit=self.unit,
            undefined=self.undefined,
        )


@lru_cache(maxsize=1)
def sections() -> tuple[Section, ...]:
    """The table, in the order of the file."""
    return tuple(_section(entry) for entry in yaml.safe_load(_FILE.read_text(encoding="utf-8")))


def rows() -> Iterator[tuple[Section, Row]]:
    """Every row with its section."""
    for section in sections():
        for row in section.rows:
            yield section, row


def _section(entry: dict[str, Any]) -> Section:
    return Section(
        **{
            **entry,
            "rows": tuple(Row(*row) for row in entry["rows"]),
            "options": tuple((key, text) for key, text in entry.get("options", ())),
            "mistakes": tuple(entry.get("mistakes", {}).items()),
        }
    )
