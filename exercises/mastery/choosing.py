"""What a learner should do next, and why: due prerequisites first, then what the map has just opened."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import exp
from types import MappingProxyType
from typing import NamedTuple

from exercises.catalogue import Skill
from exercises.mastery.ability import predicted
from exercises.mastery.difficulty import author_difficulty, guess_floor
from exercises.mastery.levels import Standing, is_unlocked
from exercises.mastery.states import Level
from exercises.mastery.wording import new_reason, practice_reason, prerequisite_reason, review_reason
from grader.problem import Problem

#: Failures running after which the trouble is looked for one skill earlier.
FAILURES = 2

# The worth U of an exercise (docs/mastery.md): how near success is to what teaches best, how much it opens, how little
# is known of the skill, and against it repetition and steps that the learner is not ready for.
AIM, WIDTH = 0.75, 0.2
OPENS, UNKNOWN = 0.6, 0.4
SAME_PROBLEM, SAME_PROBLEM_IN = 0.5, 3
SAME_SKILL, SAME_SKILL_RUNNING = 0.3, 4
#: It decides between exercises of much the same worth and no more: some skills are met only in the company of others
#: that are not open yet, and must not wait until everything else has become too easy.
NOT_READY = 0.2


class ItemStep(NamedTuple):
    """One step with a weight: the skill it trains, its difficulty in logits and its guess floor. ``rests_on`` are the
    skills of the steps that its value follows from: who lacks one of them could not get so far."""

    step: str
    skill: str
    b: float
    g: float
    rests_on: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Item:
    """A problem as the chooser sees it."""

    slug: str
    steps: tuple[ItemStep, ...]


class Bucket(IntEnum):
    """Why something is next. The first that holds anything wins."""

    NEEDED_REVIEW = 1
    PREREQUISITE = 2
    FRINGE = 3
    REVIEW = 4
    ANYTHING = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """The next exercise, the skill it is for, why, and the chance of success that is foreseen at that skill's steps."""

    slug: str
    skill: str
    bucket: Bucket
    reason: str
    predicted: float


Recent = Sequence[tuple[str, str]]


def item_of(slug: str, problem: Problem, difficulty: Mapping[str, float] = MappingProxyType({})) -> Item:
    """A loaded problem as the chooser sees it; ``difficulty`` by step where it is known, else its author's word.

    Steps without a weight or a skill are left out: they are no reason to choose a problem. The guess floor of
    options that are drawn with the variant is taken as 0 here, since nothing is drawn yet.
    """
    start = author_difficulty(problem.level)
    skill_of = {step.name: step.skill for step in problem.asked if step.skill}
    return Item(
        slug,
        tuple(
            ItemStep(
                step.name,
                step.skill,
                difficulty.get(step.name, start),
                guess_floor(step.kind, len(step.options) if isinstance(step.options, tuple) else 0),
                frozenset(skill_of[name] for name in problem.upstream[step.name] if name in skill_of),
            )
            for step in problem.asked
            if step.skill and step.must_be_answered
        ),
    )


def unlocked(standings: Mapping[str, Standing], needs: Mapping[str, Sequence[str]]) -> set[str]:
    """The skills whose hard prerequisites are all held well enough."""
    return {skill for skill in standings if is_unlocked(skill, standings, needs)}


def to_refresh(standings: Mapping[str, Standing], needs: Mapping[str, Sequence[str]]) -> set[str]:
    """The skills whose steps must be asked however well they are held: those that are due, and what a skill that failed
    twice running needs."""
    due = {skill for skill, held in standings.items() if held.is_due}
    failing = [skill for skill, held in standings.items() if held.failures >= FAILURES]
    return due.union(*(needs.get(skill, ()) for skill in failing)) & standings.keys()


