"""Holding a regrade, so that one worker at a time goes on with it, and whoever lost it writes nothing."""

import datetime as dt
import uuid
from typing import Any

from django.db.models import Q
from django.utils import timezone

from exercises.models import RegradeEvent

State = RegradeEvent.State
#: Somebody works on it, or is to.
WORKING = (State.COUNTING, State.APPLYING, State.UNDOING)
#: Much longer than a batch takes; a worker that is killed delays a regrade by so much.
LEASE = dt.timedelta(seconds=30)


class LeaseLost(Exception):
    """Another worker has taken the regrade over, or it was called off: what is not committed is not to be."""


def due() -> list[int]:
    """The regrades that are to go on and that nobody holds. One query."""
    return list(RegradeEvent.objects.filter(_is_free(), state__in=WORKING).order_by("pk").values_list("pk", flat=True))


def take(event_id: int) -> RegradeEvent | None:
    """Hold a regrade that is to go on; None where there is nothing to do or somebody holds it. Two queries."""
    token = uuid.uuid4()
    free = RegradeEvent.objects.filter(_is_free(), pk=event_id, state__in=WORKING)
    if not free.update(lease_token=token, leased_until=timezone.now() + LEASE):
        return None
    rows = RegradeEvent.objects.select_related("course", "problem", "version")
    return rows.filter(pk=event_id, lease_token=token).first()


def advance(event: RegradeEvent, **progress: Any) -> None:
    """Write how far it is, in the transaction of what was done. Raises LeaseLost if it is no longer held: then that
    transaction must not be committed. One query."""
    held = RegradeEvent.objects.filter(pk=event.pk, lease_token=event.lease_token, state=event.state)
    if not held.update(leased_until=timezone.now() + LEASE, **progress):
        raise LeaseLost(f"Regrade {event.pk} is held by somebody else.")
    for name, value in progress.items():
        setattr(event, name, value)


def let_go(event: RegradeEvent, *, rest: dt.timedelta | None = None) -> None:
    """Let the next worker have it, at once or after a rest. One query."""
    RegradeEvent.objects.filter(pk=event.pk, lease_token=event.lease_token).update(
        lease_token=None, leased_until=timezone.now() + rest if rest else None
    )


def _is_free() -> Q:
    return Q(leased_until=None) | Q(leased_until__lte=timezone.now())
