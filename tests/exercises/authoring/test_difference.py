"""What is different between two texts, by lines and by what they mean."""

import pytest

from exercises import catalogue
from exercises.queries.authoring import difference
from tests.exercises.authoring.world import SMALL


def test_a_text_is_not_different_from_itself() -> None:
    found = difference(SMALL, SMALL)
    assert (found.is_same, found.lines, found.changes) == (True, [], [])


@pytest.mark.parametrize(
    ("old", "new", "part", "how", "says"),
    [
        ("range: [8, 90]", "range: [9, 90]", "parameter", "changed", "Parameter x: range"),
        ("is: x / 7", "is: x / 6", "step", "changed", "Step s: is"),
        ("is: x / 8", "is: x / 9", "mistake", "changed", "Mistake s.eighth: is"),
        ("title: A seventh", "title: Another", "text", "changed", "Title"),
        ("steps:", "require: [x > 9]\nsteps:", "rule", "added", "Require"),
        ("eighth: {is: x / 8", 'a: {is: x, says: b}\n      eighth: {is: x / 8', "mistake", "added", "Mistake s.a"),
        ("  x: {", "  y: {range: [1, 2]}\n  x: {", "parameter", "added", "Parameter y"),
        ("steps:\n", "steps:\n  t: {is: x}\n", "step", "added", "Step t"),
    ],
)  # fmt: skip
def test_a_change_is_told_by_what_it_means(old: str, new: str, part: str, how: str, says: str) -> None:
    other = SMALL.replace(old, new)
    assert (part, how, says) in {(one.part, one.how, one.says) for one in difference(SMALL, other).changes}
    back = {"added": "removed", "changed": "changed"}[how]
    assert (part, back, says) in {(one.part, one.how, one.says) for one in difference(other, SMALL).changes}


def test_comments_and_spaces_change_lines_but_no_meaning() -> None:
    found = difference(SMALL, SMALL.replace("# A seventh.", "# Something."))
    assert found.changes == []
    assert [(line.kind, line.old, line.new) for line in found.lines][:2] == [("old", 1, None), ("new", None, 1)]


def test_the_order_of_steps_is_a_change() -> None:
    one = SMALL + "  t: {is: x}\n  u: {is: x}\n"
    other = SMALL + "  u: {is: x}\n  t: {is: x}\n"
    assert [change.says for change in difference(one, other).changes] == ["The order of the steps"]


def test_lines_that_did_not_change_are_left_out() -> None:
    source = catalogue.source("masked-token-loss")
    found = difference(source, source.replace("weight: 2", "weight: 3"))
    assert len(found.lines) == 9  # a gap, three before, the two, three after
    assert found.lines[0].kind == "gap"
    assert {line.text.strip() for line in found.lines if line.kind in ("old", "new")} == {"weight: 2", "weight: 3"}


def test_texts_that_cannot_be_read_are_compared_by_lines() -> None:
    found = difference(SMALL, "no: [problem")
    assert found.changes == []
    assert found.lines
    assert not difference("a", "- b").is_same
