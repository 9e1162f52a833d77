"""From the pending row to the verdict: claimed by one, marked in batches, recorded once."""

import datetime as dt
from fractions import Fraction
from typing import Any

import pytest
from billiard.exceptions import SoftTimeLimitExceeded
from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone

from exercises import tasks
from exercises.actions import send_answer
from exercises.actions.claim import MOST_TRIES, Claim, claim_pending, give_up_lost
from exercises.actions.mark import Marked, mark_submissions
from exercises.actions.record import record_verdicts
from exercises.models import Grading, ProblemVersion, Submission, User, Variant
from exercises.queries import verdict_of
from exercises.tasks import grade_pending, sweep_pending
from grader.errors import AnswerError
from grader.marking import Task, mark_batch
from grader.problem import Problem
from grader.verdict import Mark, Verdict
from tests.exercises.world import ALL_RIGHT, MASKED, c1

pytestmark = pytest.mark.usefixtures("servers", "published")


def send(bob: User, variant: Variant, count: int = 1) -> list[Submission]:
    """That many different answers to p."""
    sent = [send_answer(learner=bob, variant=variant, answers={"p": f"0.{k + 100}"}) for k in range(count)]
    return [one.submission for one in sent if one.submission]


def let_leases_end() -> None:
    Submission.objects.filter(claimed_until__isnull=False).update(
        claimed_until=timezone.now() - dt.timedelta(seconds=1)
    )


def test_an_answer_is_marked_by_the_real_grader(bob: User, variant: Variant) -> None:
    send_answer(learner=bob, variant=variant, answers=ALL_RIGHT)
    assert grade_pending() == 1
    submission = Submission.objects.get()
    assert (submission.state, submission.claimed_until, submission.lease_token) == ("graded", None, None)
    assert submission.graded_at is not None
    verdict = verdict_of(submission)
    assert verdict is not None
    assert verdict.score == 1
    assert [mark.outcome for mark in verdict.marks] == ["right"] * 4
    grading = Grading.objects.get()
    assert (grading.score, grading.reason, grading.version) == (1, "first", variant.version)


def test_a_named_mistake_and_what_is_carried_forward(bob: User, variant: Variant) -> None:
    send_answer(learner=bob, variant=variant, answers={"p": "0.6667", "loss": "0.4055"})
    grade_pending()
    verdict = verdict_of(Submission.objects.get())
    assert verdict is not None
    assert [(mark.step, mark.outcome, mark.note) for mark in verdict.marks if mark.outcome != "blank"] == [
        ("p", "mistake", "p.no-exp"),
        ("loss", "carried", ""),
    ]


def test_only_the_checked_steps_are_marked(bob: User, variant: Variant) -> None:
    send_answer(learner=bob, variant=variant, answers={"p": "0.665", "loss": "9", "total": "5(("}, checked=["p"])
    grade_pending()
    verdict = verdict_of(Submission.objects.get())
    assert verdict is not None
    assert [mark.step for mark in verdict.marks] == ["p"]
    assert verdict.score == 1


def test_a_claim_is_nobody_elses(bob: User, variant: Variant) -> None:
    send(bob, variant, 3)
    first = claim_pending(limit=2)
    second = claim_pending()
    assert (len(first.submissions), first.is_full) == (2, True)
    assert (len(second.submissions), second.is_full) == (1, False)
    assert not {row.pk for row in first.submissions} & {row.pk for row in second.submissions}
    assert not claim_pending().submissions


def test_a_lease_that_ran_out_is_taken_by_the_sweep_and_recorded_once(bob: User, variant: Variant) -> None:
    """The slow worker comes back with its verdict after another one has recorded: nothing happens twice."""
    send(bob, variant)
    slow = claim_pending()
    marked = mark_submissions(slow.submissions)
    assert sweep_pending() == 0
    let_leases_end()
    assert sweep_pending() == 1
    assert record_verdicts(slow, marked) == 0
    assert Grading.objects.count() == 1


def test_a_slow_worker_does_not_record_for_the_one_that_has_the_row_now(bob: User, variant: Variant) -> None:
    send(bob, variant)
    slow = claim_pending()
    marked = mark_submissions(slow.submissions)
    let_leases_end()
    quick = claim_pending(tries=1)
    assert record_verdicts(slow, marked) == 0
    assert Submission.objects.get().state == "pending"
    assert record_verdicts(quick, mark_submissions(quick.submissions)) == 1


