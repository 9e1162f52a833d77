"""Named mistakes of late, in words: seen once, made again and again, or left behind."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from exercises.mastery.mistakes import RESOLVED_AFTER, Label
from exercises.queries import MistakeRow
from frontend.days import day_words

#: How a label is called, in the order in which they are shown: what is to be mended first.
WORDS = {Label.LIKELY: "Likely", Label.SUSPECTED: "Suspected", Label.RESOLVED: "Resolved"}

#: So many open ones are shown at once.
MOST_OPEN = 8

UNSAID = "One of the mistakes that are known of this problem."


@dataclass(frozen=True)
class MistakeLine:
    """One named mistake, in the problem where it was made last. ``says`` is Markdown, ``count`` how often it showed."""

    slug: str
    title: str
    says: str
    label: Label
    word: str
    count: str
    last: str

    @property
    def is_resolved(self) -> bool:
        """Whether it was left behind."""
        return self.label is Label.RESOLVED


@dataclass(frozen=True)
class Mistakes:
    """Those that may still be made, the first of them apart from the rest, and those that were left behind."""

    open: list[MistakeLine]
    more: list[MistakeLine]
    resolved: list[MistakeLine]


def mistakes_of(rows: Iterable[MistakeRow], *, today: dt.date, time_zone: str) -> Mistakes:
    """The likely ones before the suspected ones, each the latest first."""
    lines = _lines(rows, today=today, time_zone=time_zone)
    still = [line for line in lines if not line.is_resolved]
    return Mistakes(still[:MOST_OPEN], still[MOST_OPEN:], [line for line in lines if line.is_resolved])


def _lines(rows: Iterable[MistakeRow], *, today: dt.date, time_zone: str) -> list[MistakeLine]:
    order = list(WORDS)
    ranked = sorted(rows, key=lambda row: (order.index(row.label), -row.last_at.timestamp()))
    return [
        MistakeLine(
            slug=row.slug,
            title=row.title,
            says=row.says or UNSAID,
            label=row.label,
            word=WORDS[row.label],
            count=_count(row),
            last=day_words(row.last_at, today=today, time_zone=time_zone),
        )
        for row in ranked
    ]


def _count(row: MistakeRow) -> str:
    if row.label is Label.RESOLVED:
        return f"not made the last {RESOLVED_AFTER} times it could show"
    times = "once" if row.k == 1 else f"{row.k} times"
    return times if row.n <= row.k else f"{times} in the last {row.n} variants it could show in"
