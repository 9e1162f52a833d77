"""The same dry run asked for twice is one, as long as it still says how things are."""

import pytest

from exercises.actions.regrading.deciding import apply_regrade, drop_regrade, make_regrade
from exercises.models import AuditEntry, Course, ProblemSet, ProblemVersion, RegradeEvent, User
from tests.exercises.courses.world import person
from tests.exercises.regrading.world import MISLED, RIGHT, answered, done, made, place, publish
from tests.exercises.test_at_once import at_once
from tests.exercises.world import MASKED

pytestmark = pytest.mark.usefixtures("servers", "published")


@pytest.fixture
def right(bob: User, quiz: ProblemSet) -> ProblemVersion:
    """The corrected version, after Bob was marked by the wrong one."""
    answered(place(bob, quiz), RIGHT)
    return publish(MASKED)


@pytest.mark.django_db(transaction=True)
def test_a_dry_run_that_is_begun_in_many_tabs_at_once_is_one(
    course: Course, alice: User, right: ProblemVersion
) -> None:
    events = at_once(
        8,
        lambda _: make_regrade(
            course=course, actor=alice, problem=right.problem, version=right, problem_set=None,
            reason="The key was wrong.", never_lower=True,
        ),
    )  # fmt: skip
    assert len({event.pk for event in events}) == 1
    assert RegradeEvent.objects.count() == 1
    assert AuditEntry.objects.filter(deed="regrade-made").count() == 1


def test_one_that_is_done_is_shown_again_until_it_is_called_off(
    course: Course, alice: User, right: ProblemVersion
) -> None:
    first = made(course, alice, right)
    assert made(course, alice, right, reason="  The key was wrong. ").pk == first.pk
    drop_regrade(event=first, actor=alice)
    assert made(course, alice, right).pk != first.pk


@pytest.mark.parametrize("other", ["reason", "never_lower", "problem_set", "digits"])
def test_one_that_is_about_something_else_is_another(
    other: str, course: Course, quiz: ProblemSet, alice: User, right: ProblemVersion
) -> None:
    first = made(course, alice, right)
    more = {"reason": "It was unfair.", "never_lower": True, "problem_set": quiz, "digits": 2}[other]
    assert made(course, alice, right, **{other: more}).pk != first.pk


def test_it_is_made_anew_once_somebody_else_was_marked(
    course: Course, quiz: ProblemSet, alice: User, right: ProblemVersion
) -> None:
    first = made(course, alice, right)
    answered(place(person(course, "dora").user, quiz), MISLED)
    again = made(course, alice, right)
    assert again.pk != first.pk
    assert (first.total, again.total) == (1, 2)


def test_it_is_made_anew_once_another_regrade_was_applied(course: Course, alice: User, right: ProblemVersion) -> None:
    first, other = made(course, alice, right), made(course, alice, right, reason="Once more.")
    done(apply_regrade(event=other, actor=alice))
    again = made(course, alice, right)
    assert (again.pk in (first.pk, other.pk), first.raised, again.raised) == (False, 1, 0)
