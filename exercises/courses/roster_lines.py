"""A roster as programs write it: one JSON object a line (NDJSON), made into the table that people would send."""

import json
from typing import Any

from exercises.courses.cells import TableRefused, written
from exercises.courses.roster import BETWEEN_GROUPS, COLUMNS, MOST_PEOPLE

#: Of one line.
MOST_CHARACTERS = 4_000


def csv_of_ndjson(text: str) -> str:
    """The table of these lines. Keys are the columns of a roster, ``groups`` is a list of names beside them; what is
    missing or null says nothing. Raises TableRefused with the line that cannot be read."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if len(lines) > MOST_PEOPLE:
        raise TableRefused(f"A roster has at most {MOST_PEOPLE:,} lines; this one has {len(lines):,}.")
    return written(COLUMNS, [_cells(number, line) for number, line in lines])


def _cells(number: int, line: str) -> list[str]:
    said = _object(number, line)
    if unknown := sorted(said.keys() - {*COLUMNS, "groups"}):
        raise TableRefused(
            f"Line {number}: there is no {unknown[0][:60]!r}. Write {', '.join(COLUMNS[:-1])} or {COLUMNS[-1]}."
        )
    groups = said.pop("groups", None)
    if groups is not None:
        if not isinstance(groups, list) or not all(isinstance(name, str) for name in groups):
            raise TableRefused(f"Line {number}: groups is a list of names.")
        said["group"] = BETWEEN_GROUPS.join(groups)
    return [_cell(number, name, said.get(name)) for name in COLUMNS]


def _object(number: int, line: str) -> dict[str, Any]:
    if len(line) > MOST_CHARACTERS:
        raise TableRefused(f"Line {number} has more than {MOST_CHARACTERS:,} characters.")
    try:
        said = json.loads(line, parse_constant=_no_number)
        # Half a character (a lone surrogate) can be written in JSON, and stored nowhere.
        json.dumps(said, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise TableRefused(f"Line {number} is no JSON: write one object a line.") from None
    if not isinstance(said, dict):
        raise TableRefused(f"Line {number} is no object: write one object a line.")
    return said


def _no_number(said: str) -> Any:
    raise ValueError(f"{said} is no JSON.")


def _cell(number: int, name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TableRefused(f"Line {number}: {name} is a text or a number.")
    return str(value)
