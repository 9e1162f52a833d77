"""The token strip: a sentence cut into boxes, the numbered slot beneath each."""

from collections.abc import Mapping
from typing import Any

from exercises.figures.canvas import NARROW, WIDE, Drawing, Table, box, picture, text, width_of

MARKS = {
    "mask": "hidden behind [MASK]",
    "random": "replaced by a random token",
    "kept": "chosen, left as it is",
    "special": "a signpost, not a word",
}
TOKEN_SIZE = 13.0
BOX_HEIGHT = 30.0
LINE_HEIGHT = 62.0
GAP = 6.0


def draw(data: Mapping[str, Any]) -> Drawing:
    """``{"tokens": [str], "marks": {slot: mark}, "first": 0|1}``; slots count from ``first`` (1 if not given)."""
    tokens = [str(token) for token in data["tokens"]]
    first = int(data.get("first", 1))
    marks = {int(slot): str(mark) for slot, mark in (data.get("marks") or {}).items()}
    title = f"Token strip of {len(tokens)} tokens"
    described = ", ".join(f"slot {first + place} {token}" for place, token in enumerate(tokens))
    wide, narrow = (
        _strip(tokens, marks, first=first, width=width, title=title, described=described) for width in (WIDE, NARROW)
    )
    caption = "Each box is a token; beneath it, the number of its slot."
    return Drawing(wide, caption, _table(tokens, marks, first), narrow_svg="" if wide == narrow else narrow)


def _table(tokens: list[str], marks: Mapping[int, str], first: int) -> Table:
    rows = [(str(first + place), token) for place, token in enumerate(tokens)]
    if not marks:
        return Table(("Slot", "Token"), tuple(rows))
    return Table(
        ("Slot", "Token", "What it is"), tuple((*row, MARKS.get(marks.get(int(row[0]), ""), "")) for row in rows)
    )


def _strip(tokens: list[str], marks: Mapping[int, str], *, first: int, width: float, title: str, described: str) -> str:
    places, used, height = _places(tokens, width)
    content = "".join(
        _token(token, *place, slot=first + index, mark=marks.get(first + index, ""))
        for index, (token, place) in enumerate(zip(tokens, places, strict=True))
    )
    legend = [mark for mark in MARKS if mark in marks.values()]
    key, key_height = _legend(legend, top=height + 6, width=width)
    return picture(
        content + key,
        width=max(used, 120.0) if not legend else width,
        height=height + key_height,
        title=title,
        description=described,
    )


def _token(token: str, x: float, y: float, width: float, *, slot: int, mark: str) -> str:
    kind = f"fig-token fig-token-{mark}" if mark in MARKS else "fig-token"
    word = text(token, x + width / 2, y + 20, "fig-word" + (" fig-word-mask" if mark == "mask" else ""))
    return box(x, y, width, BOX_HEIGHT, kind, 4) + word + text(str(slot), x + width / 2, y + 46, "fig-slot")


def _places(tokens: list[str], width: float) -> tuple[list[tuple[float, float, float]], float, float]:
    """Boxes from left to right, a new line where the width is used up: (x, y, width) of each, width used, height."""
    places: list[tuple[float, float, float]] = []
    x, y, used = 1.0, 1.0, 0.0
    for token in tokens:
        wide = max(38.0, width_of(token, TOKEN_SIZE) + 14)
        if x > 1 and x + wide > width - 1:
            x, y = 1.0, y + LINE_HEIGHT
        places.append((x, y, wide))
        used = max(used, x + wide + 1)
        x += wide + GAP
    return places, used, y + LINE_HEIGHT - 8


def _legend(kinds: list[str], *, top: float, width: float) -> tuple[str, float]:
    content, x, y = "", 1.0, top
    for kind in kinds:
        wide = 26 + width_of(MARKS[kind], 12) + 16
        if x > 1 and x + wide > width:
            x, y = 1.0, y + 22
        content += box(x, y, 18, 13, f"fig-token fig-token-{kind}", 3)
        content += text(MARKS[kind], x + 25, y + 11, "fig-small", "start")
        x += wide
    return content, (y + 22 - top + 6) if kinds else 0.0