def choose(
    items: Iterable[Item],
    standings: Mapping[str, Standing],
    skills: Sequence[Skill],
    *,
    goal: str | None = None,
    recent: Recent = (),
    exclude: Collection[str] = (),
    without: Collection[str] = (),
) -> Choice | None:
    """The next exercise, or None where all is mastered and nothing is due, or nothing is left to choose from.

    ``goal`` is a skill, None or "" the whole map. ``recent`` tells what was worked on last, as (slug, skill), latest
    first. Slugs in ``exclude`` and skills in ``without`` are not proposed; nor is a skill with an unmet hard
    prerequisite, even if it is due: the prerequisite comes first then. The same arguments give the same answer.
    """
    outlook = Outlook(items, standings, skills, goal=goal, recent=recent)
    for bucket, candidates in outlook.candidates():
        allowed = [skill for skill in candidates if skill not in without]
        # Reviews and prerequisites come in an order of their own; elsewhere the worth decides between skills too.
        groups = [allowed] if bucket in {Bucket.FRINGE, Bucket.ANYTHING} else [[skill] for skill in allowed]
        for group in groups:
            if best := outlook.best(group, exclude):
                item, skill = best
                return Choice(item.slug, skill, bucket, outlook.reason(bucket, skill), outlook.predicted(item, skill))
    return None


