"""What is shown of regrades: which there are, what can be chosen, and whom one moves, by how much and why."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from exercises.loading import loaded
from exercises.models import (
    Course,
    Enrolment,
    Problem,
    ProblemSet,
    ProblemVersion,
    RegradeChange,
    RegradeEvent,
    RegradeMove,
    SetItem,
)
from exercises.refusals import ProblemBroken
from grader.verdict import Mark, Verdict

#: Of so many answers at one place of an attempt it is told one by one why they are judged otherwise.
MOST_TOLD = 10
Show = Literal["all", "raised", "lowered", "same"]


@dataclass(frozen=True)
class StepChange:
    """One step of one answer that is judged otherwise; None where the version does not ask it."""

    step: str
    before: Mark | None
    after: Mark | None


@dataclass(frozen=True)
class Why:
    """One answer that is judged otherwise: its score before and after, and the steps that make the difference."""

    change: RegradeChange
    before: Fraction
    after: Fraction
    steps: tuple[StepChange, ...]


@dataclass(frozen=True)
class Moves:
    """How many places of attempts a regrade moves, and how many answers keep a verdict that would be lower."""

    raised: int
    lowered: int
    same: int
    kept: int


def regrades_of(course: Course) -> QuerySet[RegradeEvent]:
    """The regrades of a course, the latest first, to be paged. No query."""
    rows = RegradeEvent.objects.filter(course=course)
    return rows.select_related("problem", "problem_set", "version", "made_by").order_by("-pk")


def regradable(course: Course) -> list[Problem]:
    """The problems that stand in the sets of a course, also where they were taken out. One query."""
    used = SetItem.objects.filter(problem_set__course=course, problem=OuterRef("pk"))
    return list(Problem.objects.filter(Exists(used)).select_related("current").order_by("title", "slug"))


def sets_with(course: Course, problem: Problem) -> list[ProblemSet]:
    """The sets of a course that hold a problem, in their order. One query."""
    return list(ProblemSet.objects.filter(course=course, items__problem=problem).distinct())


def versions_for(course: Course, problem: Problem) -> list[ProblemVersion]:
    """The versions that answers can be marked by, the newest first: every published one, and those adapted for sets or
    regrades of this course. One query."""
    in_sets = SetItem.objects.filter(problem_set__course=course, version=OuterRef("pk"))
    in_regrades = RegradeEvent.objects.filter(course=course, version=OuterRef("pk"))
    rows = ProblemVersion.objects.filter(problem=problem).defer("source", "report")
    usable = rows.filter(Q(adapted_from=None) | Exists(in_sets) | Exists(in_regrades))
    return list(usable.select_related("adapted_from").defer("adapted_from__source").order_by("-number"))


def moves_of(event: RegradeEvent, show: Show = "all") -> QuerySet[RegradeMove]:
    """Places of attempts that a regrade touches, the largest move first, to be paged. No query."""
    rows = RegradeMove.objects.filter(event=event).order_by("-size", "pk")
    wanted = {"raised": True, "lowered": False, "same": None}
    if show in wanted:
        rows = rows.filter(is_raised=wanted[show])
    return rows.select_related("attempt_item__attempt__problem_set", "attempt_item__attempt__learner")


def move_counts(event: RegradeEvent) -> Moves:
    """How many move which way. Two queries."""
    rows = RegradeMove.objects.filter(event=event)
    found = rows.aggregate(
        raised=Count("pk", filter=Q(is_raised=True)),
        lowered=Count("pk", filter=Q(is_raised=False)),
        same=Count("pk", filter=Q(is_raised=None)),
    )
    return Moves(**found, kept=kept_by(event).count())


def kept_by(event: RegradeEvent) -> QuerySet[RegradeChange]:
    """The answers that keep the verdict they have, since the new one would be lower; to be paged. No query."""
    rows = RegradeChange.objects.filter(event=event, is_kept=True).order_by("submission")
    return rows.select_related(
        "before", "submission__author", "submission__variant__attempt_item__attempt__problem_set"
    )


def why_moved(event: RegradeEvent, places: Collection[int]) -> dict[int, list[Why]]:
    """Why these places of attempts move: the answers there that are judged otherwise, at most ``MOST_TOLD`` each. One
    query."""
    place = "submission__variant__attempt_item"
    rows = RegradeChange.objects.filter(event=event, is_kept=False, **{f"{place}__in": list(places)})
    found: dict[int, list[Why]] = defaultdict(list)
    order = steps_of(event.version)
    for change in rows.select_related("before", "submission__variant").order_by("submission"):
        told = found[change.submission.variant.attempt_item_id or 0]
        if len(told) < MOST_TOLD:
            told.append(why(change, order))
    return found


def why(change: RegradeChange, order: Sequence[str] = ()) -> Why:
    """What makes the difference in one answer, loaded with the verdict before. No query."""
    before, after = change.before.judged, Verdict.from_json(change.after)
    return Why(change, before.score, after.score, differences(before, after, order))


def differences(before: Verdict, after: Verdict, order: Sequence[str] = ()) -> tuple[StepChange, ...]:
    """The steps that two verdicts judge otherwise, in an order that is given: verdicts from the database have none. No
    query."""
    names = {mark.step: None for mark in (*after.marks, *before.marks)}
    ordered = [name for name in order if name in names] + [name for name in names if name not in order]
    pairs = ((name, before.mark_of(name), after.mark_of(name)) for name in ordered)
    return tuple(StepChange(name, was, now) for name, was, now in pairs if was != now)


def steps_of(version: ProblemVersion) -> list[str]:
    """The steps of a version in their order; none where it can no longer be read. No query."""
    try:
        return [step.name for step in loaded(version).steps]
    except ProblemBroken:
        return []


def names_in(course: Course, users: Iterable[int]) -> dict[int, str]:
    """What these people are called on the roster of a course, those who have a name there. One query."""
    rows = Enrolment.objects.filter(course=course, user__in=set(users)).exclude(name="")
    return dict(rows.values_list("user_id", "name"))
