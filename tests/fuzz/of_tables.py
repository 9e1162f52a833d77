"""Tables that come in: cards, rosters, grades, answers on paper."""

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from exercises.catalogue.card_check import fit
from exercises.catalogue.cards import CardError, shaped
from exercises.courses import grade_csv, paper_csv, roster
from exercises.courses.cells import TableRefused, decoded
from exercises.courses.roster_lines import csv_of_ndjson
from exercises.decks import anki_form, csv_form
from exercises.decks.rows import Fault, Row
from tests.fuzz.reader import Reader, ensure
from tests.fuzz.shapes import JSON, TEXTS, encoded, tables, written_json

# --- Cards -----------------------------------------------------------------------------------------------------------


def read_deck_csv(data: bytes) -> object:
    """Cards as CSV; those that hold together, written and read again, are the same."""
    rows, faults = csv_form.rows(data.decode("utf-8", "replace"))
    good = _fitting(rows, faults)
    again, more = csv_form.rows(csv_form.written(good))
    ensure(not more, f"what we wrote ourselves has faults: {more}")
    ensure([shaped(row.content) for row in again] == [shaped(one) for one in good], "other cards than were written")
    return rows


def read_deck_anki(data: bytes) -> object:
    """Cards as Anki has them."""
    rows, faults = anki_form.rows(data.decode("utf-8", "replace"))
    good = _fitting(rows, faults)
    again, more = anki_form.rows(anki_form.written(good, deck="D", slug="d"))
    ensure(not more, f"what we wrote ourselves has faults: {more}")
    ensure([shaped(row.content) for row in again] == [shaped(one) for one in good], "other cards than were written")
    return rows


def _fitting(rows: list[Row], faults: list[Fault]) -> list[Any]:
    ensure(all(fault.words and fault.line > 0 for fault in faults), "a fault without words or a line")
    found = []
    for row in rows[:6]:
        try:
            card = shaped(row.content)
            fit(card)
        except CardError as refused:
            ensure(refused.faults, "refused for nothing")
            continue
        found.append(row.content)
    return found


_CARD: dict[str, SearchStrategy[str]] = {
    "key": st.sampled_from(["a", "b-1", "A b", "-"]) | TEXTS,
    "skill": st.sampled_from(["softmax", "", "nothing"]),
    "kind": st.sampled_from(["self", "cloze", "typed", "choice", "drawn", "number", "text", ""]),
    "front": st.sampled_from(["What is $1+1$?", "Is {{1::it}}?", "A ___ gap", "{{ x }} and 1"]) | TEXTS,
    "back": st.sampled_from(["2", "**two**"]) | TEXTS,
    "answer": st.sampled_from(["2", "1/3", "ln(2)", "x", "a"]) | TEXTS,
    "digits": st.sampled_from(["3", "", "99", "x"]),
    "accept": st.sampled_from(['["two"]', "", "[", '{"a": 1}']),
    "options": st.sampled_from(['{"a": "A", "b": "B"}', '["a", "b"]', "", "[[]]"]),
    "mistakes": st.sampled_from(['{"m": {"is": "3", "says": "No."}}', "", "[1]"]),
    "parameters": st.sampled_from(['{"x": {"range": [1, 9]}}', "", "null"]),
    "figure": st.sampled_from(['{"bars": "[1, 2]", "labels": ["a", "b"]}', "", "1"]),
    "problem": st.sampled_from(["", "{}", '"x"']),
    "tags": st.sampled_from(["", "a b", '["a"]']),
    "hint": TEXTS,
    "shuffle": st.sampled_from(["", "true", "x"]),
}
_ANKI = st.lists(
    st.sampled_from(
        [
            "#separator:tab\n",
            "#separator:Comma\n",
            "#html:true\n",
            "#guid column:1\n",
            "#tags column:99\n",
            "#columns:a\tb\n",
            "#deck column:-1\n",
            "front\tback\n",
            "{{c1::x}} y\tz\n",
            "\\(x\\)\t<b>b</b>\n",
            "<script>\tx\n",
            '"a\nb"\tc\n',
            "bert-gym:d:k\tD\tf\tb\tt\t",
            '{"id": "a", "kind": "self"}',
            "[$]x[/$]",
            "<anki-mathjax>",
            "&lt;",
            "\t",
            "\n",
            "#",
        ]
    )
    | TEXTS,
    max_size=14,
).map("".join)

# --- Tables of courses -----------------------------------------------------------------------------------------------


def read_roster(data: bytes) -> object:
    """A roster; written and read again it says the same."""
    try:
        return _same_people(roster.read_roster(decoded(data)))
    except TableRefused as refused:
        return str(refused)


