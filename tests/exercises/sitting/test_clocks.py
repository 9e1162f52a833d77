"""Hosts whose clocks are minutes off: times go by the one of the database."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.utils import timezone

from exercises import clock, pulse
from exercises.actions.due import take_first
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.hand_in import hand_in_overdue
from exercises.models import Attempt, Course, Delivery, Event, ProblemSet, User, Webhook
from tests.exercises.sitting.world import NOW, fixed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published")]
MINUTE = dt.timedelta(minutes=1)


@contextmanager
def off(by: dt.timedelta, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that has just been started, on a host whose clock is off by so much."""
    if connection.vendor == "sqlite":
        pytest.skip("There all workers are on one host, with one clock.")
    real = timezone.now
    with monkeypatch.context() as wrong:
        wrong.setattr(clock, "_behind", dt.timedelta(0))
        wrong.setattr(timezone, "now", lambda: real() + by)
        own = connection.copy()
        own.connect()
        try:
            yield
        finally:
            own.close()


@pytest.mark.parametrize("minutes", [-10, 10])
def test_times_go_by_the_clock_of_the_database(
    minutes: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = timezone.now
    with off(minutes * MINUTE, monkeypatch):
        assert abs(clock.now() - real()) < MINUTE
        with clock.at(NOW):
            assert clock.now() == NOW
    assert f"{60 * minutes:+} s" in caplog.text


def test_a_clock_that_is_right_is_left_alone(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    with off(dt.timedelta(0), monkeypatch):
        assert clock._behind == dt.timedelta(0)
    assert caplog.text == ""


@pytest.mark.parametrize("minutes", [-10, 10])
def test_a_worker_whose_clock_is_off_ends_no_exam_but_the_one_whose_time_is_up(
    exam: ProblemSet, bob: User, alice: User, minutes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with clock.at(NOW):
        sits, over = (fixed(begin_attempt(learner=one, problem_set=exam)) for one in (bob, alice))
    Attempt.objects.filter(pk=sits.pk).update(ends_at=timezone.now() + 5 * MINUTE)
    Attempt.objects.filter(pk=over.pk).update(ends_at=timezone.now() - 5 * MINUTE)
    with off(minutes * MINUTE, monkeypatch):
        assert hand_in_overdue() == 1
    assert list(Attempt.objects.filter(handed_in_at=None)) == [sits]


@pytest.mark.parametrize("minutes", [-10, 10])
def test_a_worker_whose_clock_is_off_calls_nobody_whom_another_is_calling(
    course: Course, alice: User, minutes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = Webhook.objects.create(course=course, owner=alice, url="https://nowhere.example/", secret=b"")
    for _ in range(2):
        event = Event.objects.create(course=course, kind="attempt.handed-in", at=timezone.now(), position=None, data={})
        Delivery.objects.create(webhook=hook, event=event, due_at=timezone.now() - dt.timedelta(seconds=5))

    def taken() -> int | None:
        return take_first(Delivery.objects.filter(due_at__lte=clock.now()), seconds=30)

    first = taken()
    with off(minutes * MINUTE, monkeypatch):
        second = taken()
        assert taken() is None
    assert None not in {first, second}
    assert first != second
    # ... and keeps nobody from it for longer than it may.
    assert Delivery.objects.filter(due_at__lt=timezone.now() + MINUTE).count() == 2


def test_signs_of_life_are_told_by_the_clock_that_all_share(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as wrong:
        wrong.setattr("time.time", lambda: 0.0)
        pulse.worker_beats("behind")
    assert pulse.seconds_since_workers()["behind"] < pulse.LATE
