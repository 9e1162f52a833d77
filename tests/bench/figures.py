"""What the bench measures, as figures: a value, the floor of the same run beside it, and their ratio."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Bar:
    """What a figure has to stay under: its value, or its ratio to the floor."""

    of: Literal["value", "ratio"]
    most: float


@dataclass(frozen=True)
class Figure:
    """One measured figure; ``value`` and ``floor`` share ``unit``. ``told`` says on screen how it was measured."""

    name: str
    value: float
    unit: str
    floor: float
    bar: Bar | None = None
    told: str = ""

    @property
    def ratio(self) -> float:
        """How many times the floor it is."""
        return self.value / self.floor

    @property
    def standing(self) -> str:
        """How it stands to its bar, in words; empty without one. Nothing fails by it: a busy machine proves nothing."""
        if self.bar is None:
            return ""
        measured = self.value if self.bar.of == "value" else self.ratio
        limit = f"{self.bar.most:g} {self.unit}" if self.bar.of == "value" else f"{self.bar.most:g}×"
        return f"{'under' if measured <= self.bar.most else 'OVER'} {limit}"


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that at least ``share`` of them do not exceed: none that was not measured."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def median(values: Sequence[float]) -> float:
    """The middle value, the lower of two."""
    return percentile(values, 0.5)


def as_table(figures: Sequence[Figure]) -> str:
    """The figures in columns, each with a line under it that says how it was measured."""
    width = max(len(figure.name) for figure in figures)
    lines = [f"{'':{width}}  {'value':>10}  {'floor':>10}        {'ratio':>7}  bar"]
    for figure in figures:
        numbers = (
            f"{_short(figure.value):>10}  {_short(figure.floor):>10}  {figure.unit:<4}  {_short(figure.ratio):>6}×"
        )
        lines.append(f"{figure.name:{width}}  {numbers}  {figure.standing}".rstrip())
        if figure.told:
            lines.append(f"{'':{width}}    {figure.told}")
    return "\n".join(lines)


def write(figures: Sequence[Figure], file: Path) -> None:
    """Write them as a list of {name, value, unit, floor, ratio}, whole or not at all."""
    rows = [
        {"name": one.name, "value": one.value, "unit": one.unit, "floor": one.floor, "ratio": one.ratio}
        for one in figures
    ]
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(rows, indent=2, allow_nan=False) + "\n")
    unfinished.replace(file)


def _short(number: float) -> str:
    """Three significant digits, and no exponent."""
    digits = 2 - math.floor(math.log10(abs(number))) if number else 0
    return f"{number:.{max(0, digits)}f}"
