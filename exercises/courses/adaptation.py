"""What an item may change of its problem: to draw from less than its author allows, fewer words, other digits.

The grader says what can be narrowed (``grader.adapting``); here it becomes a form, and what is typed there the mapping
that a set keeps.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from grader.adapting import adjustable, digits_allowed
from grader.file_model import DigitsFile
from grader.problem import load
from grader.source import read_source

#: Of a single word there is nothing to compare.
LEAST_WORDS = 2
_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,12})?")


@dataclass(frozen=True)
class RangeOffer:
    """A parameter drawn between two numbers, in steps: both ends may be moved inward."""

    name: str
    low: Fraction
    high: Fraction
    step: Fraction


@dataclass(frozen=True)
class PickOffer:
    """A parameter that is one of these values: some may be left out. A value stands here once, however often it is
    listed; ``keys`` are the values as JSON."""

    name: str
    values: tuple[Any, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """What a form knows the values by."""
        return tuple(json.dumps(value) for value in self.values)


@dataclass(frozen=True)
class CountOffer:
    """A number of different words that are chosen: fewer may be."""

    name: str
    count: int


@dataclass(frozen=True)
class Offers:
    """Everything that may be changed. ``digits`` are those asked for now, None where no answer is rounded; from
    ``least_digits`` to ``most_digits`` may be."""

    ranges: tuple[RangeOffer, ...] = ()
    picks: tuple[PickOffer, ...] = ()
    counts: tuple[CountOffer, ...] = ()
    digits: int | None = None
    least_digits: int = 2
    most_digits: int = 8

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to change."""
        return not (self.ranges or self.picks or self.counts or self.digits)


@dataclass
class Adaptation:
    """What was asked for, in the form that the set keeps, and what is wrong with it by the field of the form."""

    parameters: dict[str, dict[str, Any]] = field(default_factory=dict)
    digits: int | None = None
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def kept(self) -> dict[str, Any]:
        """As SetItem.adaptation: empty where nothing is changed."""
        said: dict[str, Any] = {"parameters": self.parameters} if self.parameters else {}
        return said if self.digits is None else {**said, "digits": self.digits}


@lru_cache(maxsize=256)
def offers_of(source: str) -> Offers:
    """What an item may change of the problem with this text. Raises ProblemError if it cannot be read."""
    problem = load(source)
    ranges, picks, counts = [], [], []
    for one in adjustable(problem):
        if one.low is not None and one.high is not None and one.low < one.high:
            ranges.append(RangeOffer(one.name, _exact(one.low), _exact(one.high), _exact(one.step)))
        elif one.source == "pick":
            picks.append(PickOffer(one.name, one.values))
        elif one.source == "choose" and one.count is not None and one.count > LEAST_WORDS:
            counts.append(CountOffer(one.name, one.count))
    written = read_source(source).data.get("digits") or {}
    is_rounded = any(step.rounded for step in problem.asked)
    digits = int(written.get("answer", DigitsFile().answer)) if is_rounded else None
    least, most = digits_allowed(problem)
    return Offers(tuple(ranges), tuple(picks), tuple(counts), digits, least, most)


def read_adaptation(offers: Offers, typed: Mapping[str, Sequence[str]]) -> Adaptation:
    """What a form asks for: ``NAME-low``, ``NAME-high``, ``NAME-pick``, ``NAME-count`` and ``digits`` as typed.

    A field that is not there, is empty, or says what the problem says anyway changes nothing.
    """
    found = Adaptation()
    for ranged in offers.ranges:
        _read_range(ranged, typed, found)
    for pick in offers.picks:
        chosen = set(typed.get(f"{pick.name}-pick", pick.keys))
        values = [value for value, key in zip(pick.values, pick.keys, strict=True) if key in chosen]
        if not values:
            found.faults[f"{pick.name}-pick"] = "Leave at least one of them to draw from."
        elif len(values) < len(pick.values):
            found.parameters[pick.name] = {"pick": values}
    for count in offers.counts:
        key = f"{count.name}-count"
        number = _whole(_text(typed, key), LEAST_WORDS, count.count, key, found)
        if number is not None and number != count.count:
            found.parameters[count.name] = {"choose": number}
    if offers.digits is not None:
        digits = _whole(_text(typed, "digits"), offers.least_digits, offers.most_digits, "digits", found)
        found.digits = None if digits == offers.digits else digits
    return found


def typed_of(offers: Offers, adaptation: Mapping[str, Any]) -> dict[str, list[str]]:
    """The texts of the form that asks for an adaptation as it is kept; for an empty one what the problem says."""
    parameters: Mapping[str, Mapping[str, Any]] = adaptation.get("parameters", {})
    typed: dict[str, list[str]] = {}
    for ranged in offers.ranges:
        low, high = parameters.get(ranged.name, {}).get("range", (ranged.low, ranged.high))
        typed |= {f"{ranged.name}-low": [number_text(_exact(low))], f"{ranged.name}-high": [number_text(_exact(high))]}
    for pick in offers.picks:
        values = parameters.get(pick.name, {}).get("pick", pick.values)
        typed[f"{pick.name}-pick"] = [json.dumps(value) for value in values]
    for count in offers.counts:
        typed[f"{count.name}-count"] = [str(parameters.get(count.name, {}).get("choose", count.count))]
    if offers.digits is not None:
        typed["digits"] = [str(adaptation.get("digits") or offers.digits)]
    return typed


def number_text(value: Fraction) -> str:
    """A number of a file as it is written there."""
    return f"{float(value):.12g}" if value.denominator > 1 else str(value.numerator)


def _read_range(offer: RangeOffer, typed: Mapping[str, Sequence[str]], found: Adaptation) -> None:
    ends = []
    for end, key in ((offer.low, f"{offer.name}-low"), (offer.high, f"{offer.name}-high")):
        said = _text(typed, key)
        value = _exact(said) if _NUMBER.fullmatch(said) else None if said else end
        if value is None or not offer.low <= value <= offer.high or (value - offer.low) % offer.step:
            found.faults[key] = (
                f"Write a number from {number_text(offer.low)} to {number_text(offer.high)}, in steps of "
                f"{number_text(offer.step)}."
            )
            return
        ends.append(value)
    low, high = ends
    if low > high:
        found.faults[f"{offer.name}-high"] = "The highest value is below the lowest: exchange the two."
    elif (low, high) != (offer.low, offer.high):
        found.parameters[offer.name] = {"range": [_plain(low), _plain(high)]}


def _whole(said: str, least: int, most: int, key: str, found: Adaptation) -> int | None:
    if not said:
        return None
    if said.isascii() and said.isdigit() and least <= int(said[:6]) <= most:
        return int(said)
    found.faults[key] = f"Write a whole number from {least} to {most}."
    return None


def _text(typed: Mapping[str, Sequence[str]], key: str) -> str:
    texts = typed.get(key) or [""]
    return texts[-1].strip().replace("−", "-").replace(",", ".")


def _exact(value: Any) -> Fraction:
    return (
        value if isinstance(value, Fraction) else Fraction(f"{value:.10g}" if isinstance(value, float) else str(value))
    )


def _plain(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
