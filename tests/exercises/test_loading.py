"""A stored problem that can no longer be read: a sentence for whoever asks, and a line for those who teach."""

import logging

import pytest

from exercises import access, queries
from exercises.actions import draw_variant, send_answer, take_hint
from exercises.models import Problem, ProblemVersion, User, Variant
from exercises.refusals import ProblemBroken

pytestmark = pytest.mark.usefixtures("servers")


@pytest.fixture
def broken(variant: Variant) -> Variant:
    """A variant of a version whose text this grader refuses."""
    ProblemVersion.objects.update(source="title: [")
    return Variant.objects.get()


def test_whatever_needs_the_problem_is_refused_in_words(bob: User, broken: Variant) -> None:
    for attempt in (
        lambda: queries.shown(broken),
        lambda: take_hint(variant=broken, step="p"),
        lambda: send_answer(learner=bob, variant=broken, answers={"p": "1"}),
        lambda: draw_variant(learner=bob, slug="masked", after=broken),
    ):
        with pytest.raises(ProblemBroken, match="Go on with another problem"):
            attempt()


def test_what_was_drawn_may_no_longer_fit_either(variant: Variant, caplog: pytest.LogCaptureFixture) -> None:
    variant.parameters = {"words": "mat"}
    with caplog.at_level(logging.ERROR), pytest.raises(ProblemBroken):
        queries.shown(variant)
    assert str(variant.public_id) in caplog.text


def test_those_who_teach_see_which_problem_and_why(alice: User, broken: Variant) -> None:
    [(problem, fault)] = queries.broken_problems(access.problems_whose_faults(alice))
    assert problem == broken.problem
    assert "line" in fault


def test_a_fault_quotes_the_text_so_it_is_told_to_who_may_read_that(alice: User, broken: Variant) -> None:
    erin = User.objects.create_user("erin", is_instructor=True)
    operator = User.objects.create_user("olga", is_staff=True)
    for is_shared, told in ((False, [erin, operator]), (True, [erin, operator, alice])):
        Problem.objects.filter(pk=broken.problem_id).update(owner=erin, is_shared=is_shared)
        for user in (alice, erin, operator):
            found = queries.broken_problems(access.problems_whose_faults(user))
            assert [problem for problem, _ in found] == ([broken.problem] if user in told else []), (user, is_shared)
