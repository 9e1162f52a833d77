"""The data of sets: details that are sound, built-in problems, and attempts that began."""

import datetime as dt
from fractions import Fraction
from typing import Any

from exercises import catalogue, clock
from exercises.actions.sets import editing
from exercises.actions.sets.items import ItemDetails
from exercises.courses.set_details import SetDetails
from exercises.models import Attempt, Course, Problem, ProblemSet, SetItem, User
from exercises.set_rows import base_of
from tests.exercises.catalogued import catalogued
from tests.exercises.courses.world import NOW

DAY = dt.timedelta(days=1)
SLUGS = ("masked-token-loss", "mask-counts", "neg-log")


def details(**more: Any) -> SetDetails:
    """A quiz of two tries, open for a day around NOW."""
    base: dict[str, Any] = {
        "title": "Losses", "mode": "quiz", "credits": (Fraction(1), Fraction(1, 2)), "opens_at": NOW - DAY,
        "due_at": NOW + DAY, "closes_at": NOW + 2 * DAY, "time_limit": 60,
    }  # fmt: skip
    return SetDetails(**{**base, **more})


def made(actor: User, course: Course, **more: Any) -> ProblemSet:
    """A draft with these details and no items."""
    return editing.create_set(actor=actor, course=course, details=details(**more))


def synced() -> list[Problem]:
    """Three built-in problems, from a catalogue that holds nothing else."""
    return catalogued({slug: catalogue.source(slug) for slug in SLUGS})


def began(problem_set: ProblemSet, learner: User, at: dt.datetime = NOW, **more: Any) -> Attempt:
    """An attempt that began then, without places."""
    with clock.at(at):
        return Attempt.objects.create(problem_set=problem_set, learner=learner, began_at=at, **more)


def details_of_item(item: SetItem, **more: Any) -> ItemDetails:
    """What stands on an item, with changes."""
    stands: dict[str, Any] = {
        "weight": item.weight, "variants": item.variants, "asked": item.asked, "base": base_of(item),
        "pool": item.pool, "adaptation": item.adaptation,
    }  # fmt: skip
    return ItemDetails(**{**stands, **more})
