"""Characters that mean the same made the same: the one normaliser of every kind of answer.

The typed text itself is stored as it came; what leaves here is only read.
"""

import unicodedata
from functools import lru_cache

#: Longest text read in one box.
MAX_LENGTH = 200

SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾", "0123456789+-()", strict=True))
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
#: ``٫`` separates decimals whatever the language: kept, so that it is never taken for a grouping sign.
ARABIC_DECIMAL = "\u066b"

_SAME = {
    "-": "\u2212\u02d7\u2043\u2796\u30fc\uff70",
    "+": "\u2795\ufe62",
    "*": "\u2217\u204e\uff0a\u22c6\u2062",
    "×": "\u2715\u2716\u2a2f\u2a09",
    "·": "\u22c5\u2219\u2022\u2027\u30fb\u0387",
    "/": "\u00f7\u2044\u2215\u2797\u29f8",
    "'": "\u2018\u2019\u02bc\u02b9\u2032\u00b4`\u066c",
    '"': "\u201c\u201d\u201e\u00ab\u00bb",
    ",": "\u060c\u3001\uff64",
    ".": "\u3002\uff61",
    "%": "\u066a",
    "1/": "\u215f",
    "≈": "\u2243\u2245\u2248\u2250\u223c",
    "∞": "\u221e",
    "e": "\u0435",
    "E": "\u0415",
    "x": "\u0445",
    "X": "\u0425",
    "p": "\u0440",
    " ": "\u2800\u2063\u2064\u3164",
    "": "\u034f\u115f\u1160\u17b4\u17b5",
}
_MAPPED = {character: plain for plain, characters in _SAME.items() for character in characters}
_INVISIBLE = range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)


def plain(text: str) -> str:
    """The text with invisible and direction characters gone, every dash a ``-``, every digit ASCII, spaces single.

    Superscripts, subscripts, ``√``, ``½``, ``π``, ``×``, ``·`` and ``…`` stay: what they mean depends on the place.
    """
    # Of ASCII only the backtick is written in another way.
    if "`" in text or not text.isascii():
        text = "".join(map(_plain_character, text))
    return " ".join(text.split())


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    if character in _MAPPED:
        return _MAPPED[character]
    if character in SUPERSCRIPTS or character in "…":
        return character
    category = unicodedata.category(character)
    if category == "Cf" or any(ord(character) in block for block in _INVISIBLE):
        return ""
    if character.isspace():
        return " "
    if category == "Pd":
        return "-"
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    return _compatible(character)


def _compatible(character: str) -> str:
    """The plain form of full-width, mathematical and ligature forms; raised, lowered and circled ones are kept."""
    kind = unicodedata.decomposition(character).split(" ")[0]
    if kind in ("<super>", "<sub>", "<circle>", "<fraction>", ""):
        return character
    folded = unicodedata.normalize("NFKC", character)
    if folded == character or len(folded) > 4:
        return character
    return "".join(map(_plain_character, folded))


def fraction_of(character: str) -> str | None:
    """``"1/2"`` for ``½`` and its like, None for everything else."""
    if not unicodedata.decomposition(character).startswith("<fraction>"):
        return None
    return unicodedata.normalize("NFKC", character).replace("\u2044", "/")


def name_of(character: str) -> str:
    """A character as it can be named in a sentence: itself, or ``U+0000`` where it would not be seen."""
    return f"“{character}”" if character.isprintable() and character != " " else f"U+{ord(character):04X}"