def read_roster_lines(data: bytes) -> object:
    """A roster, one object a line."""
    try:
        return _same_people(roster.read_roster(csv_of_ndjson(decoded(data))))
    except TableRefused as refused:
        return str(refused)


def _same_people(found: roster.Roster) -> roster.Roster:
    again = roster.read_roster(roster.written_roster(found.people))
    ensure(not again.faults, f"what we wrote ourselves has faults: {again.faults}")
    told = [[{**vars(one), "line": 0} for one in people] for people in (found.people, again.people)]
    ensure(told[0] == told[1], f"other people than were written: {told}")
    # A database holds neither halves of characters, which would not be encoded, nor an end of text.
    ensure(b"\x00" not in repr(found.people).encode(), "an end of text")
    return found


def read_grades(data: bytes) -> object:
    """Scores; a cell that was taken is said by itself."""
    try:
        text = decoded(data)
    except TableRefused as refused:
        return str(refused)
    found = grade_csv.read(text, {"0a1b2c3d", "ffffffff"})
    json.dumps([list(fault) for fault in found.faults])
    for row in found.rows:
        for cell in row.cells:
            try:
                share = grade_csv.read_percent(cell)
            except ValueError:
                continue
            ensure(0 <= share <= 1, f"a score of {share}")
            ensure(grade_csv.is_said_by(grade_csv.percent_cell(share), share), f"{share} is not said by its own cell")
    return found


def read_paper(data: bytes) -> object:
    """Answers on paper."""
    try:
        rows = paper_csv.read_paper(decoded(data))
    except TableRefused as refused:
        return str(refused)
    ensure(all(isinstance(row.fault, str) for row in rows), "a fault without words")
    return rows


_PERSON = {
    "username": st.sampled_from(["bob", "Bob", "b.o-b+1", "bob smith", "'=x"]) | TEXTS,
    "email": st.sampled_from(["bob@x.example", "Bob <bob@x.example>", "@"]) | TEXTS,
    "role": st.sampled_from(["learner", "Teacher", "boss", ""]),
    "group": st.sampled_from(["A|B", "", "|", "A" * 99]) | TEXTS,
    "time_factor": st.sampled_from(["1.25", "125 %", "1,5", "0", "1e3", "nan"]) | TEXTS,
}
_WHO = st.lists(st.sampled_from([*roster.COLUMNS, "Login", "E-Mail", "x", "groups"]) | TEXTS, min_size=1, max_size=6)
_LINE = st.dictionaries(st.sampled_from([*roster.COLUMNS, "groups", "x"]), JSON | TEXTS, max_size=4).map(json.dumps)
_SCORES = ["username", "email", "external_id", "percent", "Quiz [0a1b2c3d] %", "x [ffffffff]%", "reason", "x"]
_SHEET = ["code", "learner", "written_at", "1.loss", "3.powers.2", "3.powers.1", "999.x", "0.x", "x"]


def _any(_column: str) -> SearchStrategy[str]:
    return (
        st.sampled_from(["87.5", "100", "0", "100.00001", "bob", "1,5", "", "-1", "2026-11-30T08:00", "0,405"]) | TEXTS
    )


READERS = (
    Reader(
        "deck-csv",
        read_deck_csv,
        tables(
            st.lists(st.sampled_from(sorted(_CARD)), min_size=1, max_size=8, unique=True).map(
                lambda head: ["front", *(name for name in head if name != "front")]
            ),
            lambda name: _CARD.get(name, TEXTS),
        ),
        (*csv_form.COLUMNS, "'=", '""', "{{c1::"),
        6_000_000,
    ),
    Reader(
        "deck-anki",
        read_deck_anki,
        encoded(_ANKI),
        ("#separator:", "#html:true", "{{c1::", "\\(", "[$$]", "<br>"),
        6_000_000,
    ),
    Reader(
        "roster",
        read_roster,
        tables(_WHO, lambda name: _PERSON.get(name, TEXTS)),
        (*roster.COLUMNS, "'=", "|", "125 %"),
    ),
    Reader(
        "roster-lines",
        read_roster_lines,
        encoded(st.lists(_LINE, max_size=4).map("\n".join)) | written_json(JSON),
        ('"groups": [', *roster.COLUMNS),
    ),
    Reader(
        "grades", read_grades, tables(st.lists(st.sampled_from(_SCORES), min_size=1, max_size=5), _any), tuple(_SCORES)
    ),
    Reader("paper", read_paper, tables(st.lists(st.sampled_from(_SHEET), min_size=1, max_size=6), _any), tuple(_SHEET)),
)
