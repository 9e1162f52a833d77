"""Choosing one option, or several."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from grader.typed.characters import MAX_LENGTH, plain
from grader.typed.result import BLANK, Reading, unreadable

#: Longest text that may name several options.
MAX_WHOLE = 1000
#: Key and text of each option, in the order shown.
Options = Sequence[tuple[str, str]]

_MARKUP = re.compile(r"[*_$`\\{}]")


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Text as it is compared: case, width, dashes, quotes, spaces and invisible characters make no difference."""
    return plain(unicodedata.normalize("NFKC", plain(text)).casefold())


def read_choice(text: object, options: Options) -> Reading:
    """The option whose key, or else whose text, was given; its place (from 0) is the value. Never raises."""
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        return unreadable(_offer(options))
    if not plain(text):
        return BLANK
    place = _place(text, options)
    if place is None:
        return unreadable(_offer(options))
    return Reading("read", float(place), options[place][1])


def read_choices(texts: object, options: Options) -> Reading:
    """Every option chosen, in any order, as a 0 or 1 an option; one text may name several. None chosen is blank."""
    if isinstance(texts, str) and len(texts) <= MAX_WHOLE:
        texts = [texts] if _place(texts, options) is not None else re.split("[,;\n]", texts)
    if not isinstance(texts, list | tuple):
        return unreadable(_offer(options))
    places: set[int] = set()
    for text in texts[: 4 * len(options) + 4]:
        chosen = read_choice(text, options)
        if chosen.status == "unreadable":
            return chosen
        if isinstance(chosen.value, float):
            places.add(int(chosen.value))
    if not places:
        return BLANK
    values = tuple(float(place in places) for place in range(len(options)))
    return Reading("read", values, show_choices(values, options))


def show_choices(values: tuple[float, ...], options: Options) -> str:
    """The texts of the chosen options."""
    return "; ".join(text for value, (_, text) in zip(values, options, strict=True) if value)


def _place(text: str, options: Options) -> int | None:
    """Exact keys first, then folded keys, then texts, then texts without their markup."""
    folded = fold(text)
    keys = [key for key, _ in options]
    if text in keys:
        return keys.index(text)
    for candidates in (
        [fold(key) for key in keys],
        [fold(shown) for _, shown in options],
        [fold(_MARKUP.sub("", shown)) for _, shown in options],
    ):
        if candidates.count(folded) == 1:
            return candidates.index(folded)
    return None


def _offer(options: Options) -> str:
    return f"Choose from what is offered: {'; '.join(text for _, text in options[:12])}."
