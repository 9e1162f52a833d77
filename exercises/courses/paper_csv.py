"""Answers on paper as a table: a row a copy, a column a box. Reading it finds fault row by row."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from exercises.courses.cells import TableRefused, lines_of, unguarded, written
from exercises.courses.codes import read_code
from exercises.courses.paper_codes import is_paper_code

MOST_ROWS = 1_000
CODE, LEARNER, WRITTEN_AT = "code", "learner", "written_at"
#: ``3.loss``, or ``3.powers.2`` for the second entry of a vector: the place on the sheet, the step, the entry.
_COLUMN = re.compile(r"([1-9]\d{0,2})\.([A-Za-z]\w{0,39})(?:\.([1-9]\d?))?")


@dataclass(frozen=True)
class PaperRow:
    """One copy: ``learner`` as typed, and for each place the answers by step, a list where a column names entries."""

    line: int
    code: str
    learner: str
    written_at: str
    answers: Mapping[int, Mapping[str, str | list[str]]]
    fault: str = ""


@dataclass
class _Cells:
    """The boxes of one row as they are met, entries by their number."""

    texts: dict[tuple[int, str], str] = field(default_factory=dict)
    entries: dict[tuple[int, str], dict[int, str]] = field(default_factory=dict)

    def answers(self) -> dict[int, dict[str, str | list[str]]]:
        found: dict[int, dict[str, str | list[str]]] = {}
        for (place, step), text in self.texts.items():
            found.setdefault(place, {})[step] = text
        for (place, step), entries in self.entries.items():
            last = max(entries)
            found.setdefault(place, {})[step] = [entries.get(number, "") for number in range(1, last + 1)]
        return found


def read_paper(text: str) -> list[PaperRow]:
    """The rows of a table with ``code``, ``learner``, perhaps ``written_at``, and a column for each box.

    Raises TableRefused for what is no such table; what is wrong with one row is said there, and hides no other.
    """
    head, *rows = lines_of(text, most=MOST_ROWS)
    columns = [name.strip() for name in head.cells]
    _refuse_columns(columns)
    return _faulted_twice([_row(row.line, columns, [unguarded(cell) for cell in row.cells]) for row in rows])


def written_paper(columns: Sequence[str], codes: Iterable[str]) -> str:
    """An empty table to fill in: the columns, and a row for each code."""
    return written([CODE, LEARNER, WRITTEN_AT, *columns], ([code, "", "", *("" for _ in columns)] for code in codes))


def _refuse_columns(columns: Sequence[str]) -> None:
    for needed in (CODE, LEARNER):
        if needed not in columns:
            raise TableRefused(f"There is no column {needed!r}: the first line names the columns.")
    for name in columns:
        if name and name not in (CODE, LEARNER, WRITTEN_AT) and not _COLUMN.fullmatch(name):
            raise TableRefused(
                f"{name[:40]!r} is no column: write the place and the step, such as 3.loss or 3.powers.2."
            )
    twice = sorted({name for name in columns if name and columns.count(name) > 1})
    if twice:
        raise TableRefused(f"The column {twice[0]!r} is there twice.")


def _row(line: int, columns: Sequence[str], cells: Sequence[str]) -> PaperRow:
    if len(cells) > len(columns):
        return PaperRow(line, "", "", "", {}, f"This line has {len(cells)} cells under {len(columns)} columns.")
    said = dict(zip(columns, cells, strict=False))
    code, learner = read_code(said.get(CODE, "")), said.get(LEARNER, "").strip()
    found = _Cells()
    for name, cell in said.items():
        match = _COLUMN.fullmatch(name)
        if match is None or not cell.strip():
            continue
        place, step, entry = int(match[1]), match[2], match[3]
        if entry is None:
            found.texts[place, step] = cell
        else:
            found.entries.setdefault((place, step), {})[int(entry)] = cell
    return PaperRow(
        line, code, learner, said.get(WRITTEN_AT, "").strip(), found.answers(), _fault(said, code, learner, found)
    )


def _fault(said: Mapping[str, str], code: str, learner: str, found: _Cells) -> str:
    if not is_paper_code(code):
        return f"{said.get(CODE, '')[:20]!r} is no code of a copy: look at it again."
    if not learner:
        return "It does not say whose copy this is."
    both = sorted(found.texts.keys() & found.entries.keys())
    if both:
        return f"{both[0][0]}.{both[0][1]} is filled in as a whole and by entries: leave one of them empty."
    return ""


def _faulted_twice(rows: list[PaperRow]) -> list[PaperRow]:
    """A copy that is there twice is found fault with at its second line."""
    first: dict[str, int] = {}
    checked = []
    for row in rows:
        fault = row.fault
        if not fault and row.code in first:
            fault = f"This copy stands in line {first[row.code]} already."
        first.setdefault(row.code, row.line)
        checked.append(replace(row, fault=fault))
    return checked
