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
