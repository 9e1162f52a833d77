"""Cards as CSV: a column for every key of a card, so that nothing is lost on the way out and in again.

Lists and mappings stand in their cells as JSON. A cell that a spreadsheet would take for a formula is guarded by an
apostrophe, and so is one that begins with an apostrophe itself; reading takes one away.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from exercises.decks.rows import MOST_CELL, Fault, Row, key_of, sorted_out

_TEXTS = ("skill", "kind", "front", "back", "hint", "answer")
_DATA = ("accept", "options", "mistakes", "parameters", "figure", "problem")
COLUMNS = (
    "key", "skill", "kind", "front", "back", "hint", "answer", "digits", "accept", "options", "shuffle", "mistakes",
    "parameters", "figure", "problem", "tags",
)  # fmt: skip
GUARD = "'"
#: A spreadsheet that meets one of these at the beginning of a cell may run what follows.
_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", GUARD)


def written(contents: Iterable[Mapping[str, Any]]) -> str:
    """The file of these cards; equal cards give equal files."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for content in contents:
        writer.writerow([_guarded(_cell(content, column)) for column in COLUMNS])
    return out.getvalue()


def rows(text: str) -> tuple[list[Row], list[Fault]]:
    """The rows of a file, and what is wrong with it by line. Of a file with too many of either, no more than that.

    Only ``front`` must have a column; others may be left out, and stand in any order. Without ``kind`` a card rates
    itself; without ``key`` it is known by its front. Commas, semicolons or tabs may divide the cells.
    """
    text = text.removeprefix("\ufeff")
    faults: list[Fault] = []
    lines = _cells(text, faults)
    _, head = next(lines, (1, []))
    names = [name.strip().lower() for name in head]
    if faults or not names:
        return [], faults or [Fault(1, "the file is empty")]
    if unknown := [name for name in names if name not in COLUMNS]:
        return [], [Fault(1, f"there is no column {unknown[0]!r}; there are {', '.join(COLUMNS)}")]
    if ("front" not in names and "key" not in names) or len(set(names)) < len(names):
        return [], [Fault(1, "the first line names each column once, among them front")]
    return sorted_out((_row(line, names, cells) for line, cells in lines if any(cells)), faults)


def _cells(text: str, faults: list[Fault]) -> Iterator[tuple[int, list[str]]]:
    """Every row with the line it begins in."""
    first = text.split("\n", 1)[0]
    delimiter = max((",", ";", "\t"), key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            yield line, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            faults.append(Fault(line, f"from here on this is not CSV: {error}"))
            return


def _row(line: int, names: Sequence[str], cells: Sequence[str]) -> Row | Fault:
    if len(cells) > len(names):
        return Fault(line, f"this row has {len(cells)} cells for {len(names)} columns: is a quotation mark missing?")
    if any(len(cell) > MOST_CELL for cell in cells):
        return Fault(line, f"a cell has at most {MOST_CELL} characters")
    given = {name: cell.removeprefix(GUARD) for name, cell in zip(names, cells, strict=False)}
    content: dict[str, Any] = {name: given[name] for name in _TEXTS if given.get(name)}
    content = {"id": given.get("key") or key_of(given.get("front", ""), "row")} | {"kind": "self"} | content
    try:
        content |= {name: _data(name, given[name]) for name in _DATA if given.get(name)}
    except ValueError as error:
        return Fault(line, str(error))
    if given.get("tags"):
        content["tags"] = given["tags"].split()
    if given.get("digits"):
        # What is no number is named when the card is read.
        content["digits"] = int(given["digits"]) if _is_short_number(given["digits"]) else given["digits"][:20]
    if given.get("shuffle"):
        content["shuffle"] = given["shuffle"].strip().lower() not in ("false", "no", "0")
    return Row(line, content)


def _is_short_number(text: str) -> bool:
    return len(text) < 5 and text.isdecimal()


def _data(name: str, cell: str) -> Any:
    """JSON; accepted forms may also be written plainly, with | between them. Raises ValueError."""
    if name == "accept" and not cell.lstrip().startswith("["):
        return [form.strip() for form in cell.split("|")]
    try:
        return json.loads(cell, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name}: this is not JSON: {error}") from error


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number here")


def _cell(content: Mapping[str, Any], column: str) -> str:
    value = content.get("id" if column == "key" else column)
    if value is None:
        return ""
    if column in _DATA:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    if column == "tags":
        return " ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _guarded(cell: str) -> str:
    return GUARD + cell if cell.startswith(_RISKY) else cell
