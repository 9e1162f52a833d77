"""A text set block by block is the text set whole: what one block means never depends on its neighbours."""

import itertools

import pytest

from frontend import typeset as module
from frontend.typeset import typeset

PLAIN = (
    "A *word* and $x_1$.",
    "(in brackets)",
    "| a | b |\n|---|---|\n| 1 | -2 |",
    "$$\nx = \\frac{1}{2}\n$$",
    "`code` first",
)
BINDING = (
    "- a list",
    "  its second paragraph",
    "1. counted",
    "> quoted",
    "    code",
    "```\nfenced",
    "end\n```",
    "$$\nopen",
    "shut\n$$",
    "[word]: https://example.org",
    "see [word]",
    'an "open quote',
    "heading\n===",
    "***",
)


def whole(text: str) -> str:
    return module._clean(module._MARKDOWN.render(text))


@pytest.mark.parametrize("blocks", list(itertools.product((*PLAIN, *BINDING), repeat=2)), ids="+".join)
def test_two_blocks_are_set_as_they_are_together(blocks: tuple[str, str]) -> None:
    text = "\n\n".join(blocks)
    assert typeset(text) == whole(text)


def test_only_the_block_that_changed_is_set_again() -> None:
    typeset("Always the same.\n\nThe word is **hill**.")
    before = typeset.cache_info()
    typeset("Always the same.\n\nThe word is **boat**.")
    after = typeset.cache_info()
    assert (after.hits - before.hits, after.misses - before.misses) == (1, 2)


@pytest.mark.parametrize(
    "table",
    [
        "| | hill | boat |\n|---|---|---|\n| $z$ | -1.5 | 20 |",
        "| $a$ | b | *c* |\n|---|---|---|\n| one two | - | a\\|b |",
        "| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| 4 |",
        "| a |\n|:-:|\n| -3 |",
        "| a | b |\n|---|---|\n| −3 | −0.5 |",
        "| is no table | 1 |",
    ],
)
def test_a_table_is_set_as_it_is_whole(table: str) -> None:
    assert typeset(f"Above.\n\n{table}") == whole(f"Above.\n\n{table}")


def test_a_table_with_other_words_and_numbers_is_not_set_again() -> None:
    typeset("Above.\n\n| | hill | boat |\n|---|---|---|\n| $z$ | -1.5 | 20 |")
    before = typeset.cache_info()
    text = typeset("Above.\n\n| | sea | fire |\n|---|---|---|\n| $z$ | −0.3 | -2 |")
    assert "<td>−2</td>" in text
    assert typeset.cache_info().misses == before.misses + 1
