"""What is in a file of our own: problems with their ancestry, and sets of them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from exercises.courses.set_details import SetDetails

FORMAT = "bert-gym"
VERSION = 1
MANIFEST = "bert-gym.json"
#: So many originals are followed back: a fork of a fork, and so on.
MOST_ANCESTORS = 10


def digest_of(source: str) -> str:
    """What a text is known again by: SHA-256 in hex, as of a version."""
    return hashlib.sha256(source.encode()).hexdigest()


@dataclass(frozen=True)
class Head:
    """What a text says of itself, as it was read: whoever keeps the text need not read it once more."""

    title: str = ""
    skills: tuple[str, ...] = ()
    summary: str = ""


@dataclass(frozen=True)
class Origin:
    """The text that a problem was forked from, and its licence. ``head`` is there once it was read from a file."""

    source: str
    licence: str = ""
    head: Head = field(default=Head(), compare=False)

    @property
    def digest(self) -> str:
        """What its text is known again by."""
        return digest_of(self.source)


@dataclass(frozen=True)
class Authored:
    """One problem. ``origins`` go back from the nearest; ``title`` is that of its text, ``head`` as of an origin."""

    title: str
    source: str
    licence: str = ""
    origins: tuple[Origin, ...] = ()
    head: Head = field(default=Head(), compare=False)

    @property
    def digest(self) -> str:
        """What its text is known again by."""
        return digest_of(self.source)


@dataclass(frozen=True)
class BundledPool:
    """A pool of a set."""

    name: str
    choose: int
    weight: Decimal


@dataclass(frozen=True)
class BundledItem:
    """An item of a set. ``digest`` is that of its problem's text; ``is_pinned`` where only this text is drawn from."""

    digest: str
    is_pinned: bool = False
    weight: Decimal = Decimal(1)
    variants: int = 1
    asked: tuple[str, ...] | None = None
    pool: str | None = None
    adaptation: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class BundledSet:
    """A set: its rules, its pools, its items in order."""

    details: SetDetails
    pools: tuple[BundledPool, ...] = ()
    items: tuple[BundledItem, ...] = ()


@dataclass(frozen=True)
class Bundle:
    """Everything in one file."""

    problems: tuple[Authored, ...] = ()
    sets: tuple[BundledSet, ...] = ()
