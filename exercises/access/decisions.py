"""Finding what scores are decided about, within a set that was found already for somebody who may."""

from exercises.access.found import first_or_404
from exercises.models import Override, ProblemSet, Ruling, SetItem


def item_in(problem_set: ProblemSet, pk: int) -> SetItem:
    """An item of a set, also one taken out, with its problem. One query."""
    found = first_or_404(SetItem.objects.select_related("problem").filter(problem_set=problem_set, pk=pk))
    found.problem_set = problem_set
    return found


def ruling_in(problem_set: ProblemSet, pk: int) -> Ruling:
    """A ruling about a set, with item and problem. One query."""
    found = first_or_404(Ruling.objects.select_related("item__problem").filter(problem_set=problem_set, pk=pk))
    found.problem_set = found.item.problem_set = problem_set
    return found


def override_in(problem_set: ProblemSet, pk: int) -> Override:
    """A score set by hand in a set, with learner, item and problem. One query."""
    rows = Override.objects.select_related("item__problem", "learner")
    found = first_or_404(rows.filter(problem_set=problem_set, pk=pk))
    found.problem_set = problem_set
    return found
