"""Grades as CSV: what goes out comes in again and changes nothing."""

import csv
import io
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exercises.courses.cells import Fault, Line, TableRefused, guarded, lines_of, unguarded

#: What says who somebody is, in this order; any of the first three is enough to find them.
WHO = ("username", "email", "external id", "name")
#: The heading of the score in a file written by hand, where only one set can be meant.
PLAIN = "percent"
MOST_ROWS = 20_000
MOST_CELL = 1_000
MOST_FAULTS = 100
DECIMALS = 4
_KEYED = re.compile(r"\[([0-9a-f]{8})\]\s*%\s*$")
_NUMBER = re.compile(r"([0-9]{1,3})(?:[.,]([0-9]{1,4}))?\s*%?")


@dataclass(frozen=True)
class GradeRow:
    """One person of a file, and what stands in their cells: a text for each of the file's ``keys``."""

    line: int
    username: str
    email: str
    external_id: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class GradeFile:
    """A file that was read: of which sets, the rows, what is wrong, and the columns that were passed over."""

    keys: tuple[str, ...] = ()
    rows: tuple[GradeRow, ...] = ()
    faults: tuple[Fault, ...] = ()
    ignored: tuple[str, ...] = ()


def percent_heading(title: str, key: str) -> str:
    """The heading of a set's column; ``key`` is eight hex digits, by which it is known whatever it is called."""
    return f"{title} [{key}] %"


def percent_cell(share: Fraction | None) -> str:
    """A share in percent to four decimals, half up: "66.6667". Nothing less than everything says 100. "" for None."""
    if share is None:
        return ""
    if share < 1:
        share = min(share, Fraction(999_999, 1_000_000))
    return decimal(share * 100)


def decimal(number: Fraction) -> str:
    """A number that is not negative, to four decimals, half up: "2.5000"."""
    units = (number.numerator * 10**DECIMALS * 2 + number.denominator) // (2 * number.denominator)
    return f"{units // 10**DECIMALS}.{units % 10**DECIMALS:0{DECIMALS}d}"


def csv_line(cells: Iterable[str]) -> str:
    """One line of the file, its end included."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow([guarded(cell) for cell in cells])
    return out.getvalue()


def read_percent(typed: str) -> Fraction:
    """The share that a cell says: a number between 0 and 100 with at most four decimals, a point or a comma before
    them. Raises ValueError, in words, for anything else."""
    text = typed.strip()
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:40]!r} is no score: write a percentage with at most four decimals, such as 87.5.")
    whole, decimals = found[1], found[2] or ""
    share = Fraction(int(whole + decimals), 100 * 10 ** len(decimals))
    if share > 1:
        raise ValueError(f"{text!r} is more than everything: write a percentage between 0 and 100.")
    return share


def is_said_by(cell: str, share: Fraction | None) -> bool:
    """Whether a cell says what is there already, as far as four decimals go. An empty cell says nothing."""
    if not cell.strip() or share is None:
        return not cell.strip()
    try:
        given = read_percent(cell)
    except ValueError:
        return False
    return given == share or given == read_percent(percent_cell(share))


def read(text: str, wanted: Collection[str]) -> GradeFile:
    """A file with the scores of these sets, known by their keys: its rows, or what is wrong with it, line by line.

    It needs a column that says who somebody is, and one for a set: as they are exported, or "percent" where only one
    set can be meant. Other columns are passed over. Commas, semicolons or tabs may divide the cells.
    """
    try:
        head, *lines = lines_of(text, most=MOST_ROWS)
    except TableRefused as refused:
        return GradeFile(faults=(Fault(1, str(refused)),))
    names = [" ".join(name.split()).lower().replace("_", " ").replace("e-mail", "email") for name in head.cells]
    places = _places(names, wanted)
    if fault := _fault_of(names, places):
        return GradeFile(faults=(Fault(head.line, fault),))
    read_lines = [_row(line, names, places) for line in lines]
    faults = [row for row in read_lines if isinstance(row, Fault)][:MOST_FAULTS]
    rows = [row for row in read_lines if isinstance(row, GradeRow)]
    known = {*places.values(), *(names.index(name) for name in WHO if name in names)}
    ignored = tuple(name for place, name in enumerate(head.cells) if place not in known)
    return GradeFile(tuple(places), tuple(rows), tuple(faults), ignored)


def _places(names: Sequence[str], wanted: Collection[str]) -> dict[str, int]:
    """Where the column of each set stands; the first, if one is there twice."""
    places: dict[str, int] = {}
    for place, name in enumerate(names):
        found = _KEYED.search(name)
        if found and found[1] in wanted:
            places.setdefault(found[1], place)
        elif name == PLAIN and len(wanted) == 1:
            places.setdefault(next(iter(wanted)), place)
    return places


def _fault_of(names: Sequence[str], places: dict[str, int]) -> str:
    if not any(name in names for name in WHO[:3]):
        return "The first line names no column that says who somebody is: username, email or external id."
    if any(names.count(name) > 1 for name in WHO):
        return "The first line names a column twice."
    if not places:
        return "The first line names no column with scores of this grade book. Begin from a file that it exported."
    return ""


def _row(line: Line, names: Sequence[str], places: dict[str, int]) -> GradeRow | Fault:
    width = len(names)
    if len(line.cells) > width:
        return Fault(
            line.line, f"This row has {len(line.cells)} cells for {width} columns: is a quotation mark missing?"
        )
    if any(len(cell) > MOST_CELL for cell in line.cells):
        return Fault(line.line, f"A cell has at most {MOST_CELL} characters.")
    given = [unguarded(cell).strip() for cell in (*line.cells, *[""] * (width - len(line.cells)))]
    who = {name: given[names.index(name)] for name in WHO if name in names}
    if not any(who.get(name) for name in WHO[:3]):
        return Fault(line.line, "Nothing says who this is: fill in username, email or external id.")
    scores = tuple(given[place] for place in places.values())
    return GradeRow(line.line, who.get(WHO[0], ""), who.get(WHO[1], ""), who.get(WHO[2], ""), scores)