@pytest.mark.parametrize("minutes", [-5, 5])
def test_a_worker_whose_clock_is_minutes_off_neither_takes_nor_keeps_what_is_not_its_own(
    bob: User, variant: Variant, monkeypatch: pytest.MonkeyPatch, minutes: int
) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("There all workers are on one host, with one clock.")
    real = timezone.now
    send(bob, variant, 2)
    held = claim_pending(limit=1)
    with monkeypatch.context() as wrong:
        wrong.setattr(timezone, "now", lambda: real() + dt.timedelta(minutes=minutes))
        assert claim_pending(tries=1).submissions == ()
        own = claim_pending()
        assert len(own.submissions) == 1
    until = Submission.objects.get(lease_token=own.token).claimed_until
    assert until is not None
    assert dt.timedelta(0) < until - real() < dt.timedelta(minutes=1)
    for claim in (held, own):
        assert record_verdicts(claim, mark_submissions(claim.submissions)) == 1


def test_the_database_refuses_a_second_first_verdict(bob: User, variant: Variant) -> None:
    send(bob, variant)
    grade_pending()
    first = Grading.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Grading.objects.create(
            submission=first.submission,
            verdict=first.verdict,
            score_numerator=0,
            score_denominator=1,
            grader_version="1",
            version=first.version,
            reason="first",
        )


def test_a_wake_up_delivered_twice_grades_once(bob: User, variant: Variant) -> None:
    send(bob, variant, 5)
    assert (grade_pending(), grade_pending()) == (5, 0)
    assert Grading.objects.count() == 5


def test_a_full_claim_wakes_the_next_worker_and_a_short_one_does_not(
    bob: User, variant: Variant, published: list[str]
) -> None:
    send(bob, variant, 3)
    published.clear()
    assert grade_pending(limit=2) == 2
    assert published == ["exercises.tasks.grade_pending"]
    assert grade_pending(limit=2) == 1
    assert len(published) == 1


def test_one_bad_row_spoils_no_other(bob: User, variant: Variant) -> None:
    rows = send(bob, variant, 9)
    calls = []

    def mark(problem: Problem, tasks: list[Task]) -> list[Verdict]:
        calls.append(len(tasks))
        if any(task.answers == {"p": "0.104"} for task in tasks):
            raise AnswerError("This one cannot be marked.")
        return mark_batch(problem, tasks)

    claim = claim_pending()
    marked = mark_submissions(claim.submissions, mark=mark)
    assert [row for row, _ in marked.failures] == [rows[4]]
    assert marked.failures[0][1] == "AnswerError: This one cannot be marked."
    assert len(marked.verdicts) == 8
    assert len(calls) <= 2 * 4 + 1  # halves, not one by one
    assert record_verdicts(claim, marked) == 8
    bad = Submission.objects.get(pk=rows[4].pk)
    assert (bad.state, bad.tries, bad.failure) == ("pending", 1, "AnswerError: This one cannot be marked.")


def valid(score: Any = Fraction(1), credit: Any = Fraction(1), outcome: Any = "right") -> Verdict:
    return Verdict(score=score, marks=(Mark(step="p", outcome=outcome, credit=credit),))


@pytest.mark.parametrize(
    "output",
    [
        "0.5",
        1.2,
        -1,
        float("nan"),
        None,
        {},
        valid(score=Fraction(6, 5)),
        valid(score=Fraction(-1)),
        valid(score=float("nan")),
        valid(score=0.5),
        valid(score=None),
        valid(score=True),
        valid(credit=Fraction(2)),
        valid(outcome="brilliant"),
    ],
    ids=repr,
)
def test_invalid_output_of_a_grader_is_never_stored_and_costs_nothing(bob: User, variant: Variant, output: Any) -> None:
    [row] = send(bob, variant)
    for tries in range(3):
        claim = claim_pending(tries=tries)
        assert [claimed.pk for claimed in claim.submissions] == [row.pk]
        marked = mark_submissions(claim.submissions, mark=lambda problem, tasks: [output for _ in tasks])
        assert not marked.verdicts
        record_verdicts(claim, marked)
        let_leases_end()
    row.refresh_from_db()
    assert (row.state, row.claimed_until) == ("ungradable", None)
    assert row.failure
    assert not Grading.objects.exists()
    # The learner may send the very same answer again.
    assert send_answer(learner=bob, variant=variant, answers=row.answers).kind == "queued"


def test_a_grader_that_returns_too_few_verdicts_is_not_believed(bob: User, variant: Variant) -> None:
    send(bob, variant, 2)
    marked = mark_submissions(claim_pending().submissions, mark=lambda problem, tasks: [])
    assert len(marked.failures) == 2


