"""What stands between an opening and a closing sign, found in one pass, however many of them never close."""

import re
from collections.abc import Callable


def replaced(
    text: str,
    opening: re.Pattern[str],
    closing: Callable[[str], str],
    put: Callable[[str, str], str],
    *,
    least: int = 0,
) -> str:
    """The text with ``put(opening sign, inside)`` for every span; ``closing`` gives the sign that ends one.

    A span ends at the first closing sign that leaves ``least`` characters inside. An opening sign that is never closed
    is text like any other, and that a closing sign comes no more is found out once: the work grows as the text does.
    """
    parts: list[str] = []
    gone: set[str] = set()
    done = place = 0
    while found := opening.search(text, place):
        sign = closing(found[0])
        end = -1 if sign in gone else text.find(sign, found.end() + least)
        if end < 0:
            gone.add(sign)
            place = found.start() + 1
            continue
        parts += (text[done : found.start()], put(found[0], text[found.end() : end]))
        done = place = end + len(sign)
    return "".join(parts) + text[done:]
