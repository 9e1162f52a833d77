"""HTML of other systems as Markdown with ``$TeX$``: what our texts can say of it, and in words what they cannot."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

#: ``\\( … \\)``, ``\\[ … \\]`` and ``$$ … $$`` as other systems write formulas.
_TEX = re.compile(r"\\\((?P<inline>.+?)\\\)|\\\[(?P<block>.+?)\\\]|\$\$(?P<double>.+?)\$\$", re.DOTALL)
_SIGNS = re.compile(r"([\\`*_$\[\]|])")
_LINE_START = re.compile(r"(?m)^(\s*)([#>+-]|\d+[.)])(?=\s)")
_SILENT = frozenset({"script", "style", "head", "title", "iframe", "object", "noscript", "template"})
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

    def keep(found: re.Match[str]) -> str:
        block = found["block"] or found["double"]
        tex = re.sub(r"\s+", " ", _plain(found["inline"] or block)).strip().replace("$", r"\$")
        kept.append(f"$${tex}$$" if block else f"${tex}$")
        return chr(0xF0000 + len(kept) - 1)

    clean = re.sub("[\U000f0000-\U000ffffd]", "", html)
    reader = _Reader()
    reader.feed(_TEX.sub(keep, clean))
    reader.close()
    words = re.sub("[\U000f0000-\U000ffffd]", lambda sign: kept[ord(sign[0]) - 0xF0000], reader.text())
    return Text(words, list(dict.fromkeys(reader.lost)))


def escaped(text: str) -> str:
    """Plain words as Markdown that says just them, formulas kept."""
    parts, at = [], 0
    for found in _TEX.finditer(text):
        block = found["block"] or found["double"]
        parts += [_escaped(text[at : found.start()]), f"$${block}$$" if block else f"${found['inline'].strip()}$"]
        at = found.end()
    return "".join([*parts, _escaped(text[at:])])


def _escaped(text: str) -> str:
    return _LINE_START.sub(r"\1\\\2", _SIGNS.sub(r"\\\1", text))


def _plain(html: str) -> str:
    """The words of a piece of HTML: editors wrap parts of formulas into elements."""
    reader = _Words()
    reader.feed(html)
    reader.close()
    return "".join(reader.found)


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


class _Reader(HTMLParser):
    """Collects Markdown; tables become pipe tables."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.lost: list[str] = []
        self.silent = 0
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
        if tag in _NOT_KEPT:
            self.lost.append(_NOT_KEPT[tag])
        if tag in _OPENS:
            self.parts.append(_OPENS[tag])
        if tag in _SILENT:
            self.silent += 1
        elif tag == "br":
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
        if tag in _SILENT:
            self.silent = max(0, self.silent - 1)
        elif tag in _BLOCKS:
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
        if self.silent:
            return
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
