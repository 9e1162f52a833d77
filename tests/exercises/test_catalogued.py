"""The short way in which worlds get their problems leaves the tables as the product does."""

import pytest

from exercises.actions import sync_catalogue
from exercises.models import Problem, ProblemVersion
from tests.exercises.catalogued import Row, catalogued, kept
from tests.exercises.sitting.world import COUNTS
from tests.exercises.world import MASKED

pytestmark = pytest.mark.django_db
TEXTS = {"masked": MASKED, "counts": COUNTS}


def _stored() -> list[tuple[Row, Row]]:
    found = [(kept(problem), kept(problem.versions.get())) for problem in Problem.objects.order_by("slug")]
    assert all(problem.current == problem.versions.get() for problem in Problem.objects.all())
    return found


def _emptied() -> None:
    Problem.objects.update(current=None)
    ProblemVersion.objects.all().delete()
    Problem.objects.all().delete()


def test_both_ways_leave_the_same_rows() -> None:
    assert not sync_catalogue(list(TEXTS), TEXTS.__getitem__).faults
    brought = _stored()
    assert len(brought) == len(TEXTS)
    for _ in range(2):  # the first may still go the long way
        _emptied()
        assert [problem.slug for problem in catalogued(TEXTS)] == list(TEXTS)
        assert _stored() == brought


def test_what_stands_there_already_gets_its_next_version() -> None:
    catalogued(TEXTS)
    (changed,) = catalogued({"masked": MASKED.replace("Add them up.", "Add up the three.")})
    assert changed.current is not None
    assert changed.current.number == 2
    assert Problem.objects.get(slug="counts").retired
