"""What reading a file of cards gives, whatever its form: rows, and faults with their lines."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from exercises.catalogue.cards import MOST_CARDS

#: Of a file.
MOST_BYTES = 2_000_000
#: Of one cell; a card has fewer characters in all.
MOST_CELL = 40_000
#: More faults than this are not looked for: the file is of another kind.
MOST_FAULTS = 100


class Fault(NamedTuple):
    """What is wrong with a row, and the line it begins in, from 1."""

    line: int
    words: str


@dataclass(frozen=True)
class Row:
    """One card as a file has it: plain data as in a deck file, to be read there.

    ``is_foreign`` where another program wrote it, so that only front, back and tags are known; ``is_ours`` where it was
    one of our cards there before.
    """

    line: int
    content: Mapping[str, Any]
    is_foreign: bool = False
    is_ours: bool = False


def sorted_out(found: Iterable[Row | Fault], faults: list[Fault]) -> tuple[list[Row], list[Fault]]:
    """Rows and faults apart, with the ``faults`` that turn up meanwhile; given up on after too many of either."""
    rows: list[Row] = []
    for each in found:
        if isinstance(each, Row):
            rows.append(each)
        else:
            faults.append(each)
        if len(rows) > MOST_CARDS:
            break
        if len(faults) >= MOST_FAULTS:
            faults.append(Fault(each.line, f"more than {MOST_FAULTS} faults: the rest was not looked at"))
            break
    return rows, faults


def key_of(text: str, prefix: str) -> str:
    """A card's id made from what else names it, the same every time."""
    return f"{prefix}-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}"
