"""Making, changing, pausing and removing webhooks, and repeating a delivery."""

import datetime as dt
import uuid
from collections.abc import Collection
from urllib.parse import urlsplit

from django.db import transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.delivering.refusals import WebhookRefused
from exercises.actions.delivering.signing import fresh_secret
from exercises.courses import events as event_kinds
from exercises.courses.rights import Right, roles_with
from exercises.models import Course, Delivery, Enrolment, User, Webhook
from exercises.outgoing import LONGEST_URL, Unreachable, refuse_address
from exercises.queries.events import last_place
from exercises.sealed import seal, unseal

MOST_WEBHOOKS = 20
LONGEST = min(500, LONGEST_URL)
#: How long the secret before a rotation goes on being signed with.
OVERLAP = dt.timedelta(days=1)
#: A form that is sent once more, as by a double click, is answered with the same secret for so long; then nobody is.
SAME_FORM = dt.timedelta(minutes=1)
#: Characters of the path of an address that the audit trail has.
PATH_SHOWN = 8
#: Why a webhook is disabled whose owner is gone.
OWNERLESS = "Its owner does not manage this course any more. Whoever lets it go on is its owner from then on."


def make_webhook(
    *, actor: User, course: Course, url: str, kinds: Collection[str], public_id: uuid.UUID | None = None
) -> tuple[Webhook, str]:
    """Have the events of a course delivered to an address, from now on; the webhook, and its secret, told this once.

    No kinds are all kinds. With the ``public_id`` that a form brought along, the same form sent again is the same
    webhook. Raises WebhookRefused for an address that is not called, an unknown kind, or one webhook too many.
    """
    _check_address(url)
    checked = _checked(kinds)
    secret = fresh_secret()
    with transaction.atomic():
        Course.objects.select_for_update(no_key=True).get(pk=course.pk)
        if made := Webhook.objects.filter(public_id=public_id).first() if public_id else None:
            is_same = (made.course_id, made.owner_id) == (course.pk, actor.pk)
            return made, _told_again(made, since=made.created_at, is_same=is_same)
        if Webhook.objects.filter(course=course).count() >= MOST_WEBHOOKS:
            raise WebhookRefused(f"A course has at most {MOST_WEBHOOKS} webhooks: remove one first.")
        last = last_place()
        made = Webhook.objects.create(
            public_id=public_id or uuid.uuid4(), course=course, owner=actor, url=url, kinds=checked,
            secret=seal(secret), reached=last,
        )  # fmt: skip
        noted(course=course, actor=actor, deed="webhook-made", about=told_address(url), after={"kinds": checked})
    return made, secret


def change_webhook(*, actor: User, webhook: Webhook, url: str, kinds: Collection[str], is_paused: bool) -> Webhook:
    """Another address, other kinds, paused or going on. Going on after it was disabled, it begins anew with what comes
    from then on; what was given up can be repeated. Where its owner manages the course no more, whoever lets it go on
    is its owner. Raises WebhookRefused."""
    if url != webhook.url:  # one whose name is gone from the net can still be paused
        _check_address(url)
    checked = _checked(kinds)
    with transaction.atomic():
        held = _held(webhook)
        before, url_before = {"url": told_address(held.url), "kinds": held.kinds, "state": held.state}, held.url
        was_idle = held.state == Webhook.State.DISABLED
        held.url, held.kinds = url, checked
        held.state = Webhook.State.PAUSED if is_paused else Webhook.State.ACTIVE
        if was_idle and not is_paused:
            held.reached = last_place()
        if not is_paused:
            held.why, held.failing_since = "", None
            if not is_managed(held):
                held.owner = actor
        held.save()
        after = {"url": told_address(held.url), "kinds": held.kinds, "state": held.state}
        if url != url_before and after["url"] == before["url"]:
            after["url"] = f"{after['url']} (another)"
        if after != before:
            about = told_address(held.url)
            noted(course=held.course, actor=actor, deed="webhook-changed", about=about, before=before, after=after)
    return held


def rotate_secret(*, actor: User, webhook: Webhook, seen: str | None = None) -> str:
    """A new secret, told this once. For a day deliveries are signed by both: a receiver changes over in peace.

    ``seen`` is what ``rotation_of`` said on the form: sent twice, it must not push out the secret that the receiver
    still has. Raises WebhookRefused where the secret was changed since.
    """
    secret = fresh_secret()
    with transaction.atomic():
        held = _held(webhook)
        if seen is not None and held.rotated_at and seen != rotation_of(held):
            return _told_again(held, since=held.rotated_at, is_same=True)
        held.secret_before, held.secret, held.rotated_at = held.secret, seal(secret), clock.now()
        held.save(update_fields=["secret_before", "secret", "rotated_at"])
        noted(course=held.course, actor=actor, deed="webhook-rotated", about=told_address(held.url))
    return secret


