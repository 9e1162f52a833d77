"""A variant that was withdrawn is drawn for nobody; who was given it keeps it."""

import pytest

from exercises.actions.authoring import AuthoringRefused, restore_variant, withdraw_variant
from exercises.actions.draw import digest_of, fresh_variant
from exercises.models import AuditEntry, Course, Problem, User, WithdrawnVariant
from exercises.queries.authoring import withdrawn_of
from grader.problem import load
from grader.sampling import draw
from tests.exercises.authoring.world import SMALL, current_of, published

pytestmark = pytest.mark.usefixtures("quick_gate")


def _drawn(seed: int) -> dict[str, object]:
    return draw(load(SMALL), seed)


def test_a_withdrawn_seed_is_drawn_for_nobody_until_it_is_restored(alice: User, bob: User) -> None:
    problem = published(alice)
    row = withdraw_variant(author=alice, problem=problem, reason="Its numbers confuse.", seed=5)
    assert (row.parameters, row.digest, row.course) == (_drawn(5), digest_of(_drawn(5)), None)
    assert fresh_variant(learner=bob, version=current_of(problem), seed=5).parameters != _drawn(5)
    restore_variant(author=alice, problem=problem, digest=row.digest)
    assert fresh_variant(learner=bob, version=current_of(problem), seed=5).parameters == _drawn(5)
    with pytest.raises(AuthoringRefused, match="not withdrawn"):
        restore_variant(author=alice, problem=problem, digest=row.digest)


def test_a_variant_of_somebodys_is_withdrawn_and_stays_theirs(alice: User, bob: User) -> None:
    problem = published(alice)
    variant = fresh_variant(learner=bob, version=current_of(problem), seed=3)
    variant.save()
    first = withdraw_variant(author=alice, problem=problem, reason="Unfair.", variant=variant)
    again = withdraw_variant(author=alice, problem=problem, reason="Once more.", seed=3)
    assert (again.pk, again.reason) == (first.pk, "Unfair.")
    variant.refresh_from_db()
    assert variant.parameters == _drawn(3)
    assert withdrawn_of(problem) == [first]


def test_of_a_problem_that_is_not_ones_own_a_course_withdraws_for_itself(
    alice: User, bob: User, course: Course, elsewhere: Course, problem: Problem
) -> None:
    version = current_of(problem)
    variant = fresh_variant(learner=bob, version=version, seed=3)
    with pytest.raises(AuthoringRefused, match="in a course of yours"):
        withdraw_variant(author=alice, problem=problem, reason="Unfair.", variant=variant)
    row = withdraw_variant(author=alice, problem=problem, reason="Unfair.", variant=variant, course=course)
    assert row.course == course
    shown = [fresh_variant(learner=bob, version=version, seed=3, course=place) for place in (course, elsewhere, None)]
    assert [one.digest == variant.digest for one in shown] == [False, True, True]
    assert withdrawn_of(problem) == []
    entry = AuditEntry.objects.get()
    assert (entry.course, entry.deed, entry.actor, entry.reason) == (course, "withdraw-variant", alice, "Unfair.")
    restore_variant(author=alice, problem=problem, digest=row.digest, course=course)
    assert not WithdrawnVariant.objects.exists()
    assert AuditEntry.objects.count() == 2


def test_staff_withdraw_a_built_in_variant_for_everybody(alice: User, problem: Problem) -> None:
    alice.is_staff = True
    alice.save()
    assert withdraw_variant(author=alice, problem=problem, reason="Unfair.", seed=1).course is None


def test_what_cannot_be_withdrawn_is_refused(alice: User, bob: User, problem: Problem) -> None:
    own = published(alice)
    other = fresh_variant(learner=bob, version=current_of(problem))
    for said, says in (
        ({"seed": 1, "reason": " "}, "why it is withdrawn"),
        ({"seed": 1, "reason": "x" * 501}, "why it is withdrawn"),
        ({"seed": -1, "reason": "Why."}, "whole number"),
        ({"seed": 2**63, "reason": "Why."}, "whole number"),
        ({"reason": "Why."}, "whole number"),
        ({"variant": other, "reason": "Why."}, "another problem"),
    ):
        with pytest.raises(AuthoringRefused, match=says):
            withdraw_variant(author=alice, problem=own, **said)  # type: ignore[arg-type]
    assert not WithdrawnVariant.objects.exists()
