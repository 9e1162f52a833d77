"""Anki's cloze deletions, ``{{c1::answer::hint}}``, as the gap of a cloze card."""

import re
from typing import Any

from exercises.catalogue.cards import GAP

CLOZE = re.compile(r"\{\{c\d+::")
_ESCAPED = re.compile(r"\\([\\`*_$])")


def deletion(front: str) -> dict[str, Any]:
    """Front, accepted forms and hint of a note with one deletion. Raises ValueError in words for several, or none that
    ends."""
    if len(CLOZE.findall(front)) > 1:
        raise ValueError("this note has several cloze deletions: make a note of each, with one deletion")
    found = CLOZE.search(front)
    end = _end(front, found.end()) if found else -1
    if found is None or end < 0:
        raise ValueError("a cloze deletion begins here and does not end: write {{c1::answer}}")
    answer, _, hint = front[found.end() : end].partition("::")
    plain = _ESCAPED.sub(r"\1", answer).strip()
    # In a formula the deletion is TeX; nobody types the backslash of \ln.
    forms = [plain] if not re.fullmatch(r"\\[A-Za-z]+", plain) else [plain[1:], plain]
    if GAP in front or not plain:
        raise ValueError("a cloze deletion needs some text")
    content: dict[str, Any] = {"front": front[: found.start()] + GAP + front[end + 2 :], "accept": forms}
    return content | {"hint": hint.strip()} if hint.strip() else content


def _end(text: str, start: int) -> int:
    """Where the braces of a deletion close: those of TeX inside it close first."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] == "{":
            depth += 1
        elif text[place] == "}":
            if depth == 0:
                return place if text.startswith("}}", place) else -1
            depth -= 1
    return -1
