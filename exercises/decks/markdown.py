"""Card texts as Anki's HTML, and HTML or plain text from elsewhere as Markdown. Mathematics keeps its TeX."""

import html
import re

from exercises.decks.spans import replaced

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

#: What closes a formula there, and the sign that it has here.
_FORMULAS = {
    r"\[": (r"\]", "$$"),
    r"\(": (r"\)", "$"),
    "[$$]": ("[/$$]", "$$"),
    "[$]": ("[/$]", "$"),
    '<anki-mathjax block="true">': ("</anki-mathjax>", "$$"),
    "<anki-mathjax>": ("</anki-mathjax>", "$"),
}
_FORMULA = re.compile("|".join(map(re.escape, _FORMULAS)))
_MEDIA = re.compile(r"<(?:img|audio|video|object)\b|\[sound:", re.IGNORECASE)
_IS_HTML = re.compile(r"</?[a-zA-Z][^<>]*+>|&(?:[a-zA-Z]+|#\d+);")
_COMMENT = re.compile("<!--")
#: Nothing here goes back over what it has taken, so that a tag that never ends costs no more than its length.
_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/<>]*+)(?:[^<>"']++|"[^"]*+"|'[^']*+')*+>|<[!?][^<>]*+>""")
#: Numbers of characters that there cannot be: they are not even converted.
_NO_CHARACTER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")


def markdown_of(text: str, *, is_html: bool | None) -> str:
    """A field of Anki's as Markdown, in a time that grows as the field does. ``is_html`` None: it is, if there is a tag
    or an entity in it.

    Raises ValueError in words where a picture or a sound belongs to it, which a text file does not hold.
    """
    if _MEDIA.search(text):
        raise ValueError("a picture or a sound belongs to this note, which a text file does not hold")
    is_html = bool(_IS_HTML.search(text)) if is_html is None else is_html
    kept: list[str] = []

    def formula(opening: str, tex: str) -> str:
        tex = _tagged(tex, marks=False).replace("\n", " ").strip() if is_html else tex.strip()
        sign = _FORMULAS[opening][1]
        kept.append(f"{sign}{tex}{sign}" if tex else "")
        return chr(_FIRST + len(kept) - 1)

    text = replaced(_PRIVATE.sub("", text), _FORMULA, lambda opening: _FORMULAS[opening][0], formula, least=1)
    text = _tagged(text, marks=True) if is_html else _escaped(text)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip()
    return _PRIVATE.sub(lambda found: kept[ord(found[0]) - _FIRST], text)


def unescaped(text: str) -> str:
    """HTML's entities as the characters they stand for, however many digits somebody gave one."""
    return html.unescape(_NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text))


def _escaped(text: str) -> str:
    """Text whose signs mean nothing in Markdown, as they meant nothing where it comes from."""
    return re.sub(r"([\\`*_$])", r"\\\1", text)


_SIGNS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
_BEGIN = {"br": "\n", "li": "\n- ", "td": " ", "th": " "}
_BLOCKS = ("div", "p", "ul", "ol", "table", "tr", "h1", "h2", "h3", "blockquote", "pre")


def _tagged(text: str, *, marks: bool) -> str:
    """The text of HTML, with what little of its form a card can keep; ``marks`` keeps bold, italic and code."""
    text = replaced(text, _COMMENT, lambda _: "-->", lambda *_: "")
    parts: list[str] = []
    done, in_code = 0, False
    for found in _TAG.finditer(text):
        _add(parts, _words(text[done : found.start()], is_escaped=marks and not in_code))
        done = found.end()
        is_end, tag = bool(found[1]), (found[2] or "").lower()
        if marks and tag in _SIGNS:
            parts.append(_SIGNS[tag])
            in_code = tag == "code" and not is_end
        elif tag in _BLOCKS and parts and not parts[-1].endswith("\n"):
            parts.append("\n")
        elif not is_end:
            _add(parts, _BEGIN.get(tag, ""))
    return "".join(parts) + _words(text[done:], is_escaped=marks and not in_code)


def _add(parts: list[str], text: str) -> None:
    if text:
        parts.append(text)


def _words(text: str, *, is_escaped: bool) -> str:
    text = re.sub(r"[ \t\n]+", " ", unescaped(text).replace("\xa0", " "))
    return _escaped(text) if is_escaped else text
