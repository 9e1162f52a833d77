"""HTML of other systems as Markdown with ``$TeX$``: what our texts can say of it, and in words what they cannot."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

import nh3

#: ``\\( … \\)``, ``\\[ … \\]`` and ``$$ … $$`` as other systems write formulas, and how a line of its own is told.
_FORMULAS = {r"\(": (r"\)", False), r"\[": (r"\]", True), "$$": ("$$", True)}
_OPENING = re.compile(r"\\\(|\\\[|\$\$")
#: Longer texts are cut: ours are shorter still.
LONGEST = 20_000
_SIGNS = re.compile(r"([\\`*_$\[\]|])")
_LINE_START = re.compile(r"(?m)^(\s*)([#>+-]|\d+[.)])(?=\s)")
_BLOCKS = frozenset(
    ["p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "section", "figure", "dl", "dt", "dd"]
)
_CODE = ("code", "tt")
#: Stands where a cell of a table begins.
_CELL = "\ue001"
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*"}
#: What is written where an element begins.
_OPENS = {
    **dict.fromkeys((*_BLOCKS, "ul", "ol"), "\n\n"),
    **_MARKS,
    **dict.fromkeys(_CODE, "`"),
    "sub": r"\_",
    "sup": "^",
}
_NOT_KEPT = {
    "img": "An image is left out: draw it as a figure, or say it in words.",
    "video": "A video is left out.",
    "audio": "A recording is left out.",
    "iframe": "An embedded page is left out.",
    "object": "An embedded object is left out.",
    "script": "A script is left out.",
    "svg": "A drawing is left out: draw it as a figure, or say it in words.",
    "a": "A link keeps its words only.",
    "math": "A formula in MathML keeps its letters only: write it as TeX.",
    "input": "An input field within the text is left out.",
}


@dataclass
class Text:
    """A text as Markdown, and what of it was lost."""

    words: str
    lost: list[str] = field(default_factory=list)


def markdown_of(html: str) -> Text:
    """HTML as Markdown. Never raises: whatever is no HTML is read as words."""
    kept: list[str] = []
    parts: list[str] = []
    lost = [words for tag, words in _NOT_KEPT.items() if re.search(rf"<{tag}\b", html, re.IGNORECASE)]
    if len(html) > LONGEST:
        lost.append(f"A text of more than {LONGEST:,} characters is cut short.")
    clean = re.sub("[\U000f0000-\U000ffffd\x00]", "", html[:LONGEST])
    for piece, tex, is_block in _pieces(clean):
        parts.append(piece)
        if tex is not None:
            said = " ".join(_plain(tex).split()).replace("$", r"\$")
            kept.append(f"$${said}$$" if is_block else f"${said}$")
            parts.append(chr(0xF0000 + len(kept) - 1))
    reader = _Reader()
    # What comes out of the cleaner is well-formed, whatever went in.
    reader.feed(_CLEANER.clean("".join(parts)))
    reader.close()
    words = re.sub("[\U000f0000-\U000ffffd]", lambda sign: kept[ord(sign[0]) - 0xF0000], reader.text())
    return Text(words, lost)


def escaped(text: str) -> str:
    """Plain words as Markdown that says just them, formulas kept."""
    parts = []
    for piece, tex, is_block in _pieces(text[:LONGEST]):
        parts.append(_escaped(piece))
        if tex is not None:
            parts.append(f"$${tex.strip()}$$" if is_block else f"${tex.strip()}$")
    return "".join(parts)


def _pieces(text: str) -> Iterator[tuple[str, str | None, bool]]:
    """The words before each formula with the formula, and the words at the end without one. Each sign is looked at a
    few times at most, whatever stands there."""
    at = start = 0
    unclosed: set[str] = set()
    while found := _OPENING.search(text, at):
        closing, is_block = _FORMULAS[found[0]]
        end = -1 if found[0] in unclosed else text.find(closing, found.end())
        if end < 0 or not text[found.end() : end].strip():
            unclosed |= {found[0]} if end < 0 else set()
            at = found.end()
            continue
        yield text[start : found.start()], text[found.end() : end], is_block
        at = start = end + len(closing)
    yield text[start:], None, False


def _escaped(text: str) -> str:
    return _LINE_START.sub(r"\1\\\2", _SIGNS.sub(r"\\\1", text))


def _plain(html: str) -> str:
    """The words of a piece of HTML: editors wrap parts of formulas into elements."""
    return unescape(_WRAPPING.sub("", html))


#: Keeps the elements that the reader below knows, without their attributes; all else gives its words.
_CLEANER = nh3.Cleaner(
    tags={*_BLOCKS, *_MARKS, *_CODE, "br", "ul", "ol", "li", "sub", "sup", "table", "thead", "tbody", "tr", "td", "th"},
    attributes={},
)
_WRAPPING = re.compile(r"</?(?:span|br|em|b|i|strong|p|div|font|sub|sup|nolink)\b[^<>]*>", re.IGNORECASE)


class _Reader(HTMLParser):
    """Collects Markdown; tables become pipe tables."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.code = 0
        self.lists: list[int | None] = []
        self.rows: list[list[str]] | None = None

    def text(self) -> str:
        """What was collected, with one empty line between blocks."""
        words = "".join(self.parts).replace("\xa0", " ")
        words = re.sub(r"[ \t]+\n", "\n", re.sub(r"[ \t]{2,}", " ", words))
        return re.sub(r"\n{3,}", "\n\n", words).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        if tag in _OPENS:
            self.parts.append(_OPENS[tag])
        if tag == "br":
            self.parts.append("\n" if self.rows is None else " ")
        elif tag in ("ul", "ol"):
            self.lists.append(1 if tag == "ol" else None)
        elif tag == "li":
            self._item()
        elif tag in _CODE:
            self.code += 1
        else:
            self._begin_table_part(tag)

    def _begin_table_part(self, tag: str) -> None:
        if tag == "table":
            self.rows = []
        elif tag == "tr" and self.rows is not None:
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.parts.append(_CELL)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.parts.append("\n\n")
        elif tag in ("ul", "ol"):
            self.lists = self.lists[:-1]
            self.parts.append("\n\n")
        elif tag in _MARKS:
            self.parts.append(_MARKS[tag])
        elif tag in _CODE:
            self.code = max(0, self.code - 1)
            self.parts.append("`")
        elif tag in ("td", "th") and self.rows:
            self._cell()
        elif tag == "table" and self.rows is not None:
            self._table(self.rows)

    def handle_data(self, data: str) -> None:
        if self.code:
            self.parts.append(data.replace("`", "'"))
        else:
            self.parts.append(_escaped(re.sub(r"\s+", " ", data)))

    def _item(self) -> None:
        number = self.lists[-1] if self.lists else None
        if number is not None:
            self.lists[-1] = number + 1
        self.parts.append(f"\n{'* ' if number is None else f'{number}. '}")

    def _cell(self) -> None:
        if _CELL not in self.parts:
            return
        start = len(self.parts) - 1 - self.parts[::-1].index(_CELL)
        cell = " ".join("".join(self.parts[start + 1 :]).split())
        del self.parts[start:]
        if self.rows:
            self.rows[-1].append(cell)

    def _table(self, rows: list[list[str]]) -> None:
        self.rows = None
        full = [row for row in rows if row]
        if not full:
            return
        width = max(map(len, full))
        lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in full]
        lines.insert(1, "|" + "---|" * width)
        self.parts.append("\n\n" + "\n".join(lines) + "\n\n")
