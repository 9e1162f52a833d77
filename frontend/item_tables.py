"""The figures of items in words and bars: with only what the counts can bear."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exercises.courses.statistics import ENOUGH, FEW, SMALL
from exercises.loading import loaded
from exercises.models import ProblemVersion, SetItem
from exercises.queries.statistics import ItemView, VariantRow
from exercises.refusals import ProblemBroken
from grader.remarks import UNIVERSAL

#: Height of the drawing of a distribution.
TALL = 40.0
FLAGS = {
    "too-hard": "very hard: hardly anybody gets it right at first",
    "too-easy": "very easy: nearly everybody gets it right at first",
    "weak": "hardly told apart: who does well elsewhere does little better here",
    "check-the-key": "check the key: who does well elsewhere does worse here",
}


@dataclass(frozen=True)
class Bar:
    """One column of a distribution: its bounds in percent, how many, and where it stands in a drawing 40 high."""

    low: int
    high: int
    count: int
    top: str
    tall: str


@dataclass(frozen=True)
class StepLine:
    """One step by its question (Markdown, empty where there is none): answered, wrong, wrong here first, and what no
    mistake explains."""

    step: str
    ask: str
    answered: int
    wrong: int
    first_wrong: int
    share: float
    clusters: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class NoteLine:
    """One named mistake at an item, with its interval in percent."""

    note: str
    says: str
    k: int
    n: int
    share: str
    interval: str
    width: float


@dataclass(frozen=True)
class ItemTable:
    """One item as the page shows it; texts are empty where nothing can be said."""

    item: SetItem
    title: str
    learners: int
    aided: int
    facility: str
    low: str
    high: str
    width: float
    discrimination: str
    upper_lower: str
    tries: str
    seconds: str
    flags: tuple[str, ...]
    is_few: bool
    bars: tuple[Bar, ...]
    steps: tuple[StepLine, ...]
    notes: tuple[NoteLine, ...]
    variants: Sequence[VariantRow]


def item_table(view: ItemView, *, with_small: bool) -> ItemTable:
    """One item in words; of counts under ``SMALL`` nothing, for those who may not read the class's work."""
    report = view.report or {}
    figures = report.get("figures", {})
    learners = figures.get("learners", 0)
    is_told = learners > 0 and (with_small or learners >= SMALL)
    facility = figures.get("facility") if is_told else None
    return ItemTable(
        item=view.item,
        title=view.item.problem.title,
        learners=learners if is_told else 0,
        aided=report.get("aided", 0) if with_small else 0,
        facility=_percent(facility),
        low=_percent(figures.get("low")) if is_told else "",
        high=_percent(figures.get("high")) if is_told else "",
        width=round(100 * facility, 2) if facility is not None else 0.0,
        discrimination=_signed(figures.get("discrimination")) if is_told else "",
        upper_lower=_signed(figures.get("upper_lower")) if is_told else "",
        tries=f"{report['tries']:.1f}" if is_told and report.get("tries") else "",
        seconds=_duration(report.get("seconds")) if is_told else "",
        flags=tuple(FLAGS[flag] for flag in figures.get("flags", ())) if is_told else (),
        is_few=learners < ENOUGH,
        bars=_bars(report.get("scores", ())) if is_told and (with_small or learners >= FEW) else (),
        steps=_steps(report, view.item, with_small=with_small) if is_told else (),
        notes=_notes(report, view.item, with_small=with_small) if is_told else (),
        variants=view.variants if with_small else (),
    )


def _bars(counts: Sequence[int]) -> tuple[Bar, ...]:
    most = max(counts, default=0)
    size = 100 // len(counts) if counts else 0
    found = []
    for place, count in enumerate(counts):
        tall = TALL * count / most if most else 0.0
        found.append(Bar(place * size, (place + 1) * size, count, f"{TALL - tall:.2f}", f"{tall:.2f}"))
    return tuple(found)


def _steps(report: Mapping[str, Any], item: SetItem, *, with_small: bool) -> tuple[StepLine, ...]:
    asks = _asks(item.version or item.problem.current)
    return tuple(
        StepLine(
            step=step["step"],
            ask=asks.get(step["step"], ""),
            answered=step["answered"],
            wrong=step["wrong"],
            first_wrong=step["first_wrong"],
            share=round(100 * step["first_wrong"] / step["answered"], 2) if step["answered"] else 0.0,
            clusters=[one for one in step["clusters"] if with_small or one["learners"] >= SMALL],
        )
        for step in report.get("steps", ())
        if with_small or step["answered"] >= SMALL
    )


def _notes(report: Mapping[str, Any], item: SetItem, *, with_small: bool) -> tuple[NoteLine, ...]:
    words = _words(item.version or item.problem.current)
    return tuple(
        NoteLine(
            note=note["note"],
            says=UNIVERSAL.get(note["note"], words.get(note["note"], "")),
            k=note["k"],
            n=note["n"],
            share=_percent(note["k"] / note["n"]),
            interval=f"{100 * note['low']:.0f} to {100 * note['high']:.0f} %",
            width=round(100 * note["k"] / note["n"], 2),
        )
        for note in report.get("notes", ())
        if with_small or note["k"] >= SMALL
    )


def _asks(version: ProblemVersion | None) -> Mapping[str, str]:
    """What each step asks, as its author wrote it, without the numbers of a variant."""
    if version is None:
        return {}
    try:
        return {step.name: step.ask.unfilled for step in loaded(version).steps if step.ask}
    except ProblemBroken:
        return {}


def _words(version: ProblemVersion | None) -> Mapping[str, str]:
    """What is said of each mistake, as its author wrote it, without the numbers of a variant."""
    if version is None:
        return {}
    try:
        return {mistake.note: mistake.says.unfilled for mistake in loaded(version).mistakes}
    except ProblemBroken:
        return {}


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f} %"


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
