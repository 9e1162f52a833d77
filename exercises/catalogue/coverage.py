"""Whether the skills and the problems that practise them hold together."""

from collections.abc import Iterable, Iterator, Mapping

from exercises.catalogue.loader import Skill, skills, slugs, source
from grader.problem import Problem, load

#: A skill that one problem alone practises is soon known by heart.
FEWEST_PROBLEMS = 2


def coverage_faults(problems: Mapping[str, Problem] | None = None, of: Iterable[Skill] | None = None) -> list[str]:
    """What does not hold together, in words; empty if all is well. Left out: the built-in catalogue.

    Every step that is asked has one skill of the map. A mistake speaks about another skill only if the step's own
    builds on that one directly. Every skill is practised by steps of two problems, and can be reached: what it needs
    is practised as well.
    """
    by_id = {skill.id: skill for skill in (skills() if of is None else of)}
    loaded = {slug: load(source(slug)) for slug in slugs()} if problems is None else dict(problems)
    return [*_step_faults(loaded, by_id), *_skill_faults(loaded, by_id)]


def _step_faults(problems: Mapping[str, Problem], by_id: Mapping[str, Skill]) -> Iterator[str]:
    for slug, problem in problems.items():
        for step in problem.asked:
            if step.skill is None or step.skill not in by_id:
                yield f"{slug}: step {step.name} has no skill of the map"
                continue
            for mistake in step.mistakes:
                if mistake.skill is not None and mistake.skill not in by_id[step.skill].needs:
                    yield f"{slug}: {mistake.note} points at {mistake.skill}, which {step.skill} does not build on"


def _skill_faults(problems: Mapping[str, Problem], by_id: Mapping[str, Skill]) -> Iterator[str]:
    practised: dict[str, set[str]] = {}
    for slug, problem in problems.items():
        for step in problem.asked:
            if step.weight and step.skill:
                practised.setdefault(step.skill, set()).add(slug)
    for skill in by_id.values():
        found = len(practised.get(skill.id, ()))
        if found < FEWEST_PROBLEMS:
            yield f"{skill.id} is practised by {found} of the {FEWEST_PROBLEMS} problems it should have"
        yield from (
            f"{skill.id} cannot be reached: nothing practises {need}" for need in skill.needs if need not in practised
        )
