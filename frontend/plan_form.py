"""The form of a study plan: what was typed, read or refused in words, and kept either way."""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from exercises import catalogue
from exercises.catalogue import Skill
from exercises.models import StudyPlan
from exercises.refusals import PlanRefused
from frontend.typed_number import typed_number

#: Where people live. The other names of the database are offsets and names of old.
AREAS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
FIELDS = ("time_zone", "exam_on", "goal", "new_cards_a_day")


@dataclass
class PlanForm:
    """``values`` as typed, ``errors`` in words; both by the name of the field."""

    values: Mapping[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: StudyPlan) -> "PlanForm":
        """What is kept already."""
        return cls(
            {
                "time_zone": plan.time_zone,
                "exam_on": plan.exam_on.isoformat() if plan.exam_on else "",
                "goal": plan.goal,
                "new_cards_a_day": str(plan.new_cards_a_day),
            }
        )

    @classmethod
    def typed(cls, posted: Mapping[str, Any]) -> "PlanForm":
        """What was sent."""
        return cls({name: str(posted.get(name, "")).strip()[:100] for name in FIELDS})

    @property
    def skills(self) -> tuple[Skill, ...]:
        """What may be the goal."""
        return catalogue.skills()

    def is_valid(self, keep: Callable[..., object]) -> bool:
        """Whether everything could be read and was kept by ``keep``; else ``errors`` say what to mend."""
        said: dict[str, Any] = {"time_zone": self.values["time_zone"], "goal": self.values["goal"]}
        said["exam_on"] = self._day("exam_on")
        said["new_cards_a_day"] = self._count("new_cards_a_day")
        if self.errors:
            return False
        try:
            keep(**said)
        except PlanRefused as refused:
            self.errors[refused.field] = refused.message
        return not self.errors

    def _day(self, name: str) -> dt.date | None:
        if not self.values[name]:
            return None
        try:
            return dt.date.fromisoformat(self.values[name])
        except ValueError:
            self.errors[name] = "Write the day as year-month-day, such as 2027-02-14, or leave it empty."
            return None

    def _count(self, name: str) -> int:
        found = typed_number(self.values[name], digits=100)
        if found is not None:
            return found
        self.errors[name] = "Write a whole number, such as 10; 0 brings no new cards."
        return 0


def zone_groups(kept: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The time zones to choose from, by continent, each with its name and its words; ``kept`` is among them."""
    groups = [(area, list(named)) for area, named in _zones().items()]
    known = {name for _, named in groups for name, _ in named}
    return groups if kept in known else [("", [(kept, kept)]), *groups] if kept else groups


@cache
def _zones() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {"World": [("UTC", "UTC")]}
    for name in sorted(available_timezones()):
        area, _, place = name.partition("/")
        if place and area in AREAS:
            found.setdefault(area, []).append((name, place.replace("_", " ").replace("/", ", ")))
    return found
