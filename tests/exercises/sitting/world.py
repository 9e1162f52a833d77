"""Sets of two problems, and what somebody does who sits them."""

import datetime as dt
from typing import Any

from exercises.actions.sitting.check import Checked, check_item
from exercises.actions.sitting.save import Saved, save_answers
from exercises.models import Attempt, AttemptItem, Problem, Variant
from exercises.tasks import grade_pending, sweep_pending
from tests.exercises.catalogued import catalogued
from tests.exercises.courses.world import NOW
from tests.exercises.world import ALL_RIGHT, C1, MASKED

#: One step, to be counted: three of four are masked.
COUNTS = """
title: How many are masked
summary: A count.
skills: [masking-rate]
parameters:
  n: {range: [20, 200], step: 10}
statement: |
  Of {{ n }} tokens every tenth is masked.
steps:
  masked:
    ask: How many are masked?
    is: n / 10
    kind: count
"""
WRONG = {**ALL_RIGHT, "loss": "9.99"}
HALF_AN_HOUR = dt.timedelta(minutes=30)


def synced() -> list[Problem]:
    """The two problems, from a catalogue that holds nothing else."""
    return catalogued({"masked": MASKED, "counts": COUNTS})


def fixed(attempt: Attempt) -> Attempt:
    """The same attempt with the numbers of the first worked example, wherever that problem stands."""
    Variant.objects.filter(attempt_item__attempt=attempt, problem__slug="masked").update(parameters=C1)
    return attempt


def place(attempt: Attempt, position: int = 1) -> AttemptItem:
    """A place of an attempt as a door finds it."""
    return AttemptItem.objects.select_related("attempt__problem_set__course", "attempt__learner").get(
        attempt=attempt, position=position
    )


def variant_id(item: AttemptItem) -> str:
    """The public id of the variant that is open there."""
    return str(item.variants.latest("number").public_id)


def save(item: AttemptItem, based_on: int = 0, *, page: str = "", **answers: Any) -> Saved:
    """Save these answers from a page that showed version ``based_on``."""
    return save_answers(attempt_item=item, variant_id=variant_id(item), answers=answers, based_on=based_on, page=page)


def check(item: AttemptItem, key: str = "", *, is_sure: bool = True, **answers: Any) -> Checked:
    """Take these answers as a try."""
    item.refresh_from_db()
    return check_item(
        attempt_item=item,
        variant_id=variant_id(item),
        answers=answers,
        based_on=item.saved_version,
        idempotency_key=key,
        is_sure=is_sure,
    )


def graded() -> None:
    """Let the workers mark everything."""
    grade_pending()
    sweep_pending()


__all__ = ["ALL_RIGHT", "HALF_AN_HOUR", "NOW", "WRONG", "check", "fixed", "graded", "place", "save", "synced"]
