"""Changing a value in a file's text leaves every other character where it is, or says that it cannot."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises import catalogue
from grader.errors import ProblemError
from grader.rewriting import GONE, NotRewritable, rewritten
from grader.source import read_source
from tests.grader.tiny import examples

FILE = """\
# What this file is about.
title: A title   # beside it
summary: >
  Folded
  text.

parameters:
  x: {range: [-2, 4], step: 0.5}  # the grid
  names:
    pick:
      # the first
      - [a, b]
      - [c, d]  # the second
      - [e, f]

# About the steps.
steps:
  s:
    is: x + 1
    mistakes:
      first: {is: x, says: No.}
      # The other one.
      second:
        is: x - 1
        says: |
          Two lines
          here.
# The end.
"""


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("title",), "B", "title: A title   #", "title: B   #"),
        (("title",), "yes: # no", "title: A title   #", 'title: "yes: # no"   #'),
        (("title",), "true", "title: A title   #", 'title: "true"   #'),
        (("title",), "1/4", "title: A title   #", "title: 1/4   #"),
        (("title",), "12", "title: A title   #", 'title: "12"   #'),
        (("parameters", "x", "range"), [-2, 3.5], "[-2, 4]", "[-2, 3.5]"),
        (("parameters", "x", "range", 0), 1e-7, "[-2, 4]", "[0.0000001, 4]"),
        (("parameters", "x", "step"), 1.0, "0.5}", "1}"),
        (("parameters", "x", "step"), GONE, ", step: 0.5", ""),
        (("parameters", "x", "range"), GONE, "range: [-2, 4], ", ""),
        (("parameters", "x", "size"), 3, "step: 0.5}", "step: 0.5, size: 3}"),
        (("parameters", "x", "from"), ["no", "a, b"], "step: 0.5}", 'step: 0.5, from: [no, "a, b"]}'),
        (("parameters", "names", "pick"), [["a", "b"], ["e", "f"]], "      - [c, d]  # the second\n", ""),
        (("steps", "s", "mistakes", "first"), GONE, "      first: {is: x, says: No.}\n", ""),
        (("steps", "s", "mistakes", "second", "says"), "One.", "|\n          Two lines\n          here.", "One."),
        (("steps", "s", "mistakes", "first", "credit"), "1/4", "says: No.}", "says: No., credit: 1/4}"),
        (("steps", "s", "hint"), "A\nB\n", "          here.\n", "          here.\n    hint: |\n      A\n      B\n"),
        (("digits",), {"answer": 2}, "          here.\n", "          here.\ndigits:\n  answer: 2\n"),
    ],
)  # fmt: skip
def test_only_the_characters_of_the_value_change(path: tuple[Any, ...], value: Any, old: str, new: str) -> None:
    assert rewritten(FILE, {path: value}) == FILE.replace(old, new, 1)


def test_what_stands_there_already_changes_nothing() -> None:
    data = read_source(FILE).data
    edits = {("title",): "A title", ("parameters", "x"): data["parameters"]["x"], ("steps", "s", "hint"): GONE}
    assert rewritten(FILE, edits) == FILE


def test_with_the_last_mistake_its_key_goes_as_well() -> None:
    text = rewritten(FILE, {("steps", "s", "mistakes", tag): GONE for tag in ("first", "second")})
    assert read_source(text).data["steps"]["s"] == {"is": "x + 1"}
    assert "# About the steps." in text
    assert text.endswith("# The end.\n")


def test_true_takes_the_place_of_1() -> None:
    assert rewritten("a: 1\n", {("a",): True}) == "a: true\n"


def test_line_ends_of_the_file_are_kept() -> None:
    assert rewritten("a: 1\r\nb: 2\r\n", {("c",): "x\ny\n"}) == "a: 1\r\nb: 2\r\nc: |\r\n  x\r\n  y\r\n"


def test_a_file_without_a_last_line_end_gets_one_before_a_new_key() -> None:
    assert rewritten("a: 1", {("b",): 2}) == "a: 1\nb: 2\n"


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("? a\n: 1\n", ("a",), GONE),
        ("- a: 1\n  b: 2\n", (0, "a"), GONE),
        ("a: 1\n", ("b", "c"), 1),
        ("a: text\n", ("a", "c"), 1),
        ("a: 1\n", ("a",), "\x07"),
    ],
)
def test_a_place_that_cannot_be_changed_is_refused(text: str, path: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(ProblemError):
        rewritten(text, {path: value})


def test_what_cannot_be_changed_says_what_to_do() -> None:
    with pytest.raises(NotRewritable, match="edit the text"):
        rewritten("- a: 1\n  b: 2\n", {(0, "a"): GONE})


@pytest.mark.parametrize("slug", ["token-slots", "masked-set", "uniform-logits"])
@given(data=st.data())
@examples(25)
def test_any_text_can_stand_at_any_key_of_any_file(slug: str, data: st.DataObject) -> None:
    """What is written is read back, and nothing else is read differently."""
    source = catalogue.source(slug)
    before = read_source(source).data
    step = data.draw(st.sampled_from(list(before["steps"])))
    key = data.draw(st.sampled_from(["ask", "hint", "is", "skill", "weight", "labels"]))
    value = data.draw(
        st.one_of(
            st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"]), max_size=40),
            st.sampled_from(["a\nb\n", " lead", "a: b", "# no", "[a", "null", "~", "1e3", "'", '"', "\n", "x\n\n"]),
            st.integers(-(10**9), 10**9),
            st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 6)),
            st.booleans(),
            st.lists(st.sampled_from(["no", "a b", "x, y", "##s", "[CLS]"]), min_size=1, max_size=3),
        )
    )  # fmt: skip
    try:
        text = rewritten(source, {("steps", step, key): value})
    except ProblemError as error:
        assert "no file can hold" in str(error)  # noqa: PT017 - what may be refused, and nothing else
        return
    after = read_source(text).data
    assert after["steps"][step].pop(key) == value
    before["steps"][step].pop(key, None)
    assert after == before
