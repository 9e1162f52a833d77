"""What there is to practise, and how far a learner is with it."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from django.db.models import OuterRef, Subquery

from exercises import catalogue
from exercises.catalogue import Skill
from exercises.loading import asked_in
from exercises.models import Problem, User, Variant
from exercises.queries.marks import Standing, marks_of_all, score_of
from exercises.refusals import ProblemBroken


@dataclass(frozen=True)
class ProblemRow:
    """One problem in a list, with the learner's latest variant of it.

    state   new: never drawn · begun: something is right or was tried · solved: everything is right ·
            shown: the solution was asked for first
    score   of that variant, in [0, 1]
    """

    problem: Problem
    skills: tuple[str, ...]
    state: Literal["new", "begun", "solved", "shown"]
    variant: Variant | None
    variants: int
    score: Fraction
    marks: dict[str, Standing]


def problem_list(learner: User | None) -> list[ProblemRow]:
    """All problems that can be drawn, in the order of the skill map. Three queries; one for nobody in particular."""
    problems = Problem.objects.listed().order_by("position", "slug")
    if learner is None:
        return [_row(problem, None, {}) for problem in problems]
    own = Variant.objects.filter(learner=learner, problem=OuterRef("pk"), attempt_item=None).order_by("-number")
    listed = list(problems.annotate(latest=Subquery(own.values("pk")[:1])))
    variants = Variant.objects.select_related("version").in_bulk([row.latest for row in listed if row.latest])
    marks = _marks(variants.values())
    return [_row(problem, variants.get(problem.latest), marks.get(problem.latest, {})) for problem in listed]


def skill_map(rows: Iterable[ProblemRow]) -> list[tuple[Skill, list[ProblemRow]]]:
    """Every skill in the order of the map, each with the problems that train it."""
    rows = list(rows)
    return [(skill, [row for row in rows if skill.id in row.skills]) for skill in catalogue.skills()]


def _marks(variants: Iterable[Variant]) -> dict[int, dict[str, Standing]]:
    """The standings of the variants whose problem can still be loaded: one that cannot hides no other row."""
    return marks_of_all(variant for variant in variants if _is_loadable(variant))


def _is_loadable(variant: Variant) -> bool:
    try:
        asked_in(variant)
    except ProblemBroken:
        return False
    return True


def _row(problem: Problem, variant: Variant | None, marks: dict[str, Standing]) -> ProblemRow:
    score = score_of(asked_in(variant), marks) if variant and marks else Fraction(0)
    state: Literal["new", "begun", "solved", "shown"] = "begun"
    if variant is None:
        state = "new"
    elif score == 1:
        state = "solved"
    elif variant.is_closed:
        state = "shown"
    # Variants are numbered, so the latest one's number says how many there are.
    drawn = variant.number if variant else 0
    return ProblemRow(problem, tuple(problem.skills), state, variant, drawn, score, marks)
