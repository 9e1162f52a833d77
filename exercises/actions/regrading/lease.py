"""Holding a regrade, so that one worker at a time goes on with it, and whoever lost it writes nothing."""

from typing import Any

from django.db.models import QuerySet

from exercises.actions import leases
from exercises.models import RegradeEvent

State = RegradeEvent.State


class LeaseLost(Exception):
    """Another worker has taken the regrade over, or it was called off: what is not committed is not to be."""


def due() -> list[int]:
    """The regrades that are to go on and that nobody holds. One query."""
    return list(_waiting().filter(leases.is_free()).order_by("pk").values_list("pk", flat=True))


def take(event_id: int) -> RegradeEvent | None:
    """Hold a regrade that is to go on; None where there is nothing to do or somebody holds it. Two queries."""
    return leases.take(_waiting().select_related("course", "problem", "version"), event_id)


def advance(event: RegradeEvent, **progress: Any) -> None:
    """Write how far it is, in the transaction of what was done. Raises LeaseLost if it is no longer held: then that
    transaction must not be committed. One query."""
    held = leases.held(event).filter(state=event.state)
    if not held.update(leased_until=leases.moment() + leases.LEASE, **progress):
        raise LeaseLost(f"Regrade {event.pk} is held by somebody else.")
    for name, value in progress.items():
        setattr(event, name, value)


def _waiting() -> QuerySet[RegradeEvent]:
    return RegradeEvent.objects.filter(state__in=RegradeEvent.WORKING)
