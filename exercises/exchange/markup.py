"""Problem texts, Markdown with ``$TeX$``, as the HTML of other systems: ``\\(TeX\\)`` for those that set it by script,
MathML for those that read XML. What comes out is well-formed XML and holds neither scripts nor styles."""

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape, unescape
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from math_core import LatexError, LatexToMathML
from mdit_py_plugins.dollarmath import dollarmath_plugin

Maths = Literal["tex", "mathml"]
LONGEST_TEXT = 40_000
LONGEST_FORMULA = 2_000
_MATHML = LatexToMathML(fancy_error=False, max_expansions=200, xml_namespace=True)
_NAMED = re.compile(r"&([A-Za-z]+);")
#: What XML cannot hold at all.
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def html(text: str, maths: Maths = "tex") -> str:
    """Blocks of Markdown as XHTML. Never raises; a text that is too long stands there as it is."""
    clean = _NOT_XML.sub("", text)
    if len(clean) > LONGEST_TEXT:
        return f"<pre>{escape(clean)}</pre>"
    return str(_parser(maths).render(clean)).strip()


@lru_cache(maxsize=2048)
def inline(text: str, maths: Maths = "tex") -> str:
    """One line of Markdown as XHTML without a paragraph around it."""
    clean = _NOT_XML.sub("", text)
    if len(clean) > LONGEST_TEXT:
        return escape(clean)
    return str(_parser(maths).renderInline(clean)).strip()


def formula(tex: str, maths: Maths = "tex", *, display: bool = False) -> str:
    """One formula: between ``\\(`` and ``\\)`` (``\\[`` and ``\\]`` on a line of its own), or as MathML.

    What cannot be set as MathML stands there as code.
    """
    tex = _NOT_XML.sub("", tex).strip()
    if maths == "tex":
        opening, closing = (r"\[", r"\]") if display else (r"\(", r"\)")
        return f"{opening}{escape(tex, quote=False)}{closing}"
    if not tex or len(tex) > LONGEST_FORMULA:
        return f"<code>{escape(tex[:LONGEST_FORMULA])}</code>"
    try:
        return _NAMED.sub(_sign, str(_MATHML.convert_with_local_state(tex, displaystyle=display)))
    except LatexError:
        return f"<code>{escape(tex)}</code>"


def _sign(entity: re.Match[str]) -> str:
    """An entity of HTML as its sign: XML knows only five by name."""
    return entity[0] if entity[1] in ("lt", "gt", "amp", "quot", "apos") else unescape(entity[0])


def plain(text: str) -> str:
    """Markdown with ``$TeX$`` as plain words, for titles and names."""
    return re.sub(r"\s+", " ", re.sub(r"[*_`$]", "", _NOT_XML.sub("", text))).strip()


@lru_cache(maxsize=2)
def _parser(maths: Maths) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "xhtmlOut": True, "maxNesting": 20})
    parser.enable(["table"]).disable(["image", "html_block", "html_inline", "link", "autolink"])
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)

    def rule(display: bool) -> Any:
        def written(_renderer: RendererProtocol, tokens: Sequence[Token], index: int, *_: Any) -> str:
            return formula(tokens[index].content, maths, display=display)

        return written

    for name, display in (("math_inline", False), ("math_inline_double", True), ("math_block", True)):
        parser.add_render_rule(name, rule(display))
    for cell in ("th", "td"):
        # Alignment would be a style, which not every system lets through.
        parser.add_render_rule(f"{cell}_open", _cell)
    return parser


def _cell(_renderer: RendererProtocol, tokens: Sequence[Token], index: int, *_: Any) -> str:
    return f"<{tokens[index].tag}>"