def rotation_of(webhook: Webhook) -> str:
    """Which secret it has, without the secret: when it got it."""
    return webhook.rotated_at.isoformat() if webhook.rotated_at else ""


def remove_webhook(*, actor: User, webhook: Webhook) -> None:
    """Deliver nothing more there, and forget what was. Pressed twice, it is done once."""
    with transaction.atomic():
        held = Webhook.objects.select_for_update().select_related("course").filter(pk=webhook.pk).first()
        if held is not None:
            held.delete()
            noted(course=held.course, actor=actor, deed="webhook-removed", about=told_address(held.url))


def replay(*, delivery: Delivery) -> Delivery:
    """Deliver an event once more, now; the new delivery. What is waiting for its next try is tried now instead. Raises
    WebhookRefused where nothing is delivered at the moment."""
    with transaction.atomic():
        held = _held(delivery.webhook)
        if held.state == Webhook.State.ACTIVE and not is_managed(held):
            disable(held, OWNERLESS)
        if held.state == Webhook.State.ACTIVE:
            return _replayed(held, delivery.event_id)
    raise WebhookRefused("This webhook is not active: let it go on first, then repeat deliveries.")


def _replayed(held: Webhook, event: int) -> Delivery:
    waiting = Delivery.objects.select_for_update().filter(webhook=held, event=event, state=Delivery.State.PENDING)
    if again := waiting.first():
        again.due_at = clock.now()
        again.save(update_fields=["due_at"])
        return again
    return Delivery.objects.create(webhook=held, event_id=event, is_replay=True)


def told_address(url: str) -> str:
    """An address as the trail has it, which more people read than may know it: what follows is often its secret."""
    parts = urlsplit(url)
    rest = url.split(parts.netloc, 1)[1]
    head = parts.path[:PATH_SHOWN]
    return f"{parts.scheme}://{parts.netloc}{head}{'' if head == rest else '…'}"


def is_managed(webhook: Webhook) -> bool:
    """Whether its owner may still be told what happens in the course. One query."""
    return Enrolment.objects.filter(
        course=webhook.course_id, user=webhook.owner_id, user__is_active=True, dropped_at=None,
        role__in=roles_with(Right.MANAGE),
    ).exists()  # fmt: skip


def disable(held: Webhook, why: str) -> None:
    """Leave an address alone, for a reason in words: nothing waits for it any more. In the caller's transaction."""
    held.state, held.why = Webhook.State.DISABLED, why
    held.save(update_fields=["state", "why"])
    waiting = Delivery.objects.filter(webhook=held, state=Delivery.State.PENDING)
    waiting.update(state=Delivery.State.GIVEN_UP, due_at=None, lease_token=None)


def secrets_of(webhook: Webhook) -> list[str]:
    """The secrets that deliveries are signed by now, the newest first."""
    found = [unseal(webhook.secret)]
    if webhook.secret_before and overlaps_until(webhook):
        found.append(unseal(webhook.secret_before))
    return found


def overlaps_until(webhook: Webhook) -> dt.datetime | None:
    """Until when the secret before goes on being signed with; None where there is but one."""
    ends = webhook.rotated_at + OVERLAP if webhook.rotated_at and webhook.secret_before else None
    return ends if ends and clock.now() < ends else None


def _held(webhook: Webhook) -> Webhook:
    rows = Webhook.objects.select_for_update(of=("self",)).select_related("course")
    found = rows.filter(pk=webhook.pk).first()
    if found is None:
        raise WebhookRefused("This webhook was removed meanwhile.")
    return found


def _told_again(webhook: Webhook, *, since: dt.datetime, is_same: bool) -> str:
    """The secret that a form got which was sent a moment ago. Raises WebhookRefused when it is longer ago."""
    is_later = webhook.rotated_at is not None and webhook.rotated_at > since
    if not is_same or is_later or clock.now() >= since + SAME_FORM:
        raise WebhookRefused("This was done already, and a secret is shown once. If nobody has it, make another one.")
    return unseal(webhook.secret)


def _check_address(url: str) -> None:
    """Raises WebhookRefused."""
    if len(url) > LONGEST:
        raise WebhookRefused(f"An address of at most {LONGEST} characters, please.", "url")
    try:
        refuse_address(url)
    except Unreachable as error:
        raise WebhookRefused(error.message, "url") from error


def _checked(kinds: Collection[str]) -> list[str]:
    """The kinds as they are kept. Raises WebhookRefused."""
    if unknown := sorted(set(kinds) - event_kinds.KINDS.keys()):
        raise WebhookRefused(f"There are no such kinds of events: {', '.join(unknown[:5])}.", "kinds")
    return event_kinds.known(list(kinds))
