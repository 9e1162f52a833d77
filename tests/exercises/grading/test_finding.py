"""What is decided about is found within its own set alone."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import Http404

from exercises import access
from exercises.models import Course, Override, Problem, ProblemSet, Ruling, SetItem, User
from tests.exercises.courses.world import problem_set

pytestmark = pytest.mark.usefixtures("servers")


def test_what_is_in_another_set_reads_as_what_is_nowhere(
    course: Course, quiz: ProblemSet, problem: Problem, bob: User
) -> None:
    elsewhere = problem_set(course, "quiz", problem)
    item = SetItem.objects.get(problem_set=elsewhere)
    ruling = Ruling.objects.create(problem_set=elsewhere, item=item, kind=Ruling.Kind.DISCOUNT, step="p", reason="Why")
    override = Override.objects.create(problem_set=elsewhere, learner=bob, score="1", reason="Why")
    found: dict[Callable[[ProblemSet, int], Any], int] = {
        access.item_in: item.pk, access.ruling_in: ruling.pk, access.override_in: override.pk,
    }  # fmt: skip
    for find, pk in found.items():
        assert find(elsewhere, pk).pk == pk
        for unknown in (pk, 0):
            with pytest.raises(Http404, match=r"^There is no such page\.$"):
                find(quiz, unknown)
