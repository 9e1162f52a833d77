"""Which skills build on which, by the one file that names them all."""

from collections.abc import Iterable, Mapping
from functools import cache

from exercises import catalogue


@cache
def needs() -> Mapping[str, tuple[str, ...]]:
    """The direct hard prerequisites of every skill."""
    return {skill.id: skill.needs for skill in catalogue.skills()}


@cache
def built_on() -> Mapping[str, tuple[str, ...]]:
    """For every skill those that need it directly: their steps give it a little credit."""
    found: dict[str, list[str]] = {skill: [] for skill in needs()}
    for skill, prerequisites in needs().items():
        for prerequisite in prerequisites:
            found[prerequisite].append(skill)
    return {skill: tuple(above) for skill, above in found.items()}


def speaking_about(skills: Iterable[str]) -> set[str]:
    """These skills, and those whose steps reach them as well."""
    wanted = set(skills)
    return wanted.union(*(built_on().get(skill, ()) for skill in wanted))
