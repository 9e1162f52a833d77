"""A vector: one box an entry, or the whole of it pasted as one text."""

import re
from collections.abc import Callable

from grader.typed.characters import MAX_LENGTH, plain
from grader.typed.locales import DEFAULT_LOCALE, decimal_sign
from grader.typed.numbers import read_number, show_number
from grader.typed.result import BLANK, Reading, unreadable

#: Most characters in all boxes together, and the most entries.
MAX_WHOLE = 1000
MAX_SIZE = 256

_OUTER = re.compile(r"[\[({⟨](.*)[\])}⟩](?:\^?\(?[TᵀtT⊤]\)?)?\.?")
_NUMBER = r"[-+]?[\d.,]+(?:[eE][-+]?\d+)?"
_SPACED = re.compile(rf"{_NUMBER}(?: {_NUMBER})+")


def read_vector(texts: object, size: int, *, locale: str = DEFAULT_LOCALE, unit: str = "") -> Reading:
    """``size`` numbers, from one text a box or from one text such as ``[2.0, −1.0, 0]`` or ``2; -1; 0``.

    Nothing typed in any box is blank; a box left empty among others, or another number of entries, is unreadable.
    In one text entries are set apart by semicolons; by commas where the decimal sign is a point; by a comma and a space
    where it is a comma; or by spaces alone between plain numbers. Never raises.
    """
    if isinstance(texts, str) and len(texts) > MAX_WHOLE:
        texts = [texts]
    elif isinstance(texts, str):
        texts = [_without_brackets(texts)] if size == 1 else _apart(texts, decimal_sign(locale))
    elif not isinstance(texts, list | tuple):
        return unreadable(f"{size} numbers are wanted here, one in each box.")
    boxes = list(texts[: MAX_SIZE + 1])
    if sum(len(box) for box in boxes if isinstance(box, str)) > MAX_WHOLE:
        return unreadable(f"This is longer than {MAX_WHOLE} characters in all: write plain numbers.")
    if not any(map(_is_filled, boxes)):
        return BLANK
    pasted = _pasted(boxes, size, decimal_sign(locale))
    if len(pasted) != size:
        return unreadable(_wrong_size(len(pasted), size))
    return _together([read_number(box, locale=locale, unit=unit) for box in pasted], locale)


def _pasted(boxes: list[object], size: int, decimal: str) -> list[object]:
    """The boxes, or the entries of a whole vector that was pasted into the first of them."""
    first, *rest = boxes
    if size == 1 or not isinstance(first, str) or any(map(_is_filled, rest)):
        return boxes
    if not rest or re.search(r"[;\[]", first):
        apart = _apart(first, decimal)
        if len(apart) == size:
            return list(apart)
    return boxes


def _is_filled(box: object) -> bool:
    return not isinstance(box, str) or plain(box[: MAX_LENGTH + 1]) != ""


def _apart(text: str, decimal: str) -> list[str]:
    """The entries of a vector in one text. Commas that may be decimal set nothing apart."""
    text = _without_brackets(text if ";" in text else text.replace("\n", ";"))
    if ";" in text:
        return text.strip("; ").split(";")
    if "," in text and (decimal == "." or ", " in text):
        return re.split("," if decimal == "." else ", ", text.rstrip(", "))
    return text.split(" ") if _SPACED.fullmatch(text) else [text]


def _without_brackets(text: str) -> str:
    """The text within the outer brackets."""
    text = plain(text)
    match = _OUTER.fullmatch(text)
    return match.group(1).strip() if match else text


def _wrong_size(given: int, size: int) -> str:
    found = "1 entry was" if given == 1 else f"{given} entries were"
    return f"{size} entries are wanted and {found} found: write {size} numbers with semicolons between them."


def _together(entries: list[Reading], locale: str) -> Reading:
    for status, say in _FAULTS:
        for number, entry in enumerate(entries, 1):
            if entry.status == status:
                return unreadable(f"Entry {number} {say(entry)}", tuple(entries))
    values = tuple(entry.value for entry in entries if isinstance(entry.value, float))
    return Reading("read", values, show_vector(values, locale, entries), entries=tuple(entries))


_FAULTS: tuple[tuple[str, Callable[[Reading], str]], ...] = (
    ("unreadable", lambda entry: f"cannot be read. {entry.message}"),
    ("blank", lambda entry: "is empty: fill in every entry."),
)


def show_vector(values: tuple[float, ...], locale: str = DEFAULT_LOCALE, entries: list[Reading] | None = None) -> str:
    """``[2, -1, 0]``, with semicolons where the decimal sign is a comma; entries as they were shown, if given."""
    shown = [entry.shown for entry in entries] if entries else [show_number(value, locale) for value in values]
    return f"[{(', ' if decimal_sign(locale) == '.' else '; ').join(shown)}]"
