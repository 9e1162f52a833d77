"""Going on with a regrade: in slices of a few seconds, so that answers are marked in between."""

import datetime as dt
import logging
import time
from collections.abc import Callable

from billiard.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError

from exercises.actions.leases import let_go
from exercises.actions.regrading.applying import Applying
from exercises.actions.regrading.driving import Way, next_batch
from exercises.actions.regrading.dry_run import count_batch
from exercises.actions.regrading.fit import Fit
from exercises.actions.regrading.lease import LeaseLost, State, advance, due, take
from exercises.actions.regrading.undoing import Undoing
from exercises.actions.sending import is_sent
from exercises.collecting import uncollected
from exercises.models import RegradeEvent

log = logging.getLogger(__name__)

TASK = "exercises.tasks.work_on_regrade"
#: Seconds after which a slice ends and the next one is sent.
SLICE = 4.0
#: How long a regrade rests after an error that was not foreseen: what was wrong may pass.
REST = dt.timedelta(seconds=60)
MOST_FAILURE_TEXT = 1000


def wake_regrade(event_id: int) -> bool:
    """Tell a worker of a regrade that is to go on; whether it was told. It never raises: the sweep finds the rest."""
    return is_sent(TASK, event_id, otherwise=f"No worker was told of regrade {event_id}, the sweep will find it")


def work_on(event_id: int, *, seconds: float = SLICE) -> bool:
    """Go on with a regrade for so long, and tell the next worker if there is more; whether there is.

    Nothing happens where somebody else holds it or nothing is left to do. Whatever goes wrong, no verdict is taken
    away: a dry run is given up with the reason, anything else is tried again after a rest.
    """
    event = take(event_id)
    if event is None:
        return False
    try:
        is_more = _slice(event, time.monotonic() + seconds)
    except LeaseLost as lost:
        log.warning("%s", lost)
        return False
    except (DatabaseError, SoftTimeLimitExceeded):
        # Nothing of the batch was written; the lease runs out, and the sweep goes on from there.
        raise
    except Exception as error:
        log.exception("Regrade %s met an error.", event_id)
        _give_up(event, error)
        return False
    if is_more:
        let_go(event)
        wake_regrade(event_id)
    return is_more


def sweep() -> int:
    """Tell a worker of every regrade that was left lying; how many there are."""
    left = due()
    for event_id in left:
        wake_regrade(event_id)
    return len(left)


def _slice(event: RegradeEvent, ends: float) -> bool:
    go_on = _going_on(event)
    while True:
        with uncollected():
            is_more = go_on()
        if not is_more or time.monotonic() >= ends:
            return is_more


def _going_on(event: RegradeEvent) -> Callable[[], bool]:
    """The next batch of what the event is at; it says whether there is more."""
    if event.state == State.COUNTING:
        fit = Fit(event.version)
        return lambda: count_batch(event, fit)
    way: Way = Undoing(event) if event.state == State.UNDOING else Applying(event, Fit(event.version))
    return lambda: next_batch(way)


def _give_up(event: RegradeEvent, error: Exception) -> None:
    said = f"{type(error).__name__}: {error}"[:MOST_FAILURE_TEXT]
    try:
        if event.state == State.COUNTING:
            advance(event, failure=said, state=State.FAILED)
        else:
            advance(event, failure=said)
            let_go(event, rest=REST)
    except LeaseLost:
        log.warning("Regrade %s was taken over.", event.pk)
