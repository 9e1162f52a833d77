"""Waiting a moment for a verdict: never in vain for long, never by all threads."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from django.db import connection
from pytest_django import Settings

from exercises import channel
from exercises.actions import send_answer
from exercises.models import Submission, User, Variant
from exercises.queries import verdict_within
from exercises.queries.waiting import PATIENCE, PAUSE, Turnstile
from exercises.tasks import grade_pending
from tests.exercises.world import c1

pytestmark = pytest.mark.usefixtures("servers", "published")


class Clock:
    """Stands still until it is put forward."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def turnstile(clock: Clock) -> Turnstile:
    """A fresh one for each test, with two places."""
    return Turnstile(2, clock=clock)


def pending(bob: User, variant: Variant) -> Submission:
    submission = send_answer(learner=bob, variant=variant, answers={"p": "0.665"}, checked=["p"]).submission
    assert submission is not None
    return submission


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("problem")
def test_a_verdict_is_there_as_soon_as_it_is_recorded(bob: User, turnstile: Turnstile) -> None:
    submission = pending(bob, c1(bob))

    def work() -> None:
        time.sleep(0.3)
        grade_pending()
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    began = time.monotonic()
    verdict = verdict_within(submission, 5, at=turnstile)
    took = time.monotonic() - began
    worker.join()
    assert verdict is not None
    assert verdict.score == 1
    assert submission.state == "graded"
    assert 0.2 < took < 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("problem")
def test_what_was_graded_before_anybody_listened_is_found_at_once(bob: User, turnstile: Turnstile) -> None:
    submission = pending(bob, c1(bob))
    grade_pending()
    assert submission.state == "pending"  # as this request knows it
    began = time.monotonic()
    assert verdict_within(submission, 5, at=turnstile) is not None
    assert time.monotonic() - began < 4  # and not the five seconds of a wait


def test_a_wait_ends_in_time_without_a_worker(bob: User, variant: Variant, turnstile: Turnstile) -> None:
    began = time.monotonic()
    assert verdict_within(pending(bob, variant), 0.2, at=turnstile) is None
    assert 0.2 <= time.monotonic() - began < 4


def test_what_cannot_be_marked_is_told_without_waiting(bob: User, variant: Variant, turnstile: Turnstile) -> None:
    submission = pending(bob, variant)
    Submission.objects.update(state="ungradable", claimed_until=None)
    began = time.monotonic()
    assert verdict_within(submission, 5, at=turnstile) is None
    assert time.monotonic() - began < 4  # and not the five seconds of a wait
    assert submission.state == "ungradable"


def test_after_waits_that_ran_out_nobody_waits_for_a_while(
    bob: User, variant: Variant, turnstile: Turnstile, clock: Clock
) -> None:
    submission = pending(bob, variant)
    for _ in range(PATIENCE):
        assert verdict_within(submission, 0.01, at=turnstile) is None
    clock.now += PAUSE - 0.1
    with turnstile.turn() as may_wait:
        assert not may_wait
    clock.now += 0.2
    with turnstile.turn() as may_wait:
        assert may_wait


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
def deaf(settings: Settings) -> Iterator[None]:
    """The address of the Redis is one where nobody answers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings.REDIS_URL = f"redis://127.0.0.1:{taken.getsockname()[1]}/0"
        channel._redis.cache_clear()
        yield
    channel._redis.cache_clear()


@pytest.mark.usefixtures("deaf")
def test_without_redis_nobody_waits_and_verdicts_are_still_recorded(
    bob: User, variant: Variant, turnstile: Turnstile
) -> None:
    submission = pending(bob, variant)
    assert verdict_within(submission, 2, at=turnstile) is None
    assert grade_pending() == 1
    channel.announce([submission.public_id])
    assert verdict_within(submission, 2, at=turnstile) is not None
