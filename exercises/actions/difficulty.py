"""How hard the items have proved to be: a fold over what learners showed when they first met them."""

from django.db import transaction

from exercises.loading import loaded
from exercises.mastery.difficulty import author_difficulty, foreseen, moved, recentred
from exercises.models import Evidence, ItemDifficulty, Problem
from exercises.refusals import ProblemBroken
from exercises.stored import that_count

#: (problem, step)
Item = tuple[int, str]
CHUNK = 2000
COLUMNS = ("problem_id", "step", "skill", "e", "predicted", "b", "g")


def fold_difficulties() -> int:
    """Make the table of difficulties anew; how many items it holds. Memory is that of the items, not of the evidence.

    Each item starts from its author's word, and is moved by every first, unaided meeting at full weight in the order in
    which they were written, against what is foreseen of that learner at the difficulty it has reached by then: answers
    that are as foreseen move nothing, however many they are. In the end each skill has a mean of 0. It is folded from
    the beginning each time, so a regrade is taken into account, no run can be missed or counted twice, and it makes
    next to no difference in which nights the rows came; evidence keeps the difficulty it was weighed by. Five queries,
    however many items.
    """
    with transaction.atomic():
        values, skill_of = _starts()
        rows = Evidence.objects.filter(is_first=True, w=1, hints=0, tries__gte=1)
        met = that_count(rows).order_by("pk").values_list(*COLUMNS)
        for problem, step, skill, e, predicted, then, g in met.iterator(chunk_size=CHUNK):
            item = problem, step
            if skill_of.get(item) == skill:
                b, n = values[item]
                values[item] = moved(b, n, e=e, predicted=foreseen(predicted, then=then, now=b, g=g))
        centred = recentred({item: b for item, (b, _) in values.items()}, skill_of)
        ItemDifficulty.objects.bulk_create(
            (
                ItemDifficulty(problem_id=problem, step=step, b=centred[problem, step], n=values[problem, step][1])
                for problem, step in sorted(values)
            ),
            update_conflicts=True,
            unique_fields=["problem", "step"],
            update_fields=["b", "n"],
        )
    return len(values)


def _starts() -> tuple[dict[Item, tuple[float, int]], dict[Item, str]]:
    """Every item that can be drawn, with its author's difficulty and no rows behind it, and its skill. One query."""
    values: dict[Item, tuple[float, int]] = {}
    skill_of: dict[Item, str] = {}
    for row in Problem.objects.filter(retired=False, current__isnull=False).select_related("current"):
        if row.current is None:
            continue
        try:
            problem = loaded(row.current)
        except ProblemBroken:
            continue
        for step in problem.asked:
            if step.skill is not None:
                values[row.pk, step.name] = author_difficulty(problem.level), 0
                skill_of[row.pk, step.name] = step.skill
    return values, skill_of
