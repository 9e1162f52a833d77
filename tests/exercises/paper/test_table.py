"""A table of answers from paper is read row by row; what is wrong with one hides no other."""

import pytest

from exercises.courses.cells import TableRefused
from exercises.courses.paper_csv import MOST_ROWS, read_paper, written_paper

#: Two codes that are some: the last sign checks the others.
A, B = "7KQM2XW7", "ABCDEFGW"


def test_boxes_and_entries_find_their_place_and_step() -> None:
    (row,) = read_paper(f"code;learner;1.p;2.powers.1;2.powers.3\n{A};bob;0,665;7,389;1")
    assert (row.code, row.learner, row.fault) == (A, "bob", "")
    assert row.answers == {1: {"p": "0,665"}, 2: {"powers": ["7,389", "", "1"]}}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("ABCD,bob,1", "no code"),
        (f"{A},,1", "whose"),
        (f"{A},bob,1,2", "4 cells under 3"),
    ],
)
def test_a_row_at_fault_says_so_and_the_others_stay(line: str, says: str) -> None:
    bad, good = read_paper(f"code,learner,1.p\n{line}\n{B},bob,0.5")
    assert says in bad.fault
    assert good.fault == ""
    assert good.answers == {1: {"p": "0.5"}}


def test_a_copy_that_is_there_twice_counts_once() -> None:
    first, second = read_paper(f"code,learner,1.p\n{A},bob,1\n{A.lower()},eve,2")
    assert not first.fault
    assert "line 2" in second.fault


def test_a_box_filled_in_as_a_whole_and_by_entries_is_not_guessed_at() -> None:
    (row,) = read_paper(f"code,learner,1.p,1.p.1\n{A},bob,1,2")
    assert "1.p" in row.fault


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("code,1.p\nX,1", "learner"),
        ("learner,1.p\nX,1", "code"),
        ("code,learner,p\n", "no column"),
        ("code,learner,0.p\n", "no column"),
        ("code,learner,1.p,1.p\n", "twice"),
        ("code,learner\n" + "x,y\n" * (MOST_ROWS + 1), "more than"),
        ('code,learner\n"x', "quotation"),
    ],
)
def test_what_is_no_such_table_is_refused_with_words(text: str, says: str) -> None:
    with pytest.raises(TableRefused, match=says):
        read_paper(text)


def test_the_table_to_fill_in_is_read_back_empty() -> None:
    rows = read_paper(written_paper(["1.p", "2.powers.1"], [A, B]))
    assert [(row.code, row.answers) for row in rows] == [(A, {}), (B, {})]
