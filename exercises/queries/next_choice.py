"""What a learner should do next, and what the chooser has to know for it."""

from collections.abc import Mapping

from exercises import catalogue
from exercises.loading import loaded
from exercises.mastery.choosing import Choice, Item, choose, item_of
from exercises.mastery.levels import Standing
from exercises.models import Evidence, ItemDifficulty, Problem, StudyPlan, User
from exercises.queries.mastery import standings
from exercises.queries.plans import plan_of
from exercises.refusals import ProblemBroken
from exercises.stored import that_count

#: Variants of late that the chooser looks back on, and how many closed steps those have at most.
LATELY, STEPS_LATELY = 10, 120

Recent = list[tuple[str, str]]


def next_choice(
    learner: User, *, held: Mapping[str, Standing] | None = None, plan: StudyPlan | None = None
) -> Choice | None:
    """The exercise that is best for the learner now, with its reason in words; None where all is mastered and nothing
    is due. Six queries; three where their standings ``held`` and their plan were read before."""
    plan = plan or plan_of(learner)
    held = standings([learner])[learner.pk] if held is None else held
    return choose(items(), held, catalogue.skills(), goal=plan.goal or None, recent=worked_on(learner, held))


def items() -> list[Item]:
    """Every problem that can be drawn, in the order of the map, with the difficulties of its steps. Two queries."""
    difficulties: dict[int, dict[str, float]] = {}
    for problem, step, b in ItemDifficulty.objects.values_list("problem_id", "step", "b"):
        difficulties.setdefault(problem, {})[step] = b
    rows = Problem.objects.listed().select_related("current")
    return [
        item
        for row in rows.order_by("position", "slug")
        if (item := _item(row, difficulties.get(row.pk, {}))) is not None and item.steps
    ]


def worked_on(learner: User, held: Mapping[str, Standing]) -> Recent:
    """What the learner worked on of late as (slug, skill), the latest first. One query.

    That goes by when steps closed, not by when rows were written: a regrade writes of what is long past. The skill is
    the one the session named, else the one they hold the least of those the variant showed something of: that is what
    an exercise is for.
    """
    kept = that_count(Evidence.objects.filter(learner=learner)).exclude(reason=Evidence.Reason.VOID)
    rows = kept.order_by("-closed_at", "-pk")[:STEPS_LATELY]
    met: dict[int, tuple[str, str | None, set[str]]] = {}
    for variant, slug, named, skill in rows.values_list(
        "variant_id", "problem__slug", "variant__session_item__skill", "skill"
    ):
        met.setdefault(variant, (slug, named, set()))[2].add(skill)
    return [
        (slug, named or min(shown, key=lambda skill: (held[skill].surplus if skill in held else 0.0, skill)))
        for slug, named, shown in list(met.values())[:LATELY]
    ]


def _item(row: Problem, difficulties: Mapping[str, float]) -> Item | None:
    if row.current is None:
        return None
    try:
        return item_of(row.slug, loaded(row.current), difficulties)
    except ProblemBroken:
        return None