class Outlook:
    """What lies before one learner: which skills are open to them, and what each exercise would be worth."""

    def __init__(
        self,
        items: Iterable[Item],
        standings: Mapping[str, Standing],
        skills: Sequence[Skill],
        *,
        goal: str | None = None,
        recent: Recent = (),
    ) -> None:
        self.skills = {skill.id: skill for skill in skills if skill.id in standings}
        self.standings = standings
        self.recent = tuple(recent)
        self.items = tuple(items)
        self.needs = {skill.id: skill.needs for skill in skills}
        self.unlocked = unlocked(standings, self.needs) & self.skills.keys()
        self._above = {skill: self._ancestors(skill) for skill in self.skills}
        self.goal = goal if goal in self.skills else None
        self._items: dict[str, list[Item]] = {}
        for item in self.items:
            for skill in {step.skill for step in item.steps}:
                self._items.setdefault(skill, []).append(item)

    def is_known(self, skill: str) -> bool:
        """Whether it is held as proficient or better."""
        return self.standings[skill].level.rank >= Level.PROFICIENT.rank

    def is_open(self, step: ItemStep) -> bool:
        """Whether the learner is ready for the step itself and for all that it follows from."""
        return step.skill in self.unlocked and step.rests_on <= self.unlocked

    def _open_steps(self, item: Item, skill: str) -> list[ItemStep]:
        return [step for step in item.steps if step.skill == skill and self.is_open(step)]

    def due(self) -> list[str]:
        """The skills due for review that are not locked, the least remembered first."""
        found = [skill for skill in self.unlocked if self.standings[skill].is_due]
        return sorted(found, key=lambda skill: (self.standings[skill].retention or 0.0, skill))

    def candidates(self) -> Iterator[tuple[Bucket, list[str]]]:
        """The buckets in their order, each with its skills in theirs."""
        due = self.due()
        needed = [skill for skill in due if self.goal is None or skill in self._above[self.goal]]
        fringe = sorted(skill for skill in self.unlocked if not self.is_known(skill))
        yield Bucket.NEEDED_REVIEW, needed
        yield Bucket.PREREQUISITE, list(self._prerequisites_of_failures())
        yield Bucket.FRINGE, [skill for skill in fringe if self._is_on_the_way(skill)]
        yield Bucket.REVIEW, [skill for skill in due if skill not in needed]
        yield Bucket.ANYTHING, sorted(s for s in self.unlocked if self.standings[s].level != Level.MASTERED)

    def best(self, skills: Iterable[str], exclude: Collection[str] = ()) -> tuple[Item, str] | None:
        """The exercise of the highest worth among those with a step of one of these skills; ties by id.

        One where such a step can be reached, if there is any.
        """
        pairs = [(item, skill) for skill in skills for item in self._items.get(skill, ()) if item.slug not in exclude]
        pairs = [(item, skill) for item, skill in pairs if self._open_steps(item, skill)] or pairs
        return min(pairs, key=lambda pair: (-self.worth(*pair), pair[1], pair[0].slug), default=None)

    def worth(self, item: Item, skill: str) -> float:
        """U of docs/mastery.md for this exercise as one of this skill, less for steps that are not open yet."""
        opened = sum(skill in self._above[other] and not self.is_known(other) for other in self.skills)
        locked = sum(not self.is_open(step) for step in item.steps) / len(item.steps)
        latest = [one for _, one in self.recent[:SAME_SKILL_RUNNING]]
        return (
            exp(-(((self.predicted(item, skill) - AIM) / WIDTH) ** 2))
            + OPENS * opened / len(self.skills)
            + UNKNOWN * self.standings[skill].variance
            - SAME_PROBLEM * any(slug == item.slug for slug, _ in self.recent[:SAME_PROBLEM_IN])
            - SAME_SKILL * (latest == [skill] * SAME_SKILL_RUNNING)
            - NOT_READY * locked
        )

    def predicted(self, item: Item, skill: str) -> float:
        """p̂: the mean chance of success at this exercise's steps of this skill, which it must have."""
        held = self.standings[skill]
        steps = self._open_steps(item, skill) or [one for one in item.steps if one.skill == skill]
        chances = [predicted(held.mean, held.variance, b=one.b, g=one.g) for one in steps]
        return sum(chances) / len(chances)

    def reason(self, bucket: Bucket, skill: str, *, is_begun: bool = False) -> str:
        """Why this skill is next, in words for the learner. ``is_begun``: something before it is for this skill too,
        so it is not new any more."""
        title = self.skills[skill].title
        match bucket:
            case Bucket.NEEDED_REVIEW | Bucket.REVIEW:
                return review_reason(title, self._needed_for(skill))
            case Bucket.PREREQUISITE:
                failed = next(one for one, found in self._failures() if found == skill)
                return prerequisite_reason(title, self.skills[failed].title)
        if self.is_known(skill) or is_begun or self.standings[skill].level == Level.LEARNING:
            held = self.standings[skill]
            return practice_reason(
                title,
                is_proficient=self.is_known(skill),
                is_near=held.surplus >= 0,
                is_hard=held.failures >= FAILURES,
            )
        goal = self.skills[self.goal].title if self.goal and self.goal != skill and self._is_on_the_way(skill) else None
        return new_reason(title, goal=goal, builds_on_something=bool(self.needs[skill]))

    def _prerequisites_of_failures(self) -> Iterator[str]:
        return (prerequisite for _, prerequisite in self._failures())

    def _failures(self) -> Iterator[tuple[str, str]]:
        """Each skill that failed twice running, the latest first, with its open direct prerequisites, weakest first.

        One exercise of a prerequisite is enough: after it, the failed skill is tried again before another follows.
        """
        worked_on = [skill for _, skill in self.recent]
        failing = [skill for skill in self.skills if self.standings[skill].failures >= FAILURES]
        for skill in sorted(failing, key=lambda one: (-self._last(one), one)):
            needs = self.needs[skill]
            since = worked_on[: worked_on.index(skill)] if skill in worked_on else worked_on
            if not set(needs).isdisjoint(since):
                continue
            for one in sorted(needs, key=lambda one: (self.standings[one].surplus, one)):
                if one in self.unlocked:
                    yield skill, one

    def _last(self, skill: str) -> float:
        last_at = self.standings[skill].last_at
        return last_at.timestamp() if last_at else 0.0

    def _is_on_the_way(self, skill: str) -> bool:
        return self.goal is None or skill == self.goal or skill in self._above[self.goal]

    def _needed_for(self, skill: str) -> str | None:
        """The title of a skill that builds directly on this one: on the way to the goal, and still to be learnt."""
        above = [one for one in self.skills if skill in self.needs[one] and self._is_on_the_way(one)]
        above.sort(key=self.is_known)
        return self.skills[above[0]].title if above else None

    def _ancestors(self, skill: str) -> set[str]:
        direct = [one for one in self.needs[skill] if one in self.skills]
        return set(direct).union(*(self._ancestors(one) for one in direct))
