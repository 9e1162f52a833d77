"""What becomes of each thing that is exported or imported, in words: on the page before it is done, and in the file."""

from collections.abc import Sequence
from dataclasses import dataclass

#: A sentence is cut here: what a hostile file says about itself fills no page.
LONGEST = 500


@dataclass(frozen=True)
class Entry:
    """One problem, set or item.

    title  what it is called, here or in the file
    done   what becomes of it, in a sentence; empty where nothing does
    lost   what does not come along
    fault  what is wrong with it; where anything is, nothing of a file is taken over
    left   why it alone is left out, while the others are taken
    """

    title: str
    done: str = ""
    lost: tuple[str, ...] = ()
    fault: str = ""
    left: str = ""


@dataclass(frozen=True)
class Report:
    """All entries in their order; ``notes`` hold for all of them."""

    heading: str
    entries: tuple[Entry, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def faults(self) -> list[Entry]:
        """The entries that cannot be taken."""
        return [entry for entry in self.entries if entry.fault]

    def to_text(self) -> str:
        """The whole report as plain text with line ends of Unix, the same for the same entries."""
        lines = [self.heading, "=" * len(self.heading), ""]
        lines += [f"* {note}" for note in self.notes]
        for entry in self.entries:
            lines += ["", entry.title, "-" * len(entry.title)]
            lines += [f"Not taken: {entry.fault}"] if entry.fault else []
            lines += [f"Left out: {entry.left}"] if entry.left else []
            lines += [entry.done] if entry.done else []
            lines += [f"* lost: {words}" for words in entry.lost]
            if not entry.lost and not entry.fault and not entry.left:
                lines.append("* nothing is lost")
        return "\n".join(lines) + "\n"


def unique(sentences: Sequence[str]) -> tuple[str, ...]:
    """Each sentence once, in the order of its first time, none longer than a paragraph."""
    return tuple(dict.fromkeys(words if len(words) <= LONGEST else f"{words[:LONGEST]} …" for words in sentences))


def plural(count: int, noun: str) -> str:
    """A number with its noun: ``1 variant``, ``3 variants``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
