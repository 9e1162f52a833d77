"""Waking a worker: one message for a burst, and no trouble for the learner when there is nobody to tell."""

import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from celery import Celery, current_app
from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache

from exercises.actions import send_answer
from exercises.actions.wake import FLAG, wake_worker
from exercises.models import Grading, Submission, User, Variant
from exercises.tasks import grade_pending, sweep_pending


@pytest.fixture
def refusing() -> str:
    """The address of a Redis that is not there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{taken.getsockname()[1]}/0"


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of something that takes connections and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(8)
        yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that puts the broker at another address."""

    def move(address: str) -> None:
        app = Celery("moved", broker=address, set_as_current=False)
        app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
        app.conf.broker_connection_timeout = settings.CELERY_BROKER_CONNECTION_TIMEOUT
        monkeypatch.setattr("exercises.actions.sending.current_app", app)

    return move


@pytest.mark.usefixtures("servers")
def test_one_wake_up_until_a_worker_looks(published: list[str]) -> None:
    assert [wake_worker() for _ in range(3)] == [True, False, False]
    cache.delete(FLAG)
    assert wake_worker()
    assert len(published) == 2


@pytest.mark.usefixtures("servers")
def test_a_wake_up_reaches_the_broker() -> None:
    assert wake_worker()
    with current_app.connection_for_read() as connection:
        queue = connection.SimpleQueue(current_app.conf.task_default_queue)
        message = queue.get(timeout=2)
        message.ack()
        queue.close()
    assert message.headers["task"] == "exercises.tasks.grade_pending"


@pytest.mark.usefixtures("servers")
@pytest.mark.parametrize("trouble", ["refusing", "silent"])
def test_a_broker_that_is_down_only_lowers_the_flag(
    trouble: str, broker: Any, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    broker(request.getfixturevalue(trouble))
    began = time.monotonic()
    assert wake_worker() is False
    assert time.monotonic() - began < 5
    assert cache.get(FLAG) is None
    assert "the sweep will find the answer" in caplog.text


@pytest.mark.usefixtures("servers")
def test_an_answer_is_stored_while_redis_is_down_and_graded_once_after(
    bob: User,
    variant: Variant,
    broker: Any,
    refusing: str,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    broker(refusing)
    down = RedisCache(refusing, {})
    with monkeypatch.context() as patched:
        patched.setattr("exercises.actions.wake.cache", down)
        patched.setattr("exercises.channel._redis", down._cache.get_client)
        with django_capture_on_commit_callbacks(execute=True):
            assert send_answer(learner=bob, variant=variant, answers={"p": "0.665"}).kind == "queued"
        with django_capture_on_commit_callbacks(execute=True):
            assert sweep_pending() == 1  # the worker cannot announce either
    assert grade_pending() == 0
    assert Submission.objects.get().state == "graded"
    assert Grading.objects.count() == 1
