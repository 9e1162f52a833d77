"""Short text with accepted forms, as on flashcards."""

from grader.typed.characters import MAX_LENGTH, plain
from grader.typed.choices import fold
from grader.typed.result import BLANK, Reading, unreadable


def read_text(text: object) -> Reading:
    """The text folded as accepted forms are to be folded too (``fold``); shown as typed. Never raises."""
    if not isinstance(text, str):
        return unreadable("One answer in text is wanted here.")
    if len(text) > MAX_LENGTH:
        return unreadable(f"This is longer than {MAX_LENGTH} characters: a few words are enough.")
    shown = plain(text)
    return Reading("read", fold(text), shown) if shown else BLANK
