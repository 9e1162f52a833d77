"""Every row of the table of typed answers, marked: the help page promises what the marking does."""

from typing import Any

import pytest

from grader.answer_table import Row, Section, rows, sections
from grader.problem import Problem
from grader.verdict import OUTCOMES, OWN_NOTES
from tests.grader.tiny import marks, tiny, wrong

TABLE = list(rows())


def problem_of(section: Section, key: str) -> Problem:
    """A problem of one step whose key is the row's."""
    step: dict[str, Any] = {"kind": section.kind, "mistakes": {tag: wrong(rule) for tag, rule in section.mistakes}}
    if section.kind == "text":
        return tiny({"a": step | {"accept": [key]}}, {})
    if section.kind in ("choice", "choices"):
        step["options"] = dict(section.options)
    if section.kind == "number":
        step |= {"unit": section.unit or None, "undefined": section.undefined}
    return tiny({"a": {name: value for name, value in (step | {"is": key}).items() if value is not None}}, {})


def formula(section: Section, row: Row) -> str:
    """The key of a row as a formula, or as the accepted text."""
    if row.key == "undefined":
        return "0/0"
    options = [key for key, _ in section.options]
    match section.kind:
        case "choice":
            return str(options.index(row.key))
        case "choices":
            return str([int(key in row.key) for key in options])
    return str(row.key)


@pytest.mark.parametrize(
    ("section", "row"),
    [pytest.param(section, row, id=f"{k}-{section.kind}-{row.locale}") for k, (section, row) in enumerate(TABLE)],
)
def test_a_row_of_the_table_is_marked_as_it_says(section: Section, row: Row) -> None:
    found = marks(problem_of(section, formula(section, row)), {}, {"a": row.typed}, locale=row.locale)["a"]
    tags = {tag for tag, _ in section.mistakes}
    note = f"a.{row.note}" if row.note in tags else row.note
    assert (found.outcome, found.note) == (row.outcome, note)
    if row.outcome == "unreadable":
        assert row.reading in found.message
    else:
        assert found.read_as == row.reading


def test_the_table_uses_outcomes_and_notes_of_the_closed_sets() -> None:
    for section, row in TABLE:
        assert row.outcome in OUTCOMES
        assert row.note in (*OWN_NOTES, *(tag for tag, _ in section.mistakes))


def test_the_table_shows_every_outcome_that_one_answer_alone_can_have() -> None:
    assert {row.outcome for _, row in TABLE} == set(OUTCOMES) - {"carried"}
    assert {"coarse", "lost-sign", "power-of-ten", "percent", "other-order"} <= {row.note for _, row in TABLE}


def test_every_section_says_what_it_shows() -> None:
    assert all(section.heading and section.says and section.rows for section in sections())
