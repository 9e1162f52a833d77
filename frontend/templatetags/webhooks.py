"""What the pages of webhooks say."""

from http import HTTPStatus

from django import template

from exercises.models import Delivery

register = template.Library()


@register.filter
def answered(delivery: Delivery) -> str:
    """What came back from the last try: "200 OK, in 0.12 s"; why nothing did; or that there was none yet."""
    if delivery.last_status is None:
        return delivery.last_answer or "not tried yet"
    try:
        words = f"{delivery.last_status} {HTTPStatus(delivery.last_status).phrase}"
    except ValueError:
        words = str(delivery.last_status)
    return words if delivery.last_took is None else f"{words}, in {delivery.last_took:.2f} s"
