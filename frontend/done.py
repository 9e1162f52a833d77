"""Whether a variant is done, and in which words: everything right, or a slip that was carried to the end; and which
skills it raised."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from exercises import catalogue, queries
from exercises.mastery import levels
from exercises.mastery.states import Level
from exercises.models import User, Variant
from exercises.queries import Standing
from frontend.levels import WORDS
from frontend.marks import share_words
from grader.problem import Problem, Step

ALL_RIGHT = "Every step that counts is right."
OTHER_NUMBERS = "Another variant has other numbers."


@dataclass(frozen=True)
class Done:
    """What the page says when nothing is left to answer. ``says`` is Markdown, ``outcome`` one of right, carried."""

    outcome: str
    title: str
    says: str


@dataclass(frozen=True)
class Risen:
    """A skill that came to a higher level by this variant."""

    skill: str
    title: str
    level: Level

    @property
    def words(self) -> str:
        """ "Softmax: proficient"."""
        return f"{self.title}: {WORDS[self.level].lower()}"


def risen_by(variant: Variant, learner: User, sent_at: Collection[dt.datetime]) -> list[Risen]:
    """The skills whose present level was reached by one of the learner's answers to ``variant``, sent at these moments;
    in the order of the map. Two queries."""
    standings = queries.standings([learner])[learner.pk]
    return [
        Risen(skill.id, skill.title, standings[skill.id].level)
        for skill in catalogue.skills()
        if standings[skill.id].since in sent_at and _has_risen(standings[skill.id], is_check=variant.is_check)
    ]


def is_of_session(variant: Variant) -> bool:
    """Whether it was drawn for a session of the day, to which one goes back. One query."""
    return hasattr(variant, "session_item")


def _has_risen(standing: levels.Standing, *, is_check: bool) -> bool:
    """Whether the last change of level was one for the better. Under the highest ever, one comes up again to proficient
    by practice, and down to it by a failed check."""
    return standing.level is standing.highest or (standing.level is Level.PROFICIENT and not is_check)


def done_of(problem: Problem, standings: Mapping[str, Standing]) -> Done | None:
    """None as long as a step that counts is open: not answered, or wrong without being carried. No query."""
    counting = [step for step in problem.asked if step.weight]
    if not counting or any(step.name not in standings for step in counting):
        return None
    best = {name: standing.best.outcome for name, standing in standings.items()}
    if all(best[step.name] == "right" for step in counting):
        return Done("right", ALL_RIGHT, _stands(standings[step.name] for step in counting))
    carried = [step for step in counting if best[step.name] == "carried"]
    slips = [step for step in problem.asked if best.get(step.name, "right") not in ("right", "carried")]
    sources = _sources(problem, carried)
    if not carried or any(step.weight and step.name not in sources for step in slips):
        return None
    score = queries.score_of(problem, standings)
    if score == 1:
        return Done("carried", "Done, with the full score.", f"{_listed(carried)} followed from a slip made before.")
    title = f"Done: {share_words(score)}."
    told = [step for step in slips if step.name in sources]
    if not told:
        return Done("carried", title, f"{_listed(carried)} followed from a slip, so half was lost. Check again for it.")
    verb = "is" if len(told) == 1 else "are"
    says = f"The slip{'' if len(told) == 1 else 's'} in {_listed(told)} {verb} carried: what follows counts as right."
    return Done(
        "carried", title, f"{says} Mend {'it' if len(told) == 1 else 'them'} here, or go on with other numbers."
    )


def _stands(standings: Iterable[Standing]) -> str:
    if all(standing.latest.outcome == "right" for standing in standings):
        return OTHER_NUMBERS
    return f"The best answer at each step counts, whatever was typed later. {OTHER_NUMBERS}"


def _sources(problem: Problem, steps: Iterable[Step]) -> set[str]:
    """The names of all steps that flow into these, near or far."""
    by_name = {step.name: step for step in problem.steps}
    found: set[str] = set()
    waiting = {name for step in steps for name in step.needs}
    while waiting:
        name = waiting.pop()
        if name in by_name and name not in found:
            found.add(name)
            waiting |= by_name[name].needs
    return found


def _listed(steps: Iterable[Step]) -> str:
    return " and ".join(f"${step.symbol}$" for step in steps)
