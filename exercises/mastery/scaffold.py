"""Which steps of a problem are asked: all of them at first, and fewer as the learner grows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from exercises.mastery.states import Level
from grader.problem import Problem


@dataclass(frozen=True, slots=True)
class StepInfo:
    """One step that can be asked. ``is_optional``: it has no weight, it is only there to lean on.

    ``upstream`` names the steps that its value follows from, at whatever distance. ``is_final``: no step with a weight
    follows from it.
    """

    name: str
    skill: str
    is_optional: bool = False
    is_final: bool = True
    upstream: frozenset[str] = frozenset()


def steps_of(problem: Problem) -> tuple[StepInfo, ...]:
    """The steps of a problem that can be asked, in order. A step that trains no skill has an empty one."""
    passed_on = {name for step in problem.asked if step.must_be_answered for name in problem.upstream[step.name]}
    return tuple(
        StepInfo(
            name=step.name,
            skill=step.skill or "",
            is_optional=not step.must_be_answered,
            is_final=step.name not in passed_on,
            upstream=problem.upstream[step.name],
        )
        for step in problem.asked
    )


def asked(
    steps: Sequence[StepInfo],
    levels: Mapping[str, Level],
    *,
    ready: Collection[str] | None = None,
    keep: Collection[str] = (),
    check: bool = False,
) -> list[str] | None:
    """The names of the steps to ask, in order; None where that is all of them.

    Someone proficient at a step's skill is no longer asked for it if it is optional; someone who mastered it, not even
    if it has a weight, where a later weighted step follows from it: what is wrong there will show in that one. So the
    final steps stay, and whoever is at higher levels is never asked more. A skill without a level is not started.

    ``ready``, if given, are the skills that may be asked at all: steps of others are left out, and so is what follows
    from them, since nobody could get so far; what is final is seen among those that remain. ``keep`` are skills whose
    weighted steps stay however well they are held, as a review needs them. ``check`` asks everything weighted and
    nothing optional. At least one weighted step always stays.
    """
    # A step without a skill of its own is in nobody's way.
    beyond = {step.name for step in steps if ready is not None and step.skill and step.skill not in ready}
    weighted = [step for step in steps if not step.is_optional and not beyond & {step.name, *step.upstream}]
    if not weighted:
        # Nothing with a weight is ready, yet a problem that asks for nothing would be none: the first one there is.
        weighted = [step for step in steps if not step.is_optional][:1]
    passed_on = frozenset().union(*(step.upstream for step in weighted))
    fixed = {step.name for step in weighted if check or step.skill in keep or step.name not in passed_on}

    def stays(step: StepInfo) -> bool:
        rank = levels.get(step.skill, Level.NOT_STARTED).rank
        if step.is_optional:
            return not check and rank < Level.PROFICIENT.rank and not beyond & {step.name, *step.upstream}
        return step in weighted and (step.name in fixed or rank < Level.MASTERED.rank)

    names = [step.name for step in steps if stays(step)]
    return None if len(names) == len(steps) else names
