"""Grade files: exact, safe to open in a spreadsheet, and without effect when they come back as they went out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.courses import grade_csv
from exercises.courses.grade_csv import csv_line, is_said_by, percent_cell, percent_heading, read, read_percent

KEY = "1a2b3c4d"
HEAD = f"username,email,external id,name,Quiz [{KEY}] %\r\n"

shares = st.fractions(min_value=0, max_value=1, max_denominator=10_000)


@pytest.mark.parametrize(
    ("share", "cell"),
    [
        (None, ""),
        (Fraction(0), "0.0000"),
        (Fraction(1), "100.0000"),
        (Fraction(2, 3), "66.6667"),
        (Fraction(39, 56), "69.6429"),
        (Fraction(1, 8), "12.5000"),
        (Fraction(1, 2_000_000), "0.0001"),
        (Fraction(9_999_999, 10_000_000), "99.9999"),
    ],
)
def test_a_share_has_four_decimals_and_nothing_less_than_all_says_all(share: Fraction | None, cell: str) -> None:
    assert percent_cell(share) == cell


@given(shares)
def test_what_goes_out_says_what_is_there(share: Fraction) -> None:
    cell = percent_cell(share)
    assert is_said_by(cell, share)
    assert is_said_by(cell.replace(".", ","), share)
    assert is_said_by(cell.rstrip("0").rstrip("."), share)
    assert abs(read_percent(cell) - share) <= Fraction(1, 1_000_000)


@pytest.mark.parametrize(
    ("typed", "share"),
    [
        ("87.5", Fraction(7, 8)),
        ("87,5", Fraction(7, 8)),
        ("1,000", Fraction(1, 100)),
        (" 100 % ", Fraction(1)),
        ("0", Fraction(0)),
    ],
)
def test_a_percentage_is_read_exactly(typed: str, share: Fraction) -> None:
    assert read_percent(typed) == share


@pytest.mark.parametrize("typed", ["", "-1", "100.1", "1e2", "87.50001", "nan", "=1", "1,000,000", "a lot", "1/2", "٣"])
def test_what_is_no_percentage_is_told(typed: str) -> None:
    with pytest.raises(ValueError, match="percentage"):
        read_percent(typed)


def test_an_empty_cell_says_nothing_and_no_score_is_said_by_nothing_else() -> None:
    assert is_said_by("", Fraction(1, 2))
    assert is_said_by(" ", None)
    assert not is_said_by("50", None)
    assert not is_said_by("much", Fraction(1, 2))


@pytest.mark.parametrize("name", ["=1+1", "+49", "-bob", "@bob", "\tbob", "'bob", "＝1", "plain", 'a "b", c'])
def test_no_cell_is_a_formula_and_each_comes_back(name: str) -> None:
    line = csv_line([name, "", "", "", "50"])
    assert line.lstrip('"')[0] not in "=+-@\t\r＝"
    (row,) = read(HEAD + line, [KEY]).rows
    assert row.username == name.strip()
    assert row.cells == ("50",)


def test_columns_are_known_by_their_key_whatever_they_are_called_now() -> None:
    other = percent_heading("Renamed, [twice]", KEY)
    text = "\ufeff" + csv_line(["E-mail", "notes", other, "Gone [99999999] %"]) + csv_line(["b@x.org", "", "50", "60"])
    found = read(text, [KEY, "00000000"])
    assert found.keys == (KEY,)
    assert found.rows[0].email == "b@x.org"
    assert found.rows[0].cells == ("50",)
    assert found.ignored == ("notes", "Gone [99999999] %")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_plain_column_serves_where_only_one_set_can_be_meant(delimiter: str) -> None:
    text = f"username{delimiter}percent\nbob{delimiter}50\n\n"
    assert read(text, [KEY]).keys == (KEY,)
    assert "no column with scores" in read(text, [KEY, "00000000"]).faults[0].words


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "empty"),
        ("name,percent\nBob,1\n", 1, "no column that says who"),
        ("username,username,percent\n", 1, "twice"),
        ("username,points\nbob,3\n", 1, "no column with scores"),
        ("username,percent\nbob,1,2\n", 2, "quotation mark"),
        ("username,percent\n,1\n", 2, "who this is"),
        ('username,percent\n"bob,1\n', 1, "no table"),
        (f"username,percent\n{'b' * 1001},1\n", 2, "at most"),
    ],
)
def test_faults_name_their_line(text: str, line: int, says: str) -> None:
    (fault, *_) = read(text, [KEY]).faults
    assert fault.line == line
    assert says in fault.words


def test_a_file_without_an_end_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grade_csv, "MOST_ROWS", 3)
    found = read("username,percent\n" + "bob,1\n" * 9, [KEY])
    assert "more than 3 rows" in found.faults[0].words
    assert not found.rows


@given(st.text(max_size=300))
def test_any_text_is_answered(text: str) -> None:
    found = read(text, [KEY])
    assert found.rows or found.faults or found.keys
