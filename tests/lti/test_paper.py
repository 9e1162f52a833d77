"""What a platform is told of a set that was written on paper."""

import pytest

from exercises.actions.paper import enter_paper, print_copies, void_paper
from exercises.models import Context, Course, PaperCopy, User
from tests.exercises.courses.world import problem_set
from tests.exercises.paper.test_paper import right_answers
from tests.exercises.sitting.world import graded, synced
from tests.lti.scoring import column, later, sent
from tests.lti.services import Services

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published", "noon")]


def test_a_copy_that_is_taken_back_takes_its_score_off_the_platform(
    course: Course, served: Context, services: Services, bob: User, alice: User
) -> None:
    quiz = problem_set(course, "quiz", *synced())
    column(served, quiz, services)
    run = print_copies(problem_set=quiz, made_by=alice, copies=1, seed=1)
    copy = PaperCopy.objects.select_related("run__problem_set__course").get(run=run)
    written = {place: right_answers(copy, place) for place in range(1, len(copy.items) + 1)}
    enter_paper(copy=copy, learner=bob, answers=written, entered_by=alice)
    graded()
    sent()
    assert services.results["1", "7"]["resultScore"] == 100
    with later(minutes=5):
        void_paper(copy=copy, actor=alice, reason="Charlie wrote this one")
        sent()
    assert ("1", "7") not in services.results
