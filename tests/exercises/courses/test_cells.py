"""Tables as spreadsheets write them, in and out."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.courses.cells import MOST_BYTES, TableRefused, decoded, guarded, lines_of, unguarded, written

CELLS = [
    # written, guarded
    ("Bob", "Bob"),
    ("", ""),
    ("=1+2", "'=1+2"),
    ("+49 30", "'+49 30"),
    ("-1", "'-1"),
    ("@bob", "'@bob"),
    ("\tx", "'\tx"),
    ("\rx", "'\rx"),
    ("＝1", "'＝1"),  # the wide sign, which some spreadsheets take for the narrow one
    ("'t Hooft", "'t Hooft"),
    ("'=1", "''=1"),
    ("1 = 1", "1 = 1"),
]
TABLES = [
    ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
    ("a;b\r\n1;2", [["a", "b"], ["1", "2"]]),
    ("a\tb\r1\t2", [["a", "b"], ["1", "2"]]),
    ('"a,x";b\n"1;2";"x""y"', [["a,x", "b"], ["1;2", 'x"y']]),
    ("\ufeffa,b\n\n , \n1,2", [["a", "b"], ["1", "2"]]),
    ('a,b\n"1\n2",3', [["a", "b"], ["1\n2", "3"]]),
    ("a\n1", [["a"], ["1"]]),
]


@pytest.mark.parametrize(("cell", "safe"), CELLS)
def test_no_cell_is_a_formula(cell: str, safe: str) -> None:
    assert guarded(cell) == safe
    assert unguarded(safe) == cell


@given(st.text())
def test_a_guarded_cell_means_what_it_meant(cell: str) -> None:
    assert unguarded(guarded(cell)) == cell
    assert guarded(cell)[:1] not in tuple("=+-@\t\r")


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=2), max_size=5))
def test_what_is_written_is_read_again(rows: list[list[str]]) -> None:
    text = written(["x", "y"], rows)
    assert all(cell[:1] not in tuple("=+-@") for line in csv.reader(io.StringIO(text, newline="")) for cell in line)
    found = [[unguarded(cell) for cell in line.cells] for line in lines_of(text, most=10)]
    assert found == [["x", "y"], *(row for row in rows if any(guarded(cell).strip() for cell in row))]


@pytest.mark.parametrize(("text", "cells"), TABLES)
def test_whatever_divides_the_cells(text: str, cells: list[list[str]]) -> None:
    assert [line.cells for line in lines_of(text, most=10)] == cells


def test_lines_are_counted_as_an_editor_counts_them() -> None:
    assert [line.line for line in lines_of('a,b\n\n"1\n2",3\n4,5\n', most=10)] == [1, 3, 5]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \n,,\n", "empty"),
        ('a,b\n1,"2\n3,4', "quotation mark"),
        ("a\n" + "1\n" * 4, "more than 3 rows"),
        ("a\n" + "x" * MOST_BYTES, "Your table is 1.1 MB; 1 MB is the most"),
        ("a\n" + "x" * 200_000, "field larger"),
    ],
)
def test_what_is_no_table_is_told(text: str, words: str) -> None:
    with pytest.raises(TableRefused, match=words):
        lines_of(text, most=3)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_files_are_read_as_spreadsheets_save_them(encoding: str) -> None:
    assert decoded("name\nJürgen".encode(encoding)) == "name\nJürgen"


@pytest.mark.parametrize("data", ["Jürgen".encode("latin-1"), b"x" * (MOST_BYTES + 1), b"\xff\xfe\x00"])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(TableRefused):
        decoded(data)
