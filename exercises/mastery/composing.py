"""The daily session: what is due, something new, and a mixed check of what was proficient a night ago."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from exercises.catalogue import Skill
from exercises.mastery.choosing import Bucket, Choice, Item, Outlook, Recent, choose
from exercises.mastery.constants import CONSTANTS
from exercises.mastery.levels import Standing
from exercises.mastery.states import Level
from exercises.mastery.wording import CHECK_REASON, exam_reason

REVIEWS, NEW, CHECKED = 3, 2, 3
#: In so many last days before an exam there may be more reviews, and new work only fills up what they leave.
EXAM_WEEK, EXAM_REVIEWS = 7, 6


class Kind(StrEnum):
    """What an exercise of the session is there for."""

    REVIEW = "review"
    NEW = "new"
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class Planned:
    """One exercise of a daily session: the skill it is for, and why, in words for the learner."""

    kind: Kind
    skill: str
    slug: str
    reason: str


def compose(
    items: Iterable[Item],
    standings: Mapping[str, Standing],
    skills: Sequence[Skill],
    *,
    now: dt.datetime,
    today: dt.date,
    goal: str | None = None,
    recent: Recent = (),
    exam_on: dt.date | None = None,
) -> list[Planned]:
    """The session of study day ``today``: reviews, the least remembered first, new work, and a mixed check.

    At most 3 reviews and 2 exercises of new work; within 7 days of an exam 6 reviews, and new work only up to 5 in all.
    The check has at most 3 exercises, which ask for 3 skills or more between them. It comes when some skill has been
    proficient for 20 hours, takes along mastered ones that are due, and is left out where it cannot be mixed.
    ``recent`` is what was worked on last, the latest first. No problem comes twice; the same arguments give the same
    session.
    """
    outlook = Outlook(items, standings, skills, goal=goal, recent=recent)
    days_left = (exam_on - today).days if exam_on is not None else None
    is_exam_near = days_left is not None and 0 <= days_left <= EXAM_WEEK
    reviews = _reviews(outlook, EXAM_REVIEWS if is_exam_near else REVIEWS)
    if days_left is not None and is_exam_near:
        reviews = [Planned(one.kind, one.skill, one.slug, f"{one.reason} {exam_reason(days_left)}") for one in reviews]
    # The check chooses before new work does: what waits for it has few problems, new work usually has many.
    check = _check(outlook, now, reviews)
    room = min(NEW, REVIEWS + NEW - len(reviews)) if is_exam_near else NEW
    taken = [*reviews, *check]
    return [*reviews, *_new(outlook, taken, room), *check]


def _reviews(outlook: Outlook, most: int) -> list[Planned]:
    planned: list[Planned] = []
    for skill in outlook.due():
        if len(planned) < most and (best := outlook.best([skill], [one.slug for one in planned])):
            planned.append(Planned(Kind.REVIEW, skill, best[0].slug, outlook.reason(Bucket.REVIEW, skill)))
    return planned


def _new(outlook: Outlook, taken: Sequence[Planned], most: int) -> list[Planned]:
    """What the chooser proposes apart from reviews, as if each were worked on before the next is chosen."""
    planned: list[Planned] = []
    while len(planned) < most:
        before = [(one.slug, one.skill) for one in reversed(planned)]
        used = [one.slug for one in (*taken, *planned)]
        # Another skill than before, so that no day is all of one kind, or else the same. Where nothing is open on the
        # way to the goal, whatever else is new will do; what is left after that is proficient already, and waits for
        # its check.
        met = {one.skill for one in planned}
        wishes = ((goal, barred) for goal in (outlook.goal, None) for barred in (met, ()))
        choice = next(filter(None, (_first_new(outlook, goal, before, used, barred) for goal, barred in wishes)), None)
        if choice is None:
            break
        is_begun = choice.skill in [one.skill for one in planned]
        reason = outlook.reason(choice.bucket, choice.skill, is_begun=True) if is_begun else choice.reason
        planned.append(Planned(Kind.NEW, choice.skill, choice.slug, reason))
    return planned


def _first_new(
    outlook: Outlook,
    goal: str | None,
    before: Sequence[tuple[str, str]],
    used: Collection[str],
    without: Collection[str],
) -> Choice | None:
    choice = choose(
        outlook.items,
        outlook.standings,
        list(outlook.skills.values()),
        goal=goal,
        recent=[*before, *outlook.recent],
        exclude=used,
        without={*outlook.due(), *without},
    )
    return choice if choice and choice.bucket != Bucket.ANYTHING else None


def _check(outlook: Outlook, now: dt.datetime, reviews: Sequence[Planned]) -> list[Planned]:
    """Exercises that together ask for as many waiting skills as they can, and for 3 that were practised at least; or
    none."""
    reviewed = {one.skill for one in reviews}
    waiting = {skill for skill in outlook.unlocked if _waits(outlook.standings[skill], now)}
    wanted = {skill for skill in outlook.due() if outlook.standings[skill].level == Level.MASTERED} - reviewed
    used = {one.slug for one in reviews}
    covered: set[str] = set()
    planned: list[Planned] = []
    # Each exercise adds a skill at least, so three of them reach three skills wherever any three could.
    while len(planned) < CHECKED:
        best = _most_of(outlook, waiting - covered, wanted - covered, covered, used)
        if best is None or not (planned or best[1] in waiting):
            break
        item, skill = best
        planned.append(Planned(Kind.CHECK, skill, item.slug, CHECK_REASON))
        used.add(item.slug)
        covered |= {one for one in _asked(outlook, item) if _is_started(outlook, one)}
    return planned if len(covered) >= CONSTANTS.mixed_skills else []


def _most_of(
    outlook: Outlook, waiting: Collection[str], wanted: Collection[str], covered: Collection[str], used: Collection[str]
) -> tuple[Item, str] | None:
    """The exercise that adds most to the check, and the skill it is there for; None if none adds anything needed.

    What only fills up asks for nothing that was never practised: a check is no place to meet something new.
    """
    is_mixed = len(covered) >= CONSTANTS.mixed_skills
    found = []
    for item in outlook.items:
        asked = _asked(outlook, item)
        unstarted = [one for one in asked if not _is_started(outlook, one)]
        new = sorted(asked.difference(covered))
        adds, takes_along = asked.intersection(waiting), asked.intersection(wanted)
        if item.slug in used or not (adds or takes_along or (new and not is_mixed and not unstarted)):
            continue
        unknown = sum(not outlook.is_known(skill) for skill in asked) / len(asked)
        key = -len(adds), -len(takes_along), len(unstarted), unknown, -len(new), len(item.steps), item.slug
        found.append((key, item, min(adds or takes_along or new)))
    best = min(found, key=lambda one: one[0], default=None)
    return best[1:] if best else None


def _asked(outlook: Outlook, item: Item) -> set[str]:
    """The skills a check asks for in an exercise: those of its weighted steps, as far as they are open."""
    return {step.skill for step in item.steps if outlook.is_open(step)}


def _is_started(outlook: Outlook, skill: str) -> bool:
    return outlook.standings[skill].level != Level.NOT_STARTED


def _waits(held: Standing, now: dt.datetime) -> bool:
    """Whether a skill has been proficient for so long that a check can show whether it lasts."""
    if held.level != Level.PROFICIENT or held.since is None:
        return False
    return now - held.since >= dt.timedelta(hours=CONSTANTS.check_hours)
