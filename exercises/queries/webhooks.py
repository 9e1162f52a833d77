"""Webhooks of a course, and what became of their deliveries."""

import uuid
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet

from exercises.limits import MOST_ROWS
from exercises.models import Course, Delivery, Webhook


@dataclass(frozen=True)
class WebhookRow:
    """A webhook, and how many deliveries wait, arrived and were given up."""

    webhook: Webhook
    pending: int
    delivered: int
    given_up: int


def webhooks_of(course: Course) -> list[WebhookRow]:
    """The webhooks of a course, with their counts. One query."""
    # The state itself is counted: an index holds it, and the deliveries are not read.
    counts = {state: Count("deliveries__state", filter=Q(deliveries__state=state)) for state in Delivery.State}
    rows = (
        Webhook.objects.filter(course=course)
        .select_related("owner")
        .order_by("pk")
        .annotate(
            waiting=counts[Delivery.State.PENDING],
            arrived=counts[Delivery.State.DELIVERED],
            left=counts[Delivery.State.GIVEN_UP],
        )
    )
    return [WebhookRow(row, row.waiting, row.arrived, row.left) for row in rows]


def webhook_in(course: Course, public_id: uuid.UUID) -> Webhook | None:
    """That webhook of the course, None if it has none of that id. One query."""
    return Webhook.objects.select_related("course", "owner").filter(course=course, public_id=public_id).first()


def delivered_to(webhook: Webhook) -> QuerySet[Delivery]:
    """What was delivered there, or was to be, the newest first. No query yet."""
    return Delivery.objects.filter(webhook=webhook).select_related("event").order_by("-pk")


def log_of(webhook: Webhook, *, page: int) -> Page[Delivery]:
    """One page of the same. Two queries."""
    return Paginator(delivered_to(webhook), MOST_ROWS // 2).get_page(page)


def delivery_of(webhook: Webhook, public_id: uuid.UUID) -> Delivery | None:
    """That delivery to the webhook, None if there is none of that id. One query."""
    return Delivery.objects.select_related("webhook", "event").filter(webhook=webhook, public_id=public_id).first()