def test_a_version_that_no_longer_loads_fails_only_its_own_rows(bob: User, variant: Variant) -> None:
    send(bob, variant, 2)
    broken = ProblemVersion.objects.create(problem=variant.problem, number=2, source="title: [", digest="x")
    other = Variant.objects.create(
        learner=bob, problem=variant.problem, version=broken, number=2, seed=1, parameters=variant.parameters
    )
    Submission.objects.create(
        variant=other, author=bob, answers={"p": "1"}, locale="en", idempotency_key="k", fingerprint="f"
    )
    marked = mark_submissions(claim_pending().submissions)
    assert (len(marked.verdicts), len(marked.failures)) == (2, 1)
    assert "line" in marked.failures[0][1]


def test_what_is_marked_when_time_runs_out_is_recorded(bob: User, charlie: User, variant: Variant) -> None:
    """The second problem is too slow: the verdicts on the first are not thrown away with it."""
    other = ProblemVersion.objects.create(problem=variant.problem, number=2, source=MASKED + "\n", digest="x")
    slow = Variant.objects.create(
        learner=charlie, problem=variant.problem, version=other, number=1, seed=1, parameters=variant.parameters
    )
    send(bob, variant, 3)
    send(charlie, slow, 2)
    claim = claim_pending()

    def mark(problem: Problem, tasks: list[Task]) -> list[Verdict]:
        if len(tasks) == 2:
            raise SoftTimeLimitExceeded
        return mark_batch(problem, tasks)

    marked = mark_submissions(claim.submissions, mark=mark)
    assert (len(marked.verdicts), marked.failures, marked.is_cut_short) == (3, [], True)
    assert record_verdicts(claim, marked) == 3
    assert Submission.objects.filter(state="pending", lease_token=claim.token).count() == 2


def test_time_that_runs_out_while_a_problem_is_loaded_is_no_fault_of_the_problem(
    bob: User, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(source: str) -> Problem:
        raise SoftTimeLimitExceeded

    send(bob, variant, 2)
    monkeypatch.setattr("exercises.actions.mark.load", slow)
    with pytest.raises(SoftTimeLimitExceeded):
        grade_pending()
    assert set(Submission.objects.values_list("state", "failure")) == {("pending", "")}


def test_a_row_that_was_not_marked_rests_before_it_is_tried_again(bob: User, variant: Variant) -> None:
    send(bob, variant)
    claim = claim_pending()
    record_verdicts(claim, Marked(failures=[(claim.submissions[0], "Not now.")]))
    assert sweep_pending() == 0
    let_leases_end()
    assert sweep_pending() == 1


def test_a_row_that_kills_its_worker_takes_no_other_along(bob: User, variant: Variant) -> None:
    """Claims that are never recorded stand for workers that die while marking the fifth row."""
    rows = send(bob, variant, 30)
    poison = rows[4].pk

    def work(claim: Claim) -> None:
        if poison not in {row.pk for row in claim.submissions}:
            record_verdicts(claim, mark_submissions(claim.submissions))
        let_leases_end()

    work(claim_pending())
    while (claim := claim_pending(tries=1, limit=20)).submissions:
        work(claim)
    while (claim := claim_pending(tries=2, limit=1)).submissions:
        work(claim)
    assert give_up_lost() == 1
    assert dict(Submission.objects.values_list("pk", "state")) == {
        row.pk: "ungradable" if row.pk == poison else "graded" for row in rows
    }


def test_a_verdict_that_could_not_be_stored_was_no_try(
    bob: User, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> int:
        raise OperationalError("database or disk is full")

    send(bob, variant)
    with monkeypatch.context() as broken:
        broken.setattr(tasks, "record_verdicts", full)
        for _ in range(MOST_TRIES + 1):
            with pytest.raises(OperationalError):
                sweep_pending()
            assert sweep_pending() == 0, "it rests"
            let_leases_end()
    assert sweep_pending() == 1
    assert Grading.objects.count() == 1


def test_the_sweep_takes_what_no_wake_up_led_to(bob: User, variant: Variant, published: list[str]) -> None:
    send(bob, variant, 4)
    published.clear()
    assert sweep_pending() == 4
    assert published == []


@pytest.mark.usefixtures("problem")
@pytest.mark.parametrize(("learners", "answers"), [(1, ["0.665"]), (15, ["0.1", "0.665"])])
def test_a_literal_number_of_queries(learners: int, answers: list[str], django_assert_num_queries: Any) -> None:
    for number in range(learners):
        learner = User.objects.create(username=f"learner-{number}")
        variant = c1(learner)
        for p in answers:
            send_answer(learner=learner, variant=variant, answers={"p": p})
    # Two savepoints of the test's transaction (4); claim: update, select; record: lock, gradings, states. Evidence:
    # lock the learners; read variants, verdicts, hints, evidence, mastery, difficulties; write evidence, mastery.
    with django_assert_num_queries(18):
        assert grade_pending() == learners * len(answers)
