"""Card texts as Anki's HTML, and HTML or plain text from elsewhere as Markdown. Mathematics keeps its TeX."""

import html
import re
from html.parser import HTMLParser

_MATH = re.compile(r"\$\$(?P<block>.+?)\$\$|(?<!\\)\$(?P<inline>[^$\s](?:[^$]*?[^$\s\\])?)\$", re.DOTALL)
_ESCAPED = re.compile(r"\\([\\`*_$])")
_TABLE = re.compile(r"(?:^\|.*\|[ ]*(?:\n|\Z)){2,}", re.MULTILINE)
#: Stand for formulas and signs while everything else is looked at: private characters that no card holds.
_FIRST = 0xF0000
_PRIVATE = re.compile(f"[{chr(_FIRST)}-{chr(0xFFFFD)}]")


def html_of(text: str) -> str:
    """Markdown with ``$TeX$`` as HTML with ``\\(TeX\\)``: what cards use of it (bold, italic, code, tables, lines)."""
    kept: list[str] = []

    def keep(piece: str) -> str:
        kept.append(piece)
        return chr(_FIRST + len(kept) - 1)

    def formula(found: re.Match[str]) -> str:
        if block := found["block"]:
            return keep(rf"\[{html.escape(block.strip(), quote=False)}\]")
        return keep(rf"\({html.escape(found['inline'], quote=False)}\)")

    text = _MATH.sub(formula, _PRIVATE.sub("", text))
    text = re.sub(r"`([^`\n]+)`", lambda found: keep(f"<code>{html.escape(found[1], quote=False)}</code>"), text)
    text = _ESCAPED.sub(lambda found: keep(html.escape(found[1], quote=False)), text)
    text = html.escape(text, quote=False)
    text = re.sub(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])", r"<i>\1</i>", text)
    text = _TABLE.sub(lambda found: _table(found[0]), text.strip("\n"))
    text = text.replace("\n", "<br>")
    return _PRIVATE.sub(lambda found: kept[ord(found[0]) - _FIRST], text)


def _table(text: str) -> str:
    lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.strip().split("\n")]
    body = [cells for cells in lines if not all(re.fullmatch(r":?-+:?", cell) for cell in cells)]
    return (
        "<table>" + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for cells in body) + "</table>"
    )


# From elsewhere

_FOREIGN_MATH = re.compile(
    r"\\\[(?P<a>.+?)\\\]|\\\((?P<b>.+?)\\\)|\[\$\$\](?P<c>.+?)\[/\$\$\]|\[\$\](?P<d>.+?)\[/\$\]"
    r"|<anki-mathjax block=\"true\">(?P<e>.+?)</anki-mathjax>|<anki-mathjax>(?P<f>.+?)</anki-mathjax>",
    re.DOTALL,
)
_MEDIA = re.compile(r"<(?:img|audio|video|object)\b|\[sound:", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|&(?:[a-zA-Z]+|#\d+);")


def markdown_of(text: str, *, is_html: bool | None) -> str:
    """A field of Anki's as Markdown. ``is_html`` None: it is, if there is a tag or an entity in it.

    Raises ValueError in words where a picture or a sound belongs to it, which a text file does not hold.
    """
    if _MEDIA.search(text):
        raise ValueError("a picture or a sound belongs to this note, which a text file does not hold")
    is_html = bool(_TAG.search(text)) if is_html is None else is_html
    kept: list[str] = []

    def formula(found: re.Match[str]) -> str:
        tex = next(group for group in found.groups() if group is not None)
        tex = _plain(tex).replace("\n", " ").strip() if is_html else tex.strip()
        sign = "$$" if found["a"] or found["c"] or found["e"] else "$"
        kept.append(f"{sign}{tex}{sign}" if tex else "")
        return chr(_FIRST + len(kept) - 1)

    text = _FOREIGN_MATH.sub(formula, _PRIVATE.sub("", text))
    text = _tagged(text) if is_html else _escaped(text)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip()
    return _PRIVATE.sub(lambda found: kept[ord(found[0]) - _FIRST], text)


def _escaped(text: str) -> str:
    """Text whose signs mean nothing in Markdown, as they meant nothing where it comes from."""
    return re.sub(r"([\\`*_$])", r"\\\1", text)


class _Reader(HTMLParser):
    """Collects text, with what little of its form a card can keep."""

    SIGNS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
    BLOCKS = ("div", "p", "ul", "ol", "table", "tr", "h1", "h2", "h3", "blockquote", "pre")

    def __init__(self, *, marks: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.marks = marks
        self.in_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag == "br":
            self.parts.append("\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in ("td", "th"):
            self.parts.append(" ")
        elif tag in self.BLOCKS:
            self._break()
        elif self.marks and tag in self.SIGNS:
            self.parts.append(self.SIGNS[tag])
            self.in_code = tag == "code"

    def handle_endtag(self, tag: str) -> None:
        if tag in self.BLOCKS:
            self._break()
        elif self.marks and tag in self.SIGNS:
            self.parts.append(self.SIGNS[tag])
            self.in_code = False

    def handle_data(self, data: str) -> None:
        text = re.sub(r"[ \t\n]+", " ", data.replace("\xa0", " "))
        self.parts.append(_escaped(text) if self.marks and not self.in_code else text)

    def _break(self) -> None:
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")


def _read(text: str, *, marks: bool) -> str:
    reader = _Reader(marks=marks)
    reader.feed(text)
    reader.close()
    return "".join(reader.parts)


def _tagged(text: str) -> str:
    return _read(text, marks=True)


def _plain(text: str) -> str:
    return _read(text, marks=False)
