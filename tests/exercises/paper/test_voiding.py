"""A copy that was entered for the wrong learner is taken back, and nothing that was entered is lost."""

from collections.abc import Iterator

import pytest

from exercises import clock
from exercises.actions.grading import grant_attempt
from exercises.actions.paper import PaperRefused, enter_paper, void_paper
from exercises.actions.sitting.begin import begin_attempt
from exercises.models import (
    Attempt,
    AuditEntry,
    Course,
    Enrolment,
    Evidence,
    Mastery,
    PaperCopy,
    Problem,
    ProblemSet,
    Submission,
    User,
)
from exercises.queries.gradebook import book_rows, sets_of
from exercises.tasks import grade_pending
from tests.exercises.courses.world import NOW, person
from tests.exercises.paper.test_paper import right_answers, scored

pytestmark = pytest.mark.usefixtures("servers", "published")


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with clock.at(NOW):
        yield


@pytest.fixture
def entered(copy: PaperCopy, bob: User, alice: User) -> Attempt:
    """The copy of somebody else, entered for Bob, whose results he knows."""
    ProblemSet.objects.update(feedback="at-once")
    copy.run.problem_set.refresh_from_db()
    attempt = enter_paper(
        copy=copy, learner=bob, answers={place: right_answers(copy, place) for place in (1, 2)}, entered_by=alice
    )
    assert scored(attempt) == 1
    assert Evidence.objects.filter(learner=bob).exclude(reason="void").exists()
    return attempt


def test_it_counts_nowhere_and_its_answers_are_kept(
    entered: Attempt, copy: PaperCopy, course: Course, bob: User, alice: User
) -> None:
    whose = Enrolment.objects.get(course=course, user=bob)
    sets = sets_of(course)
    assert book_rows(sets, [whose])[0].cells[0].score == 1
    for _ in range(2):
        void_paper(copy=copy, actor=alice, reason=" Entered for  Bob by mistake ")
    assert book_rows(sets, [whose])[0].cells[0].score is None
    latest = {row.step: row.reason for row in Evidence.objects.filter(learner=bob).order_by("revision")}
    assert set(latest.values()) <= {"void"}
    assert not Mastery.objects.filter(learner=bob).exists()
    assert Submission.objects.filter(author=bob).count() == 2
    entry = AuditEntry.objects.get(deed="void-paper")
    assert (entry.learner, entry.reason) == (bob, "Entered for Bob by mistake")
    assert entry.before["score"] == "1"
    assert entry.before["answers"]["1"] == right_answers(copy, 1)


def test_the_copy_is_then_entered_for_whoever_wrote_it(
    entered: Attempt, copy: PaperCopy, course: Course, bob: User, alice: User
) -> None:
    dora = person(course, "dora").user
    with pytest.raises(PaperRefused, match="take it back"):
        enter_paper(copy=copy, learner=dora, answers={}, entered_by=alice)
    void_paper(copy=copy, actor=alice, reason="It is Dora's")
    attempt = enter_paper(copy=copy, learner=dora, answers={1: right_answers(copy, 1)}, entered_by=alice)
    assert str(scored(attempt)) == "7/10"
    copy.refresh_from_db()
    assert copy.attempt == attempt


def test_numbers_go_on_where_one_was_taken_back(
    entered: Attempt, copy: PaperCopy, exam: ProblemSet, course: Course, bob: User, alice: User
) -> None:
    """Taken back twice, and with an attempt beside it whose number stays."""
    second = copy.run.copies.select_related("run__problem_set__course").get(number=2)
    other = enter_paper(copy=second, learner=bob, answers={}, entered_by=alice)
    assert (entered.number, other.number) == (1, 2)
    void_paper(copy=copy, actor=alice, reason="Not his")
    again = enter_paper(copy=copy, learner=bob, answers={}, entered_by=alice)
    void_paper(copy=copy, actor=alice, reason="Not his either")
    again.refresh_from_db()
    assert (again.is_preview, again.number) == (True, 2)
    enrolment = Enrolment.objects.get(course=course, user=bob)
    grant_attempt(actor=alice, problem_set=exam, enrolment=enrolment, granted=2, reason="He may try as well")
    with clock.at(NOW):
        assert begin_attempt(learner=bob, problem_set=exam).number == 3


def test_a_verdict_that_comes_later_shows_nothing(copy: PaperCopy, bob: User, alice: User) -> None:
    ProblemSet.objects.update(feedback="at-once")
    copy.run.problem_set.refresh_from_db()
    enter_paper(copy=copy, learner=bob, answers={1: right_answers(copy, 1)}, entered_by=alice)
    void_paper(copy=copy, actor=alice, reason="Not his")
    grade_pending()
    assert Submission.objects.get().state == Submission.State.GRADED
    assert not Evidence.objects.exists()


def test_it_needs_a_reason_and_something_entered(copy: PaperCopy, problem: Problem, bob: User, alice: User) -> None:
    void_paper(copy=copy, actor=alice, reason="There is nothing")
    assert not AuditEntry.objects.filter(deed="void-paper").exists()
    enter_paper(copy=copy, learner=bob, answers={}, entered_by=alice)
    for reason in (" ", "x" * 501):
        with pytest.raises(PaperRefused, match="Say why"):
            void_paper(copy=copy, actor=alice, reason=reason)
    assert Attempt.objects.filter(is_preview=False).count() == 1
