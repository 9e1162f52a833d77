"""What may go wrong while a regrade goes on: nothing is lost, written twice or overwritten blindly."""

import datetime as dt
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from exercises.actions import send_answer
from exercises.actions.claim import claim_pending
from exercises.actions.mark import mark_submissions
from exercises.actions.record import record_verdicts
from exercises.actions.regrading import applying, lease, stragglers, undoing, work
from exercises.actions.regrading.deciding import apply_regrade, drop_regrade, make_regrade, undo_regrade
from exercises.actions.regrading.driving import next_batch
from exercises.actions.regrading.fit import Fit
from exercises.actions.regrading.lease import LeaseLost
from exercises.actions.sitting.check import take_attempt_hint
from exercises.models import AuditEntry, Course, Grading, ProblemSet, ProblemVersion, RegradeEvent, Submission, User
from exercises.tasks import sweep_regrades, work_on_regrade
from tests.exercises.courses.world import person
from tests.exercises.regrading.world import RIGHT, answered, done, made, place, publish, verdicts
from tests.exercises.test_at_once import at_once
from tests.exercises.world import MASKED

pytestmark = pytest.mark.usefixtures("servers")
State = RegradeEvent.State
LEARNERS = 5


@pytest.fixture
def handed_in(course: Course, quiz: ProblemSet, published: list[str]) -> list[Submission]:
    """Right answers of five learners that the wrong key marked wrong."""
    people = [person(course, f"learner-{number}").user for number in range(LEARNERS)]
    return [answered(place(learner, quiz), RIGHT) for learner in people]


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of one answer."""
    monkeypatch.setattr(stragglers, "BATCH", 1)


def ready(course: Course, alice: User, *, then: str = "apply") -> RegradeEvent:
    event = made(course, alice, publish(MASKED))
    return apply_regrade(event=event, actor=alice) if then == "apply" else event


def run_out(event: RegradeEvent) -> None:
    RegradeEvent.objects.filter(pk=event.pk).update(leased_until=timezone.now() - dt.timedelta(seconds=1))


def test_slices_go_on_where_the_last_one_ended(
    alice: User, course: Course, handed_in: list[Submission], one_by_one: None
) -> None:
    event = make_regrade(
        course=course, actor=alice, problem=handed_in[0].variant.problem, version=publish(MASKED), problem_set=None,
        reason="The key was wrong.", never_lower=False,
    )  # fmt: skip
    slices = 0
    while work.work_on(event.pk, seconds=0):
        slices += 1
    assert slices > LEARNERS
    event.refresh_from_db()
    assert (event.state, event.done, event.raised) == (State.READY, LEARNERS, LEARNERS)


def test_a_worker_that_is_killed_loses_nothing_and_doubles_nothing(
    alice: User, course: Course, handed_in: list[Submission], one_by_one: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = ready(course, alice)
    calls = []

    def killed(*args: Any, **more: Any) -> None:
        calls.append(args)
        if len(calls) == 3:
            raise OperationalError("the worker is gone")
        keep_up(*args, **more)

    keep_up = applying.keep_up
    monkeypatch.setattr(applying, "keep_up", killed)
    with pytest.raises(OperationalError):
        work.work_on(event.pk)
    assert Grading.objects.filter(event=event).count() == 2
    # Until its lease runs out, nobody else touches it.
    assert work.work_on(event.pk) is False
    assert lease.due() == []
    run_out(event)
    assert lease.due() == [event.pk]
    event = done(event)
    assert (event.state, event.done, event.raised) == (State.APPLIED, LEARNERS, LEARNERS)
    assert all([reason for reason, _, _ in verdicts(one)] == ["first", "regrade"] for one in handed_in)


def test_who_lost_the_lease_writes_nothing(alice: User, course: Course, handed_in: list[Submission]) -> None:
    event = ready(course, alice)
    slow = lease.take(event.pk)
    assert slow is not None
    run_out(event)
    assert lease.take(event.pk) is not None
    with pytest.raises(LeaseLost):
        next_batch(applying.Applying(slow, Fit(slow.version)))
    assert not Grading.objects.filter(event=event).exists()


def test_calling_it_off_stops_the_dry_run(
    alice: User, course: Course, handed_in: list[Submission], one_by_one: None
) -> None:
    event = make_regrade(
        course=course, actor=alice, problem=handed_in[0].variant.problem, version=publish(MASKED), problem_set=None,
        reason="The key was wrong.", never_lower=False,
    )  # fmt: skip
    assert work.work_on(event.pk, seconds=0) is True
    drop_regrade(event=event, actor=alice)
    assert work.work_on(event.pk) is False
    event.refresh_from_db()
    assert (event.state, event.done) == (State.DROPPED, 1)


def test_a_verdict_that_came_in_between_is_marked_against_and_not_overwritten(
    alice: User, course: Course, handed_in: list[Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    event = ready(course, alice)
    looks: list[int] = []

    def overtaken(*args: Any, **known: Any) -> Any:
        found = compared(*args, **known)
        looks.append(len(args[2]))
        if len(looks) == 1:
            other = Grading.objects.get(submission=handed_in[0])
            other.pk, other.reason, other.grader_version = None, Grading.Reason.REGRADE, "2"
            other.save(force_insert=True)
        return found

    compared = applying.compared
    monkeypatch.setattr(applying, "compared", overtaken)
    event = done(event)
    assert looks == [LEARNERS, 1]
    assert (event.done, event.raised, event.skipped) == (LEARNERS, LEARNERS, 0)
    assert [reason for reason, _, _ in verdicts(handed_in[0])] == ["first", "regrade", "regrade"]
    change = event.changes.select_related("before").get(submission=handed_in[0])
    assert change.before.grader_version == "2"


def test_an_error_in_the_middle_takes_no_verdict_away_and_is_tried_again(
    alice: User, course: Course, handed_in: list[Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    event = ready(course, alice)
    with monkeypatch.context() as broken:
        broken.setattr(applying, "keep_up", lambda *args, **more: 1 / 0)
        assert work.work_on(event.pk) is False
    event.refresh_from_db()
    assert event.state == State.APPLYING
    assert "division by zero" in event.failure
    assert event.leased_until is not None
    assert event.leased_until > timezone.now()
    assert all(len(verdicts(one)) == 1 for one in handed_in)
    # Stuck, it can be undone as well; here what was wrong has passed.
    run_out(event)
    assert done(event).state == State.APPLIED
    assert done(undo_regrade(event=event, actor=alice)).state == State.UNDONE


def test_a_version_that_cannot_be_read_fails_the_dry_run_with_its_reason(
    alice: User, course: Course, handed_in: list[Submission]
) -> None:
    version = publish(MASKED)
    ProblemVersion.objects.filter(pk=version.pk).update(source="title: [")
    event = made(course, alice, version)
    assert event.state == State.FAILED
    assert "ProblemBroken" in event.failure
    assert all(len(verdicts(one)) == 1 for one in handed_in)


def test_a_lost_message_is_found_by_the_sweep(
    alice: User, course: Course, handed_in: list[Submission], published: list[str]
) -> None:
    event = ready(course, alice)
    published.clear()
    assert sweep_regrades() == 1
    assert published == ["exercises.tasks.work_on_regrade"]
    assert work_on_regrade(event.pk) is False
    assert sweep_regrades() == 0


@pytest.mark.parametrize("deed", ["apply", "undo"])
def test_an_answer_that_is_being_marked_meanwhile_is_waited_for(
    alice: User, bob: User, course: Course, quiz: ProblemSet, handed_in: list[Submission], deed: str
) -> None:
    variant = place(bob, quiz)
    event = ready(course, alice)
    if deed == "undo":
        done(event)
    variant.refresh_from_db()
    sent = send_answer(learner=bob, variant=variant, answers=RIGHT).submission
    assert sent is not None
    claim = claim_pending()
    if deed == "undo":
        undo_regrade(event=event, actor=alice)
    event = done(event)
    assert event.state == (State.APPLYING if deed == "apply" else State.UNDOING)
    record_verdicts(claim, mark_submissions(claim.submissions))
    run_out(event)
    event = done(event)
    assert event.state == (State.APPLIED if deed == "apply" else State.UNDONE)
    assert event.failed == 0
    expected = (
        [("first", 1, "3/4"), ("regrade", 2, "1")] if deed == "apply" else [("first", 2, "1"), ("undo", 1, "3/4")]
    )
    assert verdicts(sent) == expected


@pytest.mark.parametrize("deed", ["apply", "undo"])
def test_what_was_marked_meanwhile_is_gone_through_in_slices(
    alice: User, course: Course, quiz: ProblemSet, handed_in: list[Submission], one_by_one: None, deed: str
) -> None:
    event = ready(course, alice)
    if deed == "undo":
        event = undo_regrade(event=done(event), actor=alice)
    # They were marked while the slices before went on: too late for these, by the version that no longer counts.
    fresh = [answered(one.variant, {**RIGHT, "loss": "0.5"}) for one in handed_in]
    RegradeEvent.objects.filter(pk=event.pk).update(reached=-1)
    slices = 0
    while work.work_on(event.pk, seconds=0):
        slices += 1
    assert slices > LEARNERS
    event.refresh_from_db()
    assert (event.state, event.reached) == (State.APPLIED if deed == "apply" else State.UNDONE, 0)
    expected = ["first", "regrade"] if deed == "apply" else ["first", "undo"]
    assert all([reason for reason, _, _ in verdicts(one)] == expected for one in fresh)


@pytest.mark.django_db(transaction=True)
def test_deliveries_and_presses_at_once_are_one(
    alice: User, course: Course, handed_in: list[Submission], one_by_one: None
) -> None:
    event = ready(course, alice, then="")

    def press(_: int) -> None:
        try:
            apply_regrade(event=event, actor=alice)
            while work.work_on(event.pk):
                pass
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(press, range(6)))
    run_out(event)
    event = done(event)
    assert (event.state, event.done, event.raised) == (State.APPLIED, LEARNERS, LEARNERS)
    assert all([reason for reason, _, _ in verdicts(one)] == ["first", "regrade"] for one in handed_in)
    assert AuditEntry.objects.filter(deed="regrade-applied").count() == 1


@pytest.mark.parametrize("deed", ["apply", "undo"])
@pytest.mark.django_db(transaction=True)
def test_a_hint_beside_a_regrade_waits_for_it_and_not_in_a_circle(
    alice: User, course: Course, quiz: ProblemSet, handed_in: list[Submission], deed: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The learner takes the attempt and then the variant; so does whoever marks it by another version."""
    quiz.hints = True
    quiz.save()
    variant = handed_in[0].variant
    event = ready(course, alice)
    module: Any = applying
    if deed == "undo":
        event, module = undo_regrade(event=done(event), actor=alice), undoing
    is_marked_by = threading.Event()

    def slowly(*args: Any) -> Any:
        moved = mark_by(*args)
        is_marked_by.set()
        # So that the hint is on its way; on a database without such locks it waits for the whole transaction.
        time.sleep(0.5)
        return moved

    mark_by = module.mark_by
    monkeypatch.setattr(module, "mark_by", slowly)

    def take_hint() -> None:
        is_marked_by.wait(timeout=10)
        spot = variant.attempt_item
        assert spot is not None
        take_attempt_hint(attempt_item=spot, variant_id=str(variant.public_id), step="p", answers={})

    at_once(2, lambda number: take_hint() if number else done(event))
    assert done(event).state == (State.APPLIED if deed == "apply" else State.UNDONE)
    assert variant.hint_uses.count() == 1
