"""Markdown with ``$TeX$`` to HTML that is safe to put on a page.

Two fences stand one behind the other: the Markdown parser knows no raw HTML and no script addresses, and what it
wrote is then filtered through a list of allowed tags and attributes. Formulas become MathML on the server, so that
they can be read without JavaScript and by a screen reader; the page's own script then draws them with KaTeX from
``data-tex``.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from math_core import LatexError, LatexToMathML
from mdit_py_plugins.dollarmath import dollarmath_plugin

#: Longer texts and formulas are shown as they were written: nobody writes them by hand, and nothing may hang.
LONGEST_TEXT = 40_000
LONGEST_FORMULA = 2_000
#: Texts kept after they were set. A statement is about 2 kB of HTML, so the cache stays under some 10 MB.
KEPT = 2048


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TEX_TAGS = _words(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup munder mover munderover mmultiscripts "
    "mprescripts mtable mtr mtd mpadded mphantom mstyle merror menclose"
)
TAGS = TEX_TAGS | _words(
    "p br hr em strong s code pre blockquote ul ol li h2 h3 h4 h5 h6 a span div table thead tbody tr th td"
)
MATH_ATTRIBUTES = _words(
    "display displaystyle scriptlevel mathvariant stretchy symmetric fence separator accent accentunder lspace rspace "
    "minsize maxsize movablelimits form largeop linethickness columnalign columnspan rowspan width height depth "
    "voffset notation"
)
ATTRIBUTES: dict[str, set[str]] = {
    **{tag: set(MATH_ATTRIBUTES) for tag in TEX_TAGS},
    "a": {"href", "title"},
    "span": {"class", "data-tex", "data-display", "aria-hidden"},
    "div": {"class"},
    "code": {"class"},
    "th": {"class", "scope"},
    "td": {"class"},
    "ol": {"start"},
}

#: A hyphen used as a minus sign: before a number, and not within a word, a range, or a date.
MINUS = re.compile(r"(?<![\w.,)\]\-–—])-(?=[\d.∞])")


def with_minus(text: str) -> str:
    """``text`` with the minus sign U+2212 where a hyphen stands before a number (``-1.5`` becomes ``−1.5``)."""
    return MINUS.sub("−", text)


#: Signs that turn the direction of writing; in what somebody typed they would hide what is really there.
_TURNS = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def without_turns(text: str) -> str:
    """``text`` with the signs that turn the direction of writing spelt out: ``\u202e`` for the override."""
    return _TURNS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


@lru_cache(maxsize=KEPT)
def formula(tex: str, display: bool = False) -> SafeString:
    """One formula as ``<span class="tex">`` with MathML inside, or its source as code if it cannot be set.

    Never raises. What the MathML writer refuses (unknown commands such as ``\\href``, endless macros, open braces)
    carries no ``data-tex``, so that no script ever sees it either.
    """
    return _safe(_clean(_formula(tex, display)))


@lru_cache(maxsize=KEPT)
def typeset(text: str) -> SafeString:
    """Blocks of Markdown (paragraphs, lists, pipe tables, ``$…$`` and ``$$…$$``) as safe HTML. Never raises."""
    if len(text) > LONGEST_TEXT:
        return _safe(f"<pre>{escape(text)}</pre>")
    blocks = text.strip("\n").split("\n\n")
    if len(blocks) > 1 and all(_STANDS_ALONE.fullmatch(block) for block in blocks):
        return _safe("".join(_plain_cells_apart(block) for block in blocks))
    return _safe(_clean(_MARKDOWN.render(text)))


@lru_cache(maxsize=KEPT)
def typeset_inline(text: str) -> SafeString:
    """One line of Markdown without a paragraph around it, for labels, options and messages. Never raises."""
    if len(text) > LONGEST_TEXT:
        return _safe(escape(text))
    return _safe(_clean(_MARKDOWN.renderInline(text)))


def spoken(text: str) -> str:
    """Markdown with ``$TeX$`` as plain words, for an announcement or a page title."""
    words = re.sub(r"(?<!\$)\$+([^$]+)\$+", lambda found: _spoken_formula(found[1]), with_minus(text))
    return re.sub(r"\s+", " ", re.sub(r"[*_`]", "", words)).strip()


_SILENT = re.compile(
    r"\\(?:mathbf|mathit|mathcal|mathrm|mathbb|boldsymbol|operatorname|text|left|right|bigl?|bigr?|quad|qquad|[,;:! ])"
)
_SPOKEN = (
    (re.compile(r"\\frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r" \1 over \2 "),
    (re.compile(r"\\(?:cdot|times)(?![a-zA-Z])"), " times "),
    (re.compile(r"\\to(?![a-zA-Z])"), " to "),
    (re.compile(r"\\([a-zA-Z]+)"), r" \1 "),
    (re.compile(r"\^"), " to the "),
    (re.compile(r"[{}\\_]"), " "),
)


def _spoken_formula(tex: str) -> str:
    words = _SILENT.sub(" ", tex).replace("-", "−")
    for sign, word in _SPOKEN:
        words = sign.sub(word, words)
    return words


#: A paragraph, table or formula that means the same without the blocks around it: it opens no list, quote, code or
#: definition. Most of a statement is the same in all variants of a problem; block by block, that part is set once.
_STANDS_ALONE = re.compile(
    r"""(?: [^\W\d_] | \| | \( | [*$`“] [^\s*$`] | \*\* [^\s*] )  (?: (?! ``` | ~~~ | \$\$ ) . )*
      | \$\$ [^$]+ \$\$""",
    re.DOTALL | re.VERBOSE,
)


_TABLE = re.compile(r"\|[^\n\\`]*\|\n\|(?:---\|)+(?:\n\|[^\n\\`]*\|)+")
_PLAIN_CELL = re.compile(r"(?<=\| )(?:[^\W_]+|[-−]?\d+(?:\.\d+)?)(?= \|)")
_GAP = "\ue000"


def _plain_cells_apart(block: str) -> str:
    """A block; for a table, the plain words and numbers are put into cells that were set empty.

    No rule of Markdown looks at them, and without what was drawn a table is the same in all variants.
    """
    if _GAP in block or not _TABLE.fullmatch(block):
        return typeset(block)
    cells = [with_minus(cell) for cell in _PLAIN_CELL.findall(block)]
    texts = typeset(_PLAIN_CELL.sub(_GAP, block)).split(_GAP)
    if len(texts) != len(cells) + 1:  # a row with more cells than columns: they are not shown
        return typeset(block)
    return texts[0] + "".join(cell + text for cell, text in zip(cells, texts[1:], strict=True))


def _safe(html: str) -> SafeString:
    """Only for what ``_clean`` or ``escape`` has just returned."""
    return mark_safe(html)  # noqa: S308


#: Made once: to hand the lists over takes longer than to clean a page by them.
_CLEANER = nh3.Cleaner(tags=set(TAGS), attributes=ATTRIBUTES, url_schemes={"http", "https", "mailto"})


def _clean(html: str) -> str:
    return _CLEANER.clean(html)


_MATHML = LatexToMathML(fancy_error=False, max_expansions=200)


def _formula(tex: str, display: bool) -> str:
    tex = tex.strip()
    if not tex or len(tex) > LONGEST_FORMULA:
        return f'<code class="tex-source">{escape(tex[:LONGEST_FORMULA])}</code>'
    try:
        mathml = _MATHML.convert_with_local_state(tex, displaystyle=display)
    except LatexError:
        return f'<code class="tex-source">{escape(tex)}</code>'
    parts = _parts(tex) if display else []
    if len(parts) > 1:
        row = "".join(_formula(rf"\displaystyle {part}", display=False) for part in parts)
        return f'<span class="tex-block tex-row">{row}</span>'
    kind = ' data-display="block"' if display else ""
    return f'<span class="tex{" tex-block" if display else ""}" data-tex="{escape(tex)}"{kind}>{mathml}</span>'


_BOUND = re.compile(r"\\(?:begin|left)(?![a-zA-Z])|\\(?:end|right)(?![a-zA-Z])|\\q?quad(?![a-zA-Z])|\\.|[{}]", re.S)


def _parts(tex: str) -> list[str]:
    """A line of several formulas, cut at its wide spaces: what does not fit beside the others goes below them whole."""
    parts, start, depth = [], 0, 0
    for found in _BOUND.finditer(tex):
        sign = found[0]
        if sign in (r"\quad", r"\qquad"):
            if depth == 0:
                parts.append(tex[start : found.start()].strip())
                start = found.end()
        elif sign in ("{", r"\begin", r"\left"):
            depth += 1
        elif sign in ("}", r"\end", r"\right"):
            depth -= 1
    return [part for part in (*parts, tex[start:].strip()) if part]


def _set_minus(state: StateCore) -> None:
    for block in state.tokens:
        for token in block.children or ():
            if token.type == "text":
                token.content = with_minus(token.content)


#: What closes a phrase stands on the line of the formula before it.
_CLOSING = re.compile(r"[.,;:!?)\]’”…]+")
_SIGNS = re.compile(r"\\[a-zA-Z]+|[^{}_^\s\\]")
#: So many signs fit the line of a phone and stay together; a longer formula may break within itself.
LONGEST_KEPT_WHOLE = 22


def _is_kept_whole(tex: str) -> bool:
    return len(_SIGNS.findall(tex)) <= LONGEST_KEPT_WHOLE


def _keep_closing(state: StateCore) -> None:
    """Hand what closes a phrase right behind a formula to the formula: browsers would begin a line with it."""
    for block in state.tokens:
        children = block.children or []
        for token, after in pairwise(children):
            is_formula = token.type == "math_inline" and _is_kept_whole(token.content)
            found = _CLOSING.match(after.content) if is_formula and after.type == "text" else None
            if found:
                token.meta["closing"] = found[0]
                after.content = after.content[found.end() :]


def _math_rule(display: bool) -> Any:
    def rule(_renderer: RendererProtocol, tokens: Sequence[Token], index: int, *_: Any) -> str:
        token = tokens[index]
        written = _formula(token.content, display)
        if display or not _is_kept_whole(token.content):
            return written
        return f'<span class="tex-kept">{written}{escape(token.meta.get("closing", ""))}</span>'

    return rule


def _head_cells(state: StateCore) -> None:
    """Say which way each heading heads; above a column of headings stands an empty cell and not an empty heading."""
    rows_have_heads = is_first = False
    for place, token in enumerate(state.tokens):
        if token.type == "table_open":
            rows_have_heads = not state.tokens[place + 4].content.strip()
        elif token.type == "tr_open":
            is_first = True
        elif token.type in ("th_open", "td_open"):
            is_corner = token.type == "th_open" and is_first and rows_have_heads
            is_row_head = token.type == "td_open" and is_first and rows_have_heads
            closing = state.tokens[place + 2]
            token.tag = closing.tag = "td" if is_corner else "th" if is_row_head else token.tag
            if token.tag == "th":
                token.attrSet("scope", "row" if is_row_head else "col")
                words = state.tokens[place + 1].content
                token.meta["spoken"] = closing.meta["spoken"] = spoken(words) if "$" in words else ""
            is_first = False


def _cell_rule(_renderer: RendererProtocol, tokens: Sequence[Token], index: int, *_: Any) -> str:
    """A table cell with its alignment as a class: the page's policy allows no style attributes."""
    token = tokens[index]
    aligned = str(token.attrs.get("style", "")).rpartition(":")[2]
    attributes = f' class="to-{aligned}"' if aligned in ("left", "center", "right") else ""
    if scope := token.attrs.get("scope"):
        attributes += f' scope="{scope}"'
    # Screen readers repeat a heading with every cell, and not all of them read MathML there: they get plain words.
    heard = token.meta.get("spoken")
    words = f'<span class="visually-hidden">{escape(heard)}</span><span aria-hidden="true">' if heard else ""
    return f"<{token.tag}{attributes}>{words}"


def _cell_end(_renderer: RendererProtocol, tokens: Sequence[Token], index: int, *_: Any) -> str:
    token = tokens[index]
    return f"{'</span>' if token.meta.get('spoken') else ''}</{token.tag}>"


def _table_open(*_: Any) -> str:
    return '<div class="table-scroll"><table>'


def _table_close(*_: Any) -> str:
    return "</table></div>"


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": True, "maxNesting": 20})
    parser.enable(["table", "strikethrough", "smartquotes"]).disable(["image", "html_block", "html_inline"])
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
    parser.core.ruler.push("minus", _set_minus)
    parser.core.ruler.push("closing", _keep_closing)
    parser.core.ruler.push("head_cells", _head_cells)
    for name, display in (("math_inline", False), ("math_inline_double", True), ("math_block", True)):
        parser.add_render_rule(name, _math_rule(display))
    for cell in ("th", "td"):
        parser.add_render_rule(f"{cell}_open", _cell_rule)
        parser.add_render_rule(f"{cell}_close", _cell_end)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    return parser


_MARKDOWN = _parser()
