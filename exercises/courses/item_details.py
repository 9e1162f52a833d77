"""What is written on an item of a set: its weight as an exact decimal, how many variants, which steps are asked."""

import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from fractions import Fraction

from grader.problem import Problem

MOST_VARIANTS = 20
MOST_WEIGHT = Decimal(9999)
_WEIGHT = re.compile(r"\d{1,4}(?:[.,]\d{1,4})?")


class ItemError(ValueError):
    """Something on an item that cannot be kept; the message says what to write instead."""


def read_weight(text: str) -> Decimal:
    """A weight as it is typed, exactly: ``0.7``, ``2``, ``1,5``. Raises ItemError."""
    said = text.strip()
    if not _WEIGHT.fullmatch(said):
        raise ItemError("Write a weight such as 1, 2.5 or 0.7, of at most four digits before and behind the point.")
    return sound_weight(Decimal(said.replace(",", ".")))


def sound_weight(weight: Decimal) -> Decimal:
    """The weight, if one can be given. Raises ItemError."""
    exact = weight.is_finite() and weight == weight.quantize(Decimal("0.0001")) and 0 <= weight <= MOST_WEIGHT
    if not exact:
        raise ItemError(f"A weight is between 0 and {MOST_WEIGHT}, with at most four digits behind the point.")
    return weight


def weight_text(weight: Decimal | Fraction) -> str:
    """A weight as it is typed: ``0.7`` and not ``0.7000``."""
    if isinstance(weight, Fraction):
        weight = (Decimal(weight.numerator) / Decimal(weight.denominator)).quantize(Decimal("0.0001"))
    return f"{weight.normalize():f}"


def read_count(text: str, *, least: int, most: int, what: str) -> int:
    """A whole number as it is typed. Raises ItemError."""
    said = text.strip()
    if said.isascii() and said.isdigit() and least <= int(said[:9]) <= most:
        return int(said)
    raise ItemError(f"Write {what} as a whole number from {least} to {most}.")


def final_steps(problem: Problem) -> list[str]:
    """The steps that count and that no other step that counts follows from, in order: what is left when the scaffold
    is taken away."""
    counted = [step.name for step in problem.asked if step.must_be_answered] or [step.name for step in problem.asked]
    followed = frozenset().union(*(problem.upstream[name] for name in counted))
    return [name for name in counted if name not in followed]


def asked_steps(problem: Problem, chosen: Collection[str]) -> list[str] | None:
    """The chosen steps in the order of the problem; None where these are all. Raises ItemError."""
    known = [step.name for step in problem.asked]
    names = [name for name in known if name in set(chosen)]
    if len(names) != len(set(chosen)):
        raise ItemError("One of these steps is not in this version of the problem any more: choose again.")
    if not any(problem.step(name).weight for name in names):
        raise ItemError("Ask at least one step that counts: those marked as optional weigh nothing.")
    return None if names == known else names


def missing_steps(problem: Problem, asked: Sequence[str] | None) -> list[str]:
    """The steps that are asked and not there, such as after a new version renamed them."""
    known = {step.name for step in problem.asked}
    return [name for name in asked or () if name not in known]
