"""Files made to keep a server busy: whatever a megabyte holds, reading it takes little time and never fails."""

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.catalogue.cards import MOST_CARDS
from exercises.decks import anki_form, csv_form
from exercises.decks.markdown import markdown_of, unescaped
from exercises.decks.rows import MOST_BYTES, MOST_CELL, MOST_FAULTS
from exercises.decks.spans import replaced

#: Seconds of computing. What is quadratic in a cell or a file takes many times as long.
GENEROUS = 3.0


def took(work: Callable[[], object]) -> float:
    """Seconds of this thread's own computing, however busy the machine is."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def filled(unit: str, size: int = MOST_CELL - 100) -> str:
    """Over and over the same, up to a size."""
    return (unit * (size // len(unit) + 1))[:size]


def notes(cell: str) -> str:
    """A megabyte of notes with this front."""
    return f"{cell}\tback\n" * (MOST_BYTES // (len(cell) + 6))


SIGNS = (r"\[", r"\(", "[$]", "[$$]", "<anki-mathjax>")


@given(st.lists(st.sampled_from([r"\(", r"\)", r"\[", r"\]", "a", "\\", "\n", "[", "("]), max_size=30).map("".join))
def test_spans_are_those_of_the_pattern_that_would_look_back(text: str) -> None:
    closing = {r"\(": r"\)", r"\[": r"\]"}
    found = replaced(
        text, re.compile(r"\\\(|\\\["), closing.__getitem__, lambda sign, tex: f"<{sign}{tex}>", least=1
    )  # fmt: skip
    pattern = re.compile(r"(\\\()(.+?)\\\)|(\\\[)(.+?)\\\]", re.DOTALL)
    wanted = pattern.sub(lambda span: f"<{span[1] or span[3]}{span[2] or span[4]}>", text)
    assert found == wanted


def test_a_sign_that_never_closes_is_looked_for_once() -> None:
    looked = []

    class Counting(str):
        __slots__ = ()

        def find(self, *args: object) -> int:
            looked.append(args)
            return super().find(*args)  # type: ignore[arg-type]

    text = Counting(r"\(" * 10_000)
    assert replaced(text, re.compile(r"\\\("), lambda _: r"\)", lambda *_: "") == text
    assert len(looked) == 1


@pytest.mark.parametrize(
    "unit",
    [
        *SIGNS, "<a ", "<a '", '<a "', "<a '\"", '<a ">" ', "<", "</", "<!--", "<!", "<?", "&", "&#", "&#1", "<div>",
        "<code>", "**a ", "`", "\\", "$", "\n", " ", "<b>\\(", "[$][/$]", "<anki-mathjax></anki-mathjax>", "{{c1::",
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_html", [True, False, None])
def test_a_cell_of_one_thing_over_and_over_is_soon_read(unit: str, is_html: bool | None) -> None:
    assert took(lambda: markdown_of(filled(unit), is_html=is_html)) < GENEROUS / 3


@pytest.mark.parametrize("name", ["a", "a b", 'a "', "a '"])
def test_a_tag_that_never_ends_is_text(name: str) -> None:
    assert took(lambda: markdown_of(f"<b>x</b><{filled(name)}", is_html=True)) < GENEROUS / 3
    assert markdown_of(f"<b>x</b> <{name}", is_html=True) == f"**x** <{name}"


def test_quoted_signs_end_no_tag_and_comments_are_left_out() -> None:
    assert markdown_of("<a title=\"x > y\" href='>'>z</a><!-- <b> -->", is_html=True) == "z"


@pytest.mark.parametrize("digits", ["1" * 5_000, "x" + "F" * 5_000, "99999999"])
def test_no_number_of_a_character_is_too_long(digits: str) -> None:
    assert unescaped(f"&#{digits}; &#65; &#x42;") == "\N{REPLACEMENT CHARACTER} A B"
    assert markdown_of(f"<i>&#{digits};</i>", is_html=True) == "*\N{REPLACEMENT CHARACTER}*"


NUMBERS = "1" * 5_000
ANKI = {
    "one line of formulas": filled(r"\(", MOST_BYTES),
    "a first line over a cell": filled(r"\(", 2 * MOST_CELL) + "\tb\n",
    "formulas": notes(filled(r"\[")),
    "tags": notes(filled("<a ")),
    "deletions": notes(filled("{{c1::")),
    "braces": notes("{{c1::" + filled("{")),
    "sources": notes(filled("{")),
    "numbers": notes('{"a":' + filled("1") + "}"),
    "entities": notes("{&#" + filled("1") + ";"),
    "fields": "\t" * MOST_BYTES,
    "lines": "\n" * MOST_BYTES,
    "headers": "#\n" * (MOST_BYTES // 2),
    "columns": "".join(f"#a{number} column:1\n" for number in range(40_000)) + "a\tb\n" * 2_000,
    "tags of all": "#tags:" + "a " * 400_000 + "\n" + "a\tb\n" * 2_000,
    "a column far away": f"#guid column:{NUMBERS}\na\tb\n",
    "notes": "a\tb\n" * (MOST_BYTES // 4),
    "faults": "a\n" * (MOST_BYTES // 2),
    "quotes": '"' * MOST_BYTES,
}
HEAD = "key,kind,front,back,digits,accept,options\n"
CSV = {
    "digits": f"{HEAD}a,number,q,b,{NUMBERS},,\n",
    "lines": HEAD + "\n" * (MOST_BYTES - 100),
    "columns": "front," * (MOST_BYTES // 6),
    "forms": HEAD + f"a,text,q,b,,{filled('|')},\n" * 25,
    "depth": HEAD + f"a,text,q,b,,,{filled('[')}\n" * 25,
    "numbers": HEAD + f"a,text,q,b,,,{filled('1')}\n" * 25,
    "cards": HEAD + "a,b\n" * (MOST_BYTES // 4 - 100),
    "faults": HEAD + "1,2,3,4,5,6,7,8\n" * 60_000,
    "quotes": '"' * MOST_BYTES,
}


@pytest.mark.parametrize("name", ANKI)
def test_a_hostile_text_for_anki_is_soon_read(name: str) -> None:
    assert took(lambda: anki_form.rows(ANKI[name])) < GENEROUS


@pytest.mark.parametrize("name", CSV)
def test_a_hostile_table_is_soon_read(name: str) -> None:
    assert took(lambda: csv_form.rows(CSV[name])) < GENEROUS


@pytest.mark.parametrize("text", [ANKI["notes"], ANKI["faults"], CSV["cards"], CSV["faults"]])
def test_reading_stops_where_a_deck_is_full_and_where_all_is_wrong(text: str) -> None:
    rows, faults = csv_form.rows(text) if text.startswith(HEAD) else anki_form.rows(text)
    assert len(rows) <= MOST_CARDS + 1
    assert len(faults) <= MOST_FAULTS + 1
    assert len(rows) > MOST_CARDS or "the rest was not looked at" in faults[-1].words


def test_columns_that_anki_does_not_know_are_fields() -> None:
    rows, faults = anki_form.rows("#separator:tab\n#odd column:1\n#deck:3\nQ\tA\n")
    assert not faults
    assert [(row.content["front"], row.content["back"]) for row in rows] == [("Q", "A")]


@given(st.characters(exclude_categories=["Cs"]), st.text(max_size=20))
def test_any_separator_can_be_named(sign: str, text: str) -> None:
    rows, faults = anki_form.rows(f"#separator:{sign}\n{text}{sign}b\nq\tb\n")
    assert all(line >= 1 for line in [*(row.line for row in rows), *(fault.line for fault in faults)])
