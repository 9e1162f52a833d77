"""Texts of authors: templates, Markdown, formulas in TeX."""

from html.parser import HTMLParser

from hypothesis import strategies as st

from frontend.typeset import TAGS, spoken, typeset, typeset_inline
from grader.errors import FormulaError
from grader.template import Drawn, Names, compile_template
from tests.fuzz.of_grader import ENV, RANKS, any_text
from tests.fuzz.reader import Reader, ensure
from tests.fuzz.shapes import TEXTS, encoded

_DRAWN = Drawn({}, ENV, {"words": ("mat", "car", "sky"), "word": "mat"})
_NAMES = Names(RANKS, frozenset({"words", "word"}), {"a": 2}, {"x": "x"})
_DANGEROUS = {"script", "style", "iframe", "object", "embed", "form", "input", "img", "svg", "base", "link", "meta"}


class _Looking(HTMLParser):
    """Looks whether a browser would find anything in a text that we never write."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        ensure(tag in TAGS and tag not in _DANGEROUS, f"<{tag}> on the page")
        for name, value in attrs:
            ensure(not name.startswith("on") and name not in {"style", "src"}, f"{name}= on the page")
            ensure(
                name != "href" or not str(value).lower().lstrip().startswith(("javascript", "data", "vbscript")), value
            )


def read_text(data: bytes) -> object:
    """A template filled, or FormulaError; as HTML without anything that acts."""
    text = any_text(data)
    try:
        text = compile_template(text, _NAMES).fill(_DRAWN)
    except FormulaError as refused:
        ensure(refused.message, "a refusal without words")
    ensure(isinstance(spoken(text), str), "it cannot be spoken")
    # As JSON and YAML readers hand them on: halves of characters never get as far as a page.
    text = text.encode("utf-8", "replace").decode()
    for html in (typeset.__wrapped__(text), typeset_inline.__wrapped__(text)):
        looking = _Looking()
        looking.feed(html)
        looking.close()
    return text


_PIECES = [
    "{{ x }}",
    "{{ words[t] }}",
    "{{ table(words, x) }}",
    "{{ matrix(W) }}",
    "{{ percent(a) }}",
    "{{ listing(words) }}",
    "{{ words[99] }}",
    "{{",
    "}}",
    "$x_1$",
    "$$\\frac{1}{x}$$",
    "$\\begin{bmatrix}1\\\\2\\end{bmatrix}$",
    "$",
    "\\href{x}{y}",
    "**bold**",
    "*it*",
    "`code`",
    "```\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "- one\n- two\n",
    "1. x\n",
    "> quote\n",
    "# H\n",
    "[a](javascript:alert(1))",
    '[a](https://x.example "t")',
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "&lt;",
    "&#0;",
    "\n\n",
    "\n",
    " ",
    "word",
    "−1.5",
    "\\",
    "![i](data:x)",
    "<!--",
    "-->",
    "]]>",
    "\u202e",
    "\x00",
]

READERS = (
    Reader(
        "text", read_text, encoded(st.lists(st.sampled_from(_PIECES) | TEXTS, max_size=9).map("".join)), tuple(_PIECES)
    ),
)
