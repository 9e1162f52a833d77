"""Marking again: a new row, the old one kept, and nothing changes without a reason."""

from dataclasses import replace
from fractions import Fraction
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exercises.actions import regrade, requeue, send_answer, sync_catalogue
from exercises.models import Grading, Submission, User, Variant
from exercises.queries import verdict_of
from exercises.tasks import grade_pending
from grader.errors import AnswerError
from grader.marking import Task, mark_batch
from grader.problem import Problem
from grader.verdict import Verdict
from tests.exercises.world import MASKED

pytestmark = pytest.mark.usefixtures("servers", "published")


@pytest.fixture
def submission(bob: User, variant: Variant) -> Submission:
    send_answer(learner=bob, variant=variant, answers={"p": "0.6667"}, checked=["p"])
    grade_pending()
    return Submission.objects.get()


def kinder(problem: Problem, tasks: list[Task]) -> list[Verdict]:
    """A later grader, which gives everybody everything."""
    return [replace(verdict, score=Fraction(1), version="2") for verdict in mark_batch(problem, tasks)]


def test_the_same_grader_changes_nothing(submission: Submission) -> None:
    report = regrade(Submission.objects.all())
    assert (report.looked_at, report.unchanged, report.changed, report.changes) == (1, 1, 0, [])
    assert Grading.objects.count() == 1


def test_another_grader_adds_a_row_and_the_latest_counts(submission: Submission) -> None:
    report = regrade(Submission.objects.all(), mark=kinder)
    assert report.changed == 1
    assert [(change.submission, change.before, change.after) for change in report.changes] == [
        (submission.public_id, 0, 1)
    ]
    assert list(Grading.objects.values_list("reason", "grader_version", "score_numerator")) == [
        ("first", "1", 0),
        ("regrade", "2", 1),
    ]
    verdict = verdict_of(submission)
    assert verdict is not None
    assert verdict.score == 1


def test_a_preview_stores_nothing(submission: Submission) -> None:
    assert regrade(Submission.objects.all(), mark=kinder, is_preview=True).changed == 1
    assert Grading.objects.count() == 1


def test_a_new_grader_that_agrees_is_recorded_but_no_change(submission: Submission) -> None:
    def same(problem: Problem, tasks: list[Task]) -> list[Verdict]:
        return [replace(verdict, version="2") for verdict in mark_batch(problem, tasks)]

    report = regrade(Submission.objects.all(), mark=same)
    assert (report.changed, report.unchanged) == (0, 1)
    assert Grading.objects.filter(reason="regrade", grader_version="2").count() == 1


def test_a_grader_that_contradicts_itself_is_reported_and_not_believed(submission: Submission) -> None:
    def fickle(problem: Problem, tasks: list[Task]) -> list[Verdict]:
        return [replace(verdict, score=Fraction(1, 3)) for verdict in mark_batch(problem, tasks)]

    report = regrade(Submission.objects.all(), mark=fickle)
    assert (report.unexplained, report.changed) == (1, 0)
    assert Grading.objects.count() == 1


def test_a_failure_takes_no_verdict_away(submission: Submission) -> None:
    def failing(problem: Problem, tasks: list[Task]) -> list[Verdict]:
        raise AnswerError("Out of order.")

    report = regrade(Submission.objects.all(), mark=failing)
    assert report.failed == 1
    submission.refresh_from_db()
    assert (submission.state, Grading.objects.count()) == ("graded", 1)


def test_a_newer_verdict_wins_over_a_slow_regrade(submission: Submission) -> None:
    def overtaken(problem: Problem, tasks: list[Task]) -> list[Verdict]:
        regrade(Submission.objects.all(), mark=kinder)
        return [replace(verdict, score=Fraction(1, 2), version="3") for verdict in mark_batch(problem, tasks)]

    regrade(Submission.objects.all(), mark=overtaken)
    assert list(Grading.objects.values_list("grader_version", flat=True)) == ["1", "2"]


def test_a_corrected_problem_is_marked_by_its_new_version(submission: Submission) -> None:
    corrected = MASKED.replace('raw logits."}', 'raw logits.", credit: 1/2}')
    sync_catalogue(["masked"], lambda slug: corrected)
    out = StringIO()
    call_command("regrade", "masked", "--current", "--preview", stdout=out)
    assert f"{submission.public_id}: 0 -> 1/2" in out.getvalue()
    call_command("regrade", "masked", "--current", stdout=StringIO())
    latest = Grading.objects.latest("pk")
    assert (latest.score, latest.version.number) == (Fraction(1, 2), 2)


def test_what_waits_is_left_to_the_queue(bob: User, variant: Variant) -> None:
    send_answer(learner=bob, variant=variant, answers={"p": "0.5"})
    assert regrade(Submission.objects.all()).looked_at == 0


def test_the_ungradable_are_queued_again(submission: Submission, published: list[str]) -> None:
    Grading.objects.all().delete()
    Submission.objects.update(state="ungradable", claimed_until=None, tries=3, failure="why")
    assert requeue(Submission.objects.all()) == 1
    assert grade_pending() == 1
    submission.refresh_from_db()
    assert (submission.state, submission.failure, submission.tries) == ("graded", "", 1)


@pytest.mark.parametrize("arguments", [["nowhere"], ["--current"]])
def test_the_command_says_what_is_missing(db: None, arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("regrade", *arguments, stdout=StringIO())
