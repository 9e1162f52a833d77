"""A receiver that takes a call and says nothing: verdicts do not wait for it."""

import json
from collections.abc import Iterator

import psutil
import pytest

from tests.exercises.events.receiver import Receiver
from tests.load.test_hosts import until
from tests.stacks import Prepared, Stack

#: Longer than any call is waited for.
SILENT = 600.0
HOOK = """
from exercises.actions.delivering.webhooks import make_webhook
from exercises import clock
teacher = User.objects.create(username="teaches-slowly", is_instructor=True)
course = Course.objects.create(title="Slow", time_zone="UTC", created_by=teacher)
Enrolment.objects.create(course=course, user=teacher, role="instructor")
for number in range(4):
    make_webhook(actor=teacher, course=course, url={url!r} + str(number), kinds=[])
Event.objects.create(course=course, kind="attempt.handed-in", at=clock.now(), position=None, data={{}})
"""
ANSWER = """
from exercises.actions import draw_variant, send_answer
user, _ = User.objects.get_or_create(username="waits-for-nobody")
variant = draw_variant(learner=user, slug="masked-token-loss")
print(send_answer(learner=user, variant=variant, answers={"p": "0.123"}).submission.public_id)
"""


@pytest.fixture
def stack(
    prepared: Prepared, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stack]:
    monkeypatch.setenv("ALLOW_PRIVATE_ADDRESSES", "1")
    folder = tmp_path_factory.mktemp("slow")
    found = Stack("embedded", folder=folder, database_url=prepared.copy("embedded", folder), static=prepared.static)
    try:
        found.redis.start()
        found.start()
        yield found
    finally:
        found.stop()


def family(stack: Stack, name: str) -> list[psutil.Process]:
    parent = psutil.Process(stack.parts[name].pid)
    return [parent, *parent.children(recursive=True)]


def callers(stack: Stack, port: int) -> set[str]:
    """Which parts of the service hold a connection to that port."""
    return {
        name
        for name in stack.parts
        for process in family(stack, name)
        for connection in process.net_connections(kind="tcp")
        if connection.raddr and connection.raddr.port == port
    }


def test_verdicts_do_not_wait_for_who_is_called(stack: Stack, receiver: Receiver) -> None:
    receiver.seconds = SILENT
    stack.run(HOOK.format(url=receiver.url))
    port = int(receiver.url.split(":")[2].split("/")[0])
    seen = set[str]()
    until(lambda: bool(seen.update(callers(stack, port)) or seen), "somebody calls")
    assert seen == {"outside"}
    # From here on the call takes as long as it likes.
    hanging = family(stack, "outside")
    for one in hanging:
        one.suspend()
    sent = stack.run(ANSWER).strip()
    until(lambda: "graded" in stack.run(f"print(Submission.objects.get(public_id={sent!r}).state)"), "it is marked")
    assert stack.run("print(Delivery.objects.filter(state='delivered').count())").strip() == "0"

    receiver.seconds = 0
    for one in hanging:
        one.resume()
    until(
        lambda: bool(json.loads(stack.run("print(Delivery.objects.filter(state='delivered').count())"))), "it arrives"
    )
