"""The queue of deliveries: made for new events, tried until they arrive, given up after three days."""

import datetime as dt
import uuid
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from exercises import clock
from exercises.actions.delivering.signing import body_of, headers_of
from exercises.actions.delivering.webhooks import OWNERLESS, disable, is_managed, secrets_of
from exercises.actions.due import after, in_turns, pass_behind, take_first
from exercises.bulk import write
from exercises.models import Delivery, Event, Webhook
from exercises.outgoing import Answer, Unreachable, call
from exercises.queries.events import last_place
from exercises.sealed import SealBroken

#: Seconds until the second try, the third and so on: at least three days altogether, so that whatever chance adds, an
#: address at which the last try of all fails has been silent for as long as ``MOST_FAILING``.
WAITS = (5, 30, 120, 600, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600, 12 * 3600, 18 * 3600, 27 * 3600)
#: Without one success for so long, an address is left alone.
MOST_FAILING = dt.timedelta(days=3)
#: Seconds that one call may take, and that its row is held by the worker that makes it.
CALL_SECONDS, LEASE_SECONDS = 5.0, 30
#: Seconds after which an address lets others pass that wait.
SLICE_SECONDS = 0.5
#: Events that one webhook gets deliveries of in one go.
FANNED = 500
MOST_KEPT = 500
_GONE = 410


def fan_out() -> int:
    """Make deliveries of the events that came since; how many. A constant number of queries a webhook that is behind.

    Where a webhook stands is moved on in the same transaction: each event has one delivery to each, never two. One
    whose owner manages the course no more is disabled instead, and so it is before a call.
    """
    made = 0
    last = last_place()
    for pk in Webhook.objects.filter(state=Webhook.State.ACTIVE, reached__lt=last).values_list("pk", flat=True):
        with transaction.atomic():
            webhook = Webhook.objects.select_for_update().filter(pk=pk, state=Webhook.State.ACTIVE).first()
            if webhook and not is_managed(webhook):
                disable(webhook, OWNERLESS)
            elif webhook:
                made += _fanned(webhook, last)
    return made


def deliver_due(seconds: float) -> int:
    """Make the calls that are due, one after the other, for about so many seconds; how many were made. An address that
    takes its time keeps the others waiting for one call of its own, not for all."""
    return in_turns(
        seconds, take=_claimed, work=_try, whose=lambda row: row.webhook_id, share=SLICE_SECONDS, let_pass=_let_pass
    )


def _due() -> QuerySet[Delivery]:
    return Delivery.objects.filter(
        due_at__lte=clock.now(), state=Delivery.State.PENDING, webhook__state=Webhook.State.ACTIVE
    )


def _let_pass(webhook: int, seconds: float) -> None:
    mine = Delivery.objects.filter(due_at__lte=clock.now(), state=Delivery.State.PENDING, webhook=webhook)
    pass_behind(_due().exclude(webhook=webhook), mine.filter(lease_token=None), seconds)


def _fanned(webhook: Webhook, last: int) -> int:
    rows = Event.objects.filter(course=webhook.course_id, position__gt=webhook.reached, position__lte=last)
    if webhook.kinds:
        rows = rows.filter(kind__in=webhook.kinds)
    found = list(rows.order_by("position").values_list("pk", "position")[:FANNED])
    now = clock.now()
    write(
        Delivery,
        [
            {
                "public_id": uuid.uuid4(), "webhook_id": webhook.pk, "event_id": pk, "state": Delivery.State.PENDING,
                "is_replay": False, "tries": 0, "due_at": now, "created_at": now, "last_answer": "",
            }
            for pk, _ in found
        ],
    )  # fmt: skip
    webhook.reached = found[-1][1] or last if len(found) == FANNED else last
    webhook.save(update_fields=["reached"])
    return len(found)


def _claimed() -> Delivery | None:
    """The delivery that is due first, held for this worker; None if none is due."""
    rows = Delivery.objects.select_related("webhook", "event__learner", "event__actor")
    while pk := take_first(_due().order_by("due_at", "pk"), seconds=LEASE_SECONDS, tries=F("tries") + 1):
        # Its webhook may have been removed in between, and it with it.
        if (taken := rows.filter(pk=pk).first()) is not None:
            return taken
    return None


def _try(delivery: Delivery) -> None:
    if not is_managed(delivery.webhook):
        _let_go(delivery.webhook)
        return
    now = clock.now()
    answer: Answer | None = None
    try:
        body = body_of(delivery.event)
        headers = headers_of(delivery.event, body, secrets_=secrets_of(delivery.webhook), at=now)
        answer = call("POST", delivery.webhook.url, headers=headers, body=body, seconds=CALL_SECONDS, most_bytes=65_536)
        said = answer.text[:MOST_KEPT].replace("\0", "")
    except (Unreachable, SealBroken) as error:
        said = str(error)[:MOST_KEPT]
    _keep(delivery, answer, said, now)


def _let_go(webhook: Webhook) -> None:
    with transaction.atomic():
        held = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
        if held is not None and not is_managed(held):  # somebody may have taken it on in between
            disable(held, OWNERLESS)


def _keep(delivery: Delivery, answer: Answer | None, said: str, now: dt.datetime) -> None:
    """Write what came of a try, if this worker still holds the delivery."""
    status = answer.status if answer else None
    has_arrived = status is not None and 200 <= status < 300
    told: dict[str, Any] = {
        "last_status": status, "last_answer": said, "last_tried_at": now, "last_took": answer.took if answer else None,
        "lease_token": None,
    }  # fmt: skip
    is_last = delivery.tries > len(WAITS)
    if has_arrived:
        told |= {"state": Delivery.State.DELIVERED, "delivered_at": now, "due_at": None}
    elif is_last or status == _GONE:
        told |= {"state": Delivery.State.GIVEN_UP, "due_at": None}
    else:
        told |= {"due_at": now + dt.timedelta(seconds=after(WAITS, delivery.tries))}
    with transaction.atomic():
        webhook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
        held = Delivery.objects.filter(pk=delivery.pk, lease_token=delivery.lease_token)
        if webhook is None or not held.update(**told):
            return
        if has_arrived:
            Webhook.objects.filter(pk=webhook.pk).update(failing_since=None)
        else:
            _note_failure(webhook, is_gone=status == _GONE, now=now, until=told["due_at"] or now)


def _note_failure(webhook: Webhook, *, is_gone: bool, now: dt.datetime, until: dt.datetime) -> None:
    """Let an address that fails rest: what else waits for it waits as long as this one, so that it costs one call and
    not hundreds, and keeps nobody else's waiting. Left alone for good, nothing waits for it any more."""
    webhook.failing_since = webhook.failing_since or now
    waiting = Delivery.objects.filter(webhook=webhook, state=Delivery.State.PENDING)
    waiting.filter(due_at__lt=until, lease_token=None).update(due_at=until)
    webhook.save(update_fields=["failing_since"])
    if is_gone:
        disable(webhook, "The address answered 410: it is gone for good.")
    elif now - webhook.failing_since >= MOST_FAILING:
        disable(webhook, "Nothing arrived there for three days.")
