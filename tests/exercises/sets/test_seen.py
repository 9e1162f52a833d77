"""Between a look and a write somebody may write: then the second writes nothing over."""

from decimal import Decimal

import pytest

from exercises.actions.authoring import change_problem
from exercises.actions.sets.editing import edit_set, retire_set
from exercises.actions.sets.extensions import withdraw_extension
from exercises.actions.sets.items import put_back_item, take_out_item
from exercises.actions.sets.pools import drop_pool, keep_pool
from exercises.actions.sets.refusals import SetChanged
from exercises.actions.unchanged import ChangedMeanwhile
from exercises.models import Course, Extension, Pool, Problem, ProblemSet, SetItem, User
from exercises.set_rows import details_of, state_of, state_of_extension, state_of_pool
from tests.exercises.courses.world import problem_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def quiz(course: Course, problem: Problem) -> ProblemSet:
    return problem_set(course, ProblemSet.Mode.QUIZ, problem)


def test_a_set_that_was_changed_meanwhile_stays(quiz: ProblemSet, alice: User) -> None:
    edit_set(actor=alice, problem_set=quiz, revision=None, details=details_of(quiz))
    with pytest.raises(SetChanged):
        retire_set(actor=alice, problem_set=quiz, revision=0)
    assert not ProblemSet.objects.get().retired
    retire_set(actor=alice, problem_set=quiz, revision=1)
    assert ProblemSet.objects.get().retired


def test_an_item_that_was_changed_meanwhile_stays(quiz: ProblemSet, alice: User) -> None:
    item = quiz.items.get()
    seen = state_of(item)
    SetItem.objects.update(weight=Decimal(3))
    with pytest.raises(SetChanged):
        take_out_item(actor=alice, item=item, seen=seen)
    assert not quiz.items.get().retired
    take_out_item(actor=alice, item=item, seen=state_of(quiz.items.get()))
    with pytest.raises(SetChanged):
        put_back_item(actor=alice, item=item, seen=seen)
    assert quiz.items.get().retired


def test_a_pool_that_was_changed_meanwhile_stays(quiz: ProblemSet, alice: User) -> None:
    pool = keep_pool(actor=alice, problem_set=quiz, name="Pool", choose=1, weight=Decimal(1))
    seen = state_of_pool(pool)
    Pool.objects.update(choose=2)
    with pytest.raises(SetChanged):
        keep_pool(actor=alice, problem_set=quiz, name="Other", choose=1, weight=Decimal(1), pool=pool, seen=seen)
    with pytest.raises(SetChanged):
        drop_pool(actor=alice, pool=pool, seen=seen)
    assert [(row.name, row.choose) for row in quiz.pools.all()] == [("Pool", 2)]
    drop_pool(actor=alice, pool=pool, seen=state_of_pool(quiz.pools.get()))
    drop_pool(actor=alice, pool=pool)  # gone already
    assert not quiz.pools.exists()


def test_an_extension_that_was_changed_meanwhile_stays(quiz: ProblemSet, alice: User, bob: User) -> None:
    given = Extension.objects.create(problem_set=quiz, learner=bob, attempts=1, reason="ill")
    seen = state_of_extension(given)
    Extension.objects.update(attempts=2)
    with pytest.raises(SetChanged):
        withdraw_extension(actor=alice, extension=given, seen=seen)
    assert Extension.objects.get().attempts == 2


def test_a_problem_that_was_changed_meanwhile_stays(problem: Problem, alice: User) -> None:
    Problem.objects.update(owner=alice)
    seen = Problem.objects.get().updated_at
    changed = change_problem(author=alice, problem=problem, licence="CC BY 4.0", is_shared=True, seen=seen)
    assert (changed.licence, changed.is_shared) == ("CC BY 4.0", True)
    with pytest.raises(ChangedMeanwhile):
        change_problem(author=alice, problem=problem, is_retired=True, seen=seen)
    assert not Problem.objects.get().retired
