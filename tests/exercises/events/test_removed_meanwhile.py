"""A webhook that is removed at the very moment at which a worker takes one of its deliveries."""

from typing import Any

import pytest

from exercises.actions.delivering import deliver
from exercises.actions.delivering.webhooks import make_webhook, remove_webhook
from exercises.actions.events import tell
from exercises.actions.feed import place_events
from exercises.models import Course, Delivery, User, Webhook
from tests.exercises.events.receiver import Receiver


@pytest.mark.django_db
def test_what_is_removed_while_it_is_taken_keeps_nobody_else_waiting(
    course: Course, alice: User, receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = True
    for _ in range(2):
        make_webhook(actor=alice, course=course, url=receiver.url, kinds=[])
    tell("course.changed", course=course.pk, data={"about": "this"})
    place_events()
    assert deliver.fan_out() == 2
    usual = deliver.take_first

    def removed_meanwhile(*args: Any, **more: Any) -> int | None:
        pk = usual(*args, **more)
        if Webhook.objects.count() == 2:
            remove_webhook(actor=alice, webhook=Delivery.objects.get(pk=pk).webhook)
        return pk

    monkeypatch.setattr(deliver, "take_first", removed_meanwhile)
    assert deliver.deliver_due(5) == 1
    assert [row.state for row in Delivery.objects.all()] == [Delivery.State.DELIVERED]
    assert len(receiver.came) == 1
