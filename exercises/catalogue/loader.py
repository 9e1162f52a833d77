"""Reads the files of the catalogue."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
PROBLEMS = HERE / "problems"
SKILLS = HERE / "skills.yaml"


@dataclass(frozen=True)
class Skill:
    """One thing that can be learnt.

    ``can`` continues "You can …". ``needs`` and ``helps`` are ids of hard and soft prerequisites. ``row`` and
    ``column`` say where it stands on the map: always below everything it needs.
    """

    id: str
    title: str
    can: str
    needs: tuple[str, ...]
    helps: tuple[str, ...]
    row: int
    column: int


def slugs(folder: Path = PROBLEMS) -> list[str]:
    """The slugs of all built-in problems, in alphabetical order."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def source(slug: str, folder: Path = PROBLEMS) -> str:
    """The YAML text of one built-in problem. Raises KeyError if there is none of that slug."""
    if slug not in slugs(folder):
        raise KeyError(f"There is no problem {slug!r} in the catalogue.")
    return (folder / f"{slug}.yaml").read_text(encoding="utf-8")


@cache
def skills() -> tuple[Skill, ...]:
    """All skills in the order of the map, prerequisites first.

    Raises ValueError if the file does not hold together: an id used twice, a prerequisite that does not exist or does
    not stand above the skill that has it, two skills in one place.
    """
    entries = yaml.safe_load(SKILLS.read_text(encoding="utf-8"))
    found = tuple(sorted((_skill(entry) for entry in entries), key=lambda skill: (skill.row, skill.column)))
    faults = list(_faults(found))
    if faults:
        raise ValueError(f"{SKILLS.name}: " + "; ".join(faults))
    return found


def _skill(entry: Mapping[str, Any]) -> Skill:
    return Skill(
        id=entry["id"],
        title=entry["title"],
        can=entry["can"],
        needs=tuple(entry.get("needs", ())),
        helps=tuple(entry.get("helps", ())),
        row=entry["row"],
        column=entry["column"],
    )


def _faults(found: Iterable[Skill]) -> Iterable[str]:
    row_of: dict[str, int] = {}
    taken: set[tuple[int, int]] = set()
    for skill in found:
        if skill.id in row_of:
            yield f"{skill.id} is there twice"
        if (skill.row, skill.column) in taken:
            yield f"{skill.id} stands where another skill stands"
        taken.add((skill.row, skill.column))
        for prerequisite in (*skill.needs, *skill.helps):
            if row_of.get(prerequisite, skill.row) >= skill.row:
                yield f"{skill.id} has {prerequisite} as a prerequisite, which does not stand above it"
        row_of[skill.id] = skill.row
