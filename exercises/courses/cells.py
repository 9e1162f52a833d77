"""Tables as spreadsheets write them: read whatever divides their cells, and written so that no cell is a formula."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grader.sizes import too_large

#: Of a file, in bytes.
MOST_BYTES = 1_000_000
DIVIDERS = (",", ";", "\t")
#: What a spreadsheet may run when a cell begins so, with the wide forms of the signs, and however often it is guarded.
_RISKY = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
GUARD = "'"
#: What some spreadsheets know UTF-8 by.
BOM = "\ufeff"
_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


class TableRefused(ValueError):
    """A file that cannot be used as a whole; the message says why and what to do."""


class Fault(NamedTuple):
    """What is wrong with a row, and the line it begins in, from 1."""

    line: int
    words: str


class Line(NamedTuple):
    """One row of a table, as it was written, and the line it begins in, from 1."""

    line: int
    cells: list[str]


def too_much(size: int, *, what: str = "Your file", most: int = MOST_BYTES) -> str:
    """What to say of a table of that many bytes, which are more than ``most``."""
    return f"{too_large(size, most, what=what)}. Divide it, and send the parts one after the other."


def decoded(data: bytes, *, most: int = MOST_BYTES) -> str:
    """The text of a file: UTF-8, or UTF-16 where it says so, as spreadsheets save it. Raises TableRefused, also for
    more than ``most`` bytes."""
    if len(data) > most:
        raise TableRefused(too_much(len(data), most=most))
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise TableRefused("The file is not UTF-8: save it again as “CSV UTF-8”.") from None


def lines_of(text: str, *, most: int) -> list[Line]:
    """The rows of a table, its head first, without those that are empty.

    Commas, semicolons or tabs divide the cells: whichever the head has most of outside quotation marks. Raises
    TableRefused for a text without a head, for one that is larger than a file may be, for more than ``most`` rows
    below the head, and for what is no table, with the line.
    """
    text = text.removeprefix(BOM)
    size = len(text.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        raise TableRefused(too_much(size, what="Your table"))
    found: list[Line] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_divider(text), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            raise TableRefused(
                f"From line {line} on this is no table ({error}): is a quotation mark missing?"
            ) from None
        if any(cell.strip() for cell in cells):
            found.append(Line(line, cells))
        if len(found) > most + 1:
            raise TableRefused(f"There are more than {most:,} rows: divide the table.")
    if not found:
        raise TableRefused("The table is empty: its first line names the columns.")
    return found


def written(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The file of a table; a cell that a spreadsheet would take for a formula is guarded by an apostrophe."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([guarded(cell) for cell in head])
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue()


def guarded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; ``unguarded`` takes the apostrophe away again."""
    return GUARD + cell if _RISKY.match(cell) else cell


def unguarded(cell: str) -> str:
    """What a cell meant before it was guarded. An apostrophe that guards nothing, as in ’t Hooft's name, stays."""
    return cell[1:] if cell.startswith(GUARD) and _RISKY.match(cell) else cell


def _divider(text: str) -> str:
    head = re.sub(r'"[^"]*"?', "", text.lstrip("\r\n").split("\n", 1)[0])
    return max(DIVIDERS, key=head.count)
