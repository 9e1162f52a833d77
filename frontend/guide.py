"""How to type an answer, told by the table that the marking is tested with."""

import unicodedata
from dataclasses import dataclass
from functools import cache

from frontend.marks import WORDS
from grader.answer_table import Row, Section, sections

#: Languages of the page's own choice of decimal signs; the table's other languages are for the tests.
SHOWN_LOCALES = {"en": "", "de": "with a decimal comma"}

FIRST_READ, FIRST_UNREAD = 6, 3


@dataclass(frozen=True)
class Example:
    """One typed answer as the help page shows it. ``message``: why it is not read."""

    typed: tuple[str, ...]
    locale: str
    shown: str
    message: str
    marked: str


@dataclass(frozen=True)
class Chapter:
    """Examples that make one point; ``anchor`` is its address on the page."""

    anchor: str
    heading: str
    says: str
    examples: tuple[Example, ...]

    @property
    def first(self) -> list[Example]:
        """The few to begin with: mostly what is read, and some that are not."""
        read = [example for example in self.examples if not example.message][:FIRST_READ]
        return read + [example for example in self.examples if example.message][:FIRST_UNREAD]

    @property
    def more(self) -> list[Example]:
        """The others."""
        first = self.first
        return [example for example in self.examples if example not in first]

    @property
    def tells_marks(self) -> bool:
        """Whether the verdict is the point of it."""
        return any(example.marked for example in self.examples)


@cache
def chapters() -> tuple[Chapter, ...]:
    """The whole guide. Read once; the table cannot change while the process runs."""
    return tuple(
        Chapter(f"part-{place}", section.heading, section.says, tuple(_examples(section)))
        for place, section in enumerate(sections(), start=1)
    )


def _examples(section: Section) -> list[Example]:
    """What can be told apart by eye, each once."""
    found: dict[tuple[tuple[str, ...], str], Example] = {}
    for row in section.rows:
        typed = tuple(_visible(text) for text in ([row.typed] if isinstance(row.typed, str) else row.typed))
        if row.locale in SHOWN_LOCALES and any(typed) and row.outcome != "blank":
            found.setdefault((typed, row.locale), _example(section, row, typed))
    return list(found.values())


def _example(section: Section, row: Row, typed: tuple[str, ...]) -> Example:
    read = section.read(row)
    return Example(
        typed=typed,
        locale=SHOWN_LOCALES[row.locale],
        shown=read.shown,
        message=read.message if read.status == "unreadable" else "",
        marked=WORDS[row.outcome] if row.outcome == "mistake" else "",
    )


def _visible(text: str) -> str:
    """Without what cannot be seen: direction marks, zero-width characters, line breaks, spaces at the ends."""
    kept = "".join(sign for sign in text if unicodedata.category(sign) not in ("Cf", "Cc", "Cs", "Co"))
    return kept.strip()
