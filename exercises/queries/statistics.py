"""How a class does: its skills and mistakes, and the items of its sets, as they were worked out last."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Min, Q

from exercises.courses.class_tally import STUCK
from exercises.mastery.levels import Standing
from exercises.models import (
    Course,
    Enrolment,
    Figures,
    Mastery,
    ProblemSet,
    Ruling,
    SetItem,
    Variant,
    WithdrawnVariant,
)
from exercises.queries.mastery import standings
from exercises.queries.people import by_name, learners_in, searched

LEARNERS_A_PAGE = 40
MOST_STUCK = 40


@dataclass(frozen=True)
class HeatRow:
    """One learner of the heat map: where they stand at every skill."""

    enrolment: Enrolment
    standings: Mapping[str, Standing]


@dataclass(frozen=True)
class Stuck:
    """Somebody who failed again and again at one skill."""

    enrolment: Enrolment
    skill: str
    failures: int


@dataclass(frozen=True)
class ItemView:
    """One item of a set with its figures, and which of its variants were dealt with."""

    item: SetItem
    report: Mapping[str, Any] | None
    variants: list["VariantRow"]


@dataclass(frozen=True)
class VariantRow:
    """One variant that is not fair, as far as can be told; ``variant`` is one of those who had it."""

    digest: str
    learners: int
    effect: float
    deviation: float
    grade: str
    variant: Variant | None
    is_withdrawn: bool
    is_compensated: bool


def figures_of(course: Course, problem_set: ProblemSet | None = None) -> Figures | None:
    """The figures of a set, or of a whole course, with how far they are; None before the first. One query."""
    kind = Figures.Kind.ITEMS if problem_set else Figures.Kind.CLASS
    return Figures.objects.filter(course=course, problem_set=problem_set, kind=kind).defer("work").first()


def heat_map(
    course: Course, *, text: str = "", group: int | None = None, page: int = 1
) -> tuple[Page[Any], list[HeatRow]]:
    """Some learners of a course by name, with where they stand. Four queries."""
    rows = searched(learners_in(course), text)
    if group is not None:
        rows = rows.filter(groups=group)
    found = Paginator(by_name(rows).select_related("user"), LEARNERS_A_PAGE).get_page(page)
    members = list(found)
    held = standings(member.user for member in members)
    return found, [HeatRow(member, held[member.user_id]) for member in members]


def everybody(course: Course) -> list[HeatRow]:
    """The whole heat map, for a file. Three queries."""
    members = list(by_name(learners_in(course)).select_related("user"))
    held = standings(member.user for member in members)
    return [HeatRow(member, held[member.user_id]) for member in members]


def stuck_in(course: Course) -> list[Stuck]:
    """Who failed again and again at a skill, the latest first. Two queries."""
    rows = Mastery.objects.filter(learner__in=learners_in(course).values("user"), failures__gte=STUCK)
    found = list(rows.order_by("-last_at").values_list("learner_id", "skill", "failures")[:MOST_STUCK])
    # Of a thousand only those are read who are told of.
    stuck = learners_in(course).filter(user__in={learner for learner, *_ in found}).select_related("user")
    members = {row.user_id: row for row in stuck}
    return [Stuck(members[learner], skill, failures) for learner, skill, failures in found if learner in members]


def item_views(problem_set: ProblemSet, figures: Figures | None) -> list[ItemView]:
    """The items of a set, in order, also those that were taken out but sat. Four queries, however many."""
    reports: Mapping[str, Any] = figures.figures.get("items", {}) if figures else {}
    rows = SetItem.objects.filter(problem_set=problem_set).select_related("problem__current", "pool")
    items = [item for item in rows.order_by("position") if not item.retired or str(item.pk) in reports]
    unfair = {item.pk: _unfair(reports.get(str(item.pk), {})) for item in items}
    dealt_with = _Dealt(problem_set, items, {digest for found in unfair.values() for digest in found})
    return [
        ItemView(
            item,
            reports.get(str(item.pk)),
            [dealt_with.row(item, digest, one) for digest, one in unfair[item.pk].items()],
        )
        for item in items
    ]


def _unfair(report: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The variants that are not fair by a report, those that stand out most first."""
    found = [(digest, one) for digest, one in report.get("variants", {}).items() if one["grade"] != "A"]
    return dict(sorted(found, key=lambda pair: -abs(pair[1]["deviation"])))


class _Dealt:
    """What became of variants that are not fair: shown by one of those who had it, withdrawn, compensated."""

    def __init__(self, problem_set: ProblemSet, items: Iterable[SetItem], digests: Collection[str]) -> None:
        """Three queries, none where there are no such variants."""
        had = Variant.objects.filter(attempt_item__attempt__problem_set=problem_set, digest__in=digests).order_by()
        # One of those who had it stands for all: of a class that shares its numbers there may be a thousand.
        one_each = had.values("problem_id", "digest").annotate(one=Min("pk")).values("one")
        self.shown = {(one.problem_id, one.digest): one for one in Variant.objects.filter(pk__in=one_each)}
        here = Q(course=None) | Q(course=problem_set.course_id)
        withdrawn = WithdrawnVariant.objects.filter(
            here, problem__in=[item.problem_id for item in items], digest__in=digests
        )
        self.withdrawn = set(withdrawn.values_list("problem_id", "digest"))
        compensated = Ruling.objects.filter(
            problem_set=problem_set, kind=Ruling.Kind.COMPENSATE, withdrawn_at=None, digest__in=digests
        )
        self.compensated = set(compensated.values_list("item_id", "digest"))

    def row(self, item: SetItem, digest: str, found: Mapping[str, Any]) -> VariantRow:
        """One of them as it is shown. No query."""
        return VariantRow(
            digest=digest,
            learners=found["learners"],
            effect=found["effect"],
            deviation=found["deviation"],
            grade=found["grade"],
            variant=self.shown.get((item.problem_id, digest)),
            is_withdrawn=(item.problem_id, digest) in self.withdrawn,
            is_compensated=(item.pk, digest) in self.compensated,
        )


def variant_had(problem_set: ProblemSet, item: SetItem, digest: str) -> Variant | None:
    """A variant of an item with these parameters that somebody had in the set. One query."""
    had = Variant.objects.filter(attempt_item__item=item, attempt_item__attempt__problem_set=problem_set)
    return had.filter(digest=digest[:64]).first()
