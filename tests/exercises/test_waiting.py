"""Waiting a moment for a verdict: never in vain for long, never by all threads."""

import threading
import time
from collections.abc import Iterator

import pytest
from django.db import connection
from redis import RedisError

from exercises import channel
from exercises.actions import send_answer
from exercises.models import Submission, User, Variant
from exercises.queries import verdict_within, waiting
from exercises.queries.waiting import PATIENCE, Turnstile
from exercises.tasks import grade_pending
from tests.exercises.world import c1

pytestmark = pytest.mark.usefixtures("servers", "published")


@pytest.fixture(autouse=True)
def turnstile(monkeypatch: pytest.MonkeyPatch) -> Turnstile:
    """A fresh one for each test, with two places."""
    fresh = Turnstile(2)
    monkeypatch.setattr(waiting, "turnstile", fresh)
    return fresh


def pending(bob: User, variant: Variant) -> Submission:
    submission = send_answer(learner=bob, variant=variant, answers={"p": "0.665"}, checked=["p"]).submission
    assert submission is not None
    return submission


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("problem")
def test_a_verdict_is_there_as_soon_as_it_is_recorded(bob: User) -> None:
    submission = pending(bob, c1(bob))

    def work() -> None:
        time.sleep(0.3)
        grade_pending()
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    began = time.monotonic()
    verdict = verdict_within(submission, 5)
    took = time.monotonic() - began
    worker.join()
    assert verdict is not None
    assert verdict.score == 1
    assert submission.state == "graded"
    assert 0.2 < took < 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("problem")
def test_what_was_graded_before_anybody_listened_is_found_at_once(bob: User) -> None:
    submission = pending(bob, c1(bob))
    grade_pending()
    assert submission.state == "pending"  # as this request knows it
    began = time.monotonic()
    assert verdict_within(submission, 5) is not None
    assert time.monotonic() - began < 1


def test_a_wait_ends_in_time_without_a_worker(bob: User, variant: Variant) -> None:
    began = time.monotonic()
    assert verdict_within(pending(bob, variant), 0.2) is None
    assert 0.2 <= time.monotonic() - began < 2


def test_what_cannot_be_marked_is_told_without_waiting(bob: User, variant: Variant) -> None:
    submission = pending(bob, variant)
    Submission.objects.update(state="ungradable", claimed_until=None)
    began = time.monotonic()
    assert verdict_within(submission, 5) is None
    assert time.monotonic() - began < 1
    assert submission.state == "ungradable"


def test_after_waits_that_ran_out_nobody_waits_for_a_while(
    bob: User, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = pending(bob, variant)
    for _ in range(PATIENCE):
        assert verdict_within(submission, 0.01) is None
    began = time.monotonic()
    assert verdict_within(submission, 5) is None
    assert time.monotonic() - began < 1
    monkeypatch.setattr(waiting.turnstile, "_closed_until", 0.0)
    grade_pending()
    assert verdict_within(submission, 5) is not None


def test_only_so_many_wait_at_a_time(turnstile: Turnstile) -> None:
    with turnstile.turn() as first, turnstile.turn() as second, turnstile.turn() as third:
        assert (first, second, third) == (True, True, False)
    with turnstile.turn() as again:
        assert again


def test_a_wait_in_time_makes_up_for_those_that_ran_out(turnstile: Turnstile) -> None:
    for _ in range(PATIENCE * 3):
        turnstile.count(is_in_time=False)
        turnstile.count(is_in_time=True)
    with turnstile.turn() as may_wait:
        assert may_wait


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Redis that is down."""

    def refuse() -> None:
        raise RedisError("nobody there")

    monkeypatch.setattr(channel, "_redis", refuse)
    return


@pytest.mark.usefixtures("deaf")
def test_without_redis_nobody_waits_and_verdicts_are_still_recorded(bob: User, variant: Variant) -> None:
    submission = pending(bob, variant)
    assert verdict_within(submission, 2) is None
    assert grade_pending() == 1
    channel.announce([submission.public_id])
    assert verdict_within(submission, 2) is not None
