"""Reading typed answers: the table, what holds for any text, and the bound on the work done."""

import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.answer_table import Row, Section, rows
from grader.reading import KINDS, Reading, fold, notations, read, read_number, read_vector, show
from grader.typed.characters import MAX_LENGTH, plain
from grader.typed.locales import decimal_sign

OPTIONS = (("neg", "negative"), ("pos", "positive"), ("both", "**both**, in a way"))
LOCALES = ("en", "de")
TABLE = list(rows())


@pytest.mark.parametrize(
    ("section", "row"), TABLE, ids=[f"{k}-{section.kind}-{row.locale}" for k, (section, row) in enumerate(TABLE)]
)
def test_a_row_of_the_table_is_read_as_it_says(section: Section, row: Row) -> None:
    reading = section.read(row)
    assert reading.status == ({"blank": "blank", "unreadable": "unreadable"}.get(row.outcome, "read")), reading
    if row.outcome == "unreadable":
        assert row.reading in reading.message
        assert reading.value is None
    else:
        assert reading.shown == row.reading
        assert reading.message == ""


def key_of(section: Section, row: Row) -> Any:
    if row.key == "undefined":
        return math.nan
    match section.kind:
        case "number" if isinstance(row.key, str):
            return read_number(row.key).value
        case "vector" | "shape":
            return tuple(map(float, row.key))
        case "choice":
            return float([key for key, _ in section.options].index(row.key))
        case "choices":
            return tuple(float(key in row.key) for key, _ in section.options)
        case "text":
            return row.key
    return float(row.key)


def agrees(value: Any, key: Any, *, exact: bool) -> bool:
    """Equal, or for numbers within half a unit of the third significant digit of the key."""
    if isinstance(value, tuple):
        return len(value) == len(key) and all(agrees(a, b, exact=exact) for a, b in zip(value, key, strict=True))
    if isinstance(value, str) or exact:
        return bool(value == key)
    if math.isnan(value) or math.isnan(key):
        return math.isnan(value) and math.isnan(key)
    half = 0.5 * 10.0 ** (math.floor(math.log10(abs(key))) - 2) if key else 0.0
    return abs(value - key) <= half * (1 + 1e-9)


@pytest.mark.parametrize(
    ("section", "row"), [pair for pair in TABLE if pair[1].outcome in ("right", "wrong", "mistake")]
)
def test_the_outcome_of_a_row_follows_from_its_reading(section: Section, row: Row) -> None:
    exact = section.kind in ("count", "choice", "choices", "shape")
    assert agrees(section.read(row).value, key_of(section, row), exact=exact) == (row.outcome == "right")


def test_the_table_has_a_row_for_every_kind_and_no_row_twice() -> None:
    assert {section.kind for section, _ in TABLE} == set(KINDS)
    seen = [(section.heading, str(row.typed), row.locale, str(row.key)) for section, row in TABLE]
    assert len(seen) == len(set(seen)) > 350


SIGNS = [*"0123456789.,'_ +-*/^()%=≈~eExX×·√½π…²⁻₂٫٣'[]{};:|<", "\u200e", "\u00a0", "\u2212", "\uff0e", "\x00"]
WORDS = ["ln", "log2", "log_2", "log", "exp(", "sqrt(", "sigmoid(", "0/0", "10^", "...", "nats", "nan", "inf", "1e999"]
PIECES = st.sampled_from([*SIGNS, *WORDS])
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=30), st.text(min_size=150, max_size=300))
ANYTHING = st.one_of(
    TEXTS, st.none(), st.integers(), st.floats(), st.binary(), st.lists(TEXTS, max_size=5), st.lists(st.none())
)


def finite(value: Any) -> bool:
    return (
        all(map(math.isfinite, value)) if isinstance(value, tuple) else isinstance(value, str) or math.isfinite(value)
    )


@settings(max_examples=600, deadline=None)
@given(ANYTHING, st.sampled_from(sorted(KINDS)), st.sampled_from(LOCALES), st.integers(1, 4))
def test_whatever_is_typed_is_read_finite_or_refused_with_a_reason(
    typed: Any, kind: str, locale: str, size: int
) -> None:
    reading = read(kind, typed, size=size, options=OPTIONS, locale=locale)
    match reading.status:
        case "read":
            assert finite(reading.value)
            assert reading.shown
        case "unreadable":
            assert reading.message.endswith((".", "…"))
            assert reading.value is None
        case _:
            assert reading.value is None


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(LOCALES))
def test_what_is_shown_can_be_typed_again(typed: str, locale: str) -> None:
    reading = read_number(typed, locale=locale)
    if reading.status == "read":
        again = read_number(reading.shown.replace("…×", "×"), locale=locale)
        assert again.value == pytest.approx(reading.value, rel=2e-3 if "…" in reading.shown else 1e-13)


@pytest.mark.parametrize(
    ("typed", "shown"), [("39^9", "208728361158759"), ("39^9 + 1/2", "208728361158759.5…"), ("0.1 + 0.2", "0.3")]
)
def test_no_digit_is_cut_before_the_decimal_sign(typed: str, shown: str) -> None:
    assert read_number(typed).shown == shown


def swapped(text: str) -> str:
    return text.translate(str.maketrans(".,", ",."))


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from([*"0123456789.,-+*/() ", "e^", "ln("]), max_size=20).map("".join))
def test_a_decimal_comma_reads_like_a_decimal_point(typed: str) -> None:
    assume(".." not in typed)  # three dots at the end say that digits were left out; three commas say nothing
    english, german = read_number(typed, locale="en"), read_number(swapped(typed), locale="de")
    assert (english.status, english.value, english.digits) == (german.status, german.value, german.digits)
    assert swapped(english.shown) == german.shown


NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False), st.floats(-10, 10), st.integers(-9999, 9999).map(float)
)


def assert_reads_back(kind: str, value: Any, how: dict[str, Any]) -> None:
    for typed in notations(kind, value, **{name: how[name] for name in how if name != "size"}):
        reading = read(kind, typed, undefined=kind == "number", **how)
        assert reading.status == "read", (typed, reading)
        wanted = value if isinstance(value, str) else pytest.approx(value, rel=1e-12, abs=0, nan_ok=True)
        assert reading.value == wanted, (typed, reading)


@settings(max_examples=200, deadline=None)
@given(NUMBERS, st.sampled_from(("en", "de", "fr", "de-CH")), st.sampled_from(("", "percent")))
def test_a_number_in_every_notation_is_the_number(value: float, locale: str, unit: str) -> None:
    if abs(value) < 1e-290 or abs(value) > 1e300:
        value = 0.0  # there a percentage leaves the range of floats
    assert_reads_back("number", value, {"locale": locale, "unit": unit})


def test_undefined_in_every_notation_is_undefined() -> None:
    assert_reads_back("number", math.nan, {})
    assert show("number", math.nan) == "undefined"


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.integers(-(10**14), 10**14), st.integers(0, 2000)), st.sampled_from(("en", "de", "fr", "de-CH")))
def test_a_count_in_every_notation_is_the_count(value: int, locale: str) -> None:
    assert_reads_back("count", float(value), {"locale": locale})


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(-100, 100).filter(lambda x: x == 0 or abs(x) > 1e-290), min_size=1, max_size=4),
    st.sampled_from(LOCALES),
)
def test_a_vector_in_every_notation_is_the_vector(values: list[float], locale: str) -> None:
    assert_reads_back("vector", tuple(values), {"size": len(values), "locale": locale})


@pytest.mark.parametrize("place", range(len(OPTIONS)))
def test_an_option_in_every_notation_is_the_option(place: int) -> None:
    assert_reads_back("choice", float(place), {"options": OPTIONS})


@pytest.mark.parametrize("chosen", [(1.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 1.0, 1.0)])
def test_chosen_options_in_every_notation_are_the_options(chosen: tuple[float, ...]) -> None:
    assert_reads_back("choices", chosen, {"options": OPTIONS})


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=4))
def test_a_shape_in_every_notation_is_the_shape(sizes: list[int]) -> None:
    assert_reads_back("shape", tuple(map(float, sizes)), {})


@pytest.mark.parametrize("text", ["[MASK]", "cross-entropy", "Straße", "next sentence"])
def test_a_text_in_every_notation_is_the_text(text: str) -> None:
    assert_reads_back("text", fold(text), {})


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=40))
def test_normalising_leaves_nothing_that_cannot_be_seen(text: str) -> None:
    cleaned = plain(text)
    assert not set(cleaned) & set(
        "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u00a0"
    )
    assert plain(cleaned) == cleaned


def lines_run(call: Callable[[], object]) -> int:
    """Lines of the grader that a call runs through: a measure of work that does not depend on the machine."""
    count = 0
    home = str(Path(sys.modules["grader"].__file__ or "").parent)

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(home):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def repeated(pieces: Sequence[str]) -> str:
    return ("".join(pieces) * MAX_LENGTH)[:MAX_LENGTH]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(PIECES, min_size=1, max_size=5).map(repeated),
    st.sampled_from(("number", "count", "shape", "text", "choice")),
)
def test_the_longest_text_is_settled_in_bounded_work(text: str, kind: str) -> None:
    assert lines_run(lambda: read(kind, text, options=OPTIONS)) < 12_000


@pytest.mark.parametrize(
    "piece", ["9^", "(", "-", "1+", "sqrt(", "½²", "√2", "1,", " 1", "e^-", "2*ln(3)+", "\u200e", "0.1·"]
)
def test_boxes_full_of_long_texts_are_settled_in_bounded_work(piece: str) -> None:
    boxes = [repeated([piece])] * 4
    assert lines_run(lambda: read_vector(boxes, 4)) < 40_000


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_text_without_end_is_refused_unread(kind: str) -> None:
    reading: list[Reading] = []
    assert lines_run(lambda: reading.append(read(kind, "1+" * 500_000, size=2, options=OPTIONS))) < 200
    assert reading[0].status == "unreadable"


@pytest.mark.parametrize(
    ("typed", "digits"), [("0.41", 2), ("0.0410", 3), ("12", 2), ("5e-2", 1), ("66.5%", 3), ("1/3", None)]
)
def test_the_typed_digits_are_counted_for_plain_decimals(typed: str, digits: int | None) -> None:
    assert read_number(typed).digits == digits


def test_each_entry_of_a_vector_has_its_own_reading() -> None:
    reading = read_vector(["2", "ln 3", ""], 3)
    assert [entry.status for entry in reading.entries] == ["read", "unreadable", "blank"]
    assert reading.message == "Entry 2 cannot be read. Here a function needs brackets: write ln(3)."


@pytest.mark.parametrize("tag", [None, 7, "", "e" * 500, "zz-ZZ", "en_US.UTF-8", "\x00"])
def test_an_unknown_language_reads_with_a_point(tag: object) -> None:
    assert decimal_sign(tag) == "."
