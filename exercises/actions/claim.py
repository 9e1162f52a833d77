"""Taking rows from the queue, so that no two workers mark the same one."""

import datetime as dt
import logging
import uuid
from dataclasses import dataclass

from django.db import DatabaseError, transaction
from django.db.models import F

from exercises.actions.leases import moment
from exercises.models import Submission

log = logging.getLogger(__name__)

#: The most rows that are marked in one go.
BATCH = 500
#: Longer than the time limit of the task that marks, or a slow worker's rows would be marked twice.
LEASE = dt.timedelta(seconds=12)
#: How long a row that could not be marked rests before it is tried again: what was wrong may pass.
REST = dt.timedelta(seconds=8)
#: A row is tried so often before it is given up.
MOST_TRIES = 3
#: How many rows that failed before are claimed together, by the number of tries. A row that kills its worker
#: takes the rows claimed with it along, so the groups shrink until it stands alone.
RETRIED_TOGETHER = {1: 20, 2: 1}


@dataclass(frozen=True)
class Claim:
    """Rows that are the holder's of ``token`` alone until their lease ends, with variant and versions."""

    token: uuid.UUID
    submissions: tuple[Submission, ...]
    limit: int

    @property
    def is_full(self) -> bool:
        """Whether there may be more where these came from."""
        return len(self.submissions) >= self.limit


def claim_pending(*, limit: int = BATCH, tries: int = 0) -> Claim:
    """Claim up to ``limit`` due rows that were tried ``tries`` times before, oldest first. Two queries.

    One conditional UPDATE gives them the token. On PostgreSQL they are locked before it, skipping those that another
    worker is just claiming. SQLite has no row locks: there its writers take turns, and the condition carries it.
    The rows are chosen by a query of their own, since a LIMIT inside the UPDATE is no limit: PostgreSQL may run such a
    subquery once for every row.
    """
    now = moment()
    token, until = uuid.uuid4(), now + LEASE
    due = Submission.objects.filter(claimed_until__lte=now, tries=tries)
    with transaction.atomic():
        rows = list(
            due.select_for_update(skip_locked=True, of=("self",))
            .select_related("variant__version", "variant__marked_by", "variant__problem")
            .order_by("claimed_until", "pk")[:limit]
        )
        if rows:
            claimed = due.filter(pk__in=[row.pk for row in rows])
            count = claimed.update(lease_token=token, claimed_until=until, tries=tries + 1)
            if count != len(rows):
                mine = set(
                    Submission.objects.filter(pk__in=[row.pk for row in rows], lease_token=token).values_list(
                        "pk", flat=True
                    )
                )
                rows = [row for row in rows if row.pk in mine]
    for row in rows:
        row.lease_token, row.tries = token, tries + 1
    return Claim(token=token, submissions=tuple(rows), limit=limit)


def put_back(claim: Claim) -> None:
    """Let others have the rows of this claim after a rest, as if they had not been tried: what was wrong was the
    storage, which is no row's fault. Where that cannot be stored either, they come back with their lease, one try on.
    """
    mine = Submission.objects.filter(lease_token=claim.token, state=Submission.State.PENDING)
    rows = mine.filter(pk__in=[row.pk for row in claim.submissions])
    try:
        rows.update(tries=F("tries") - 1, claimed_until=moment() + REST, lease_token=None)
    except DatabaseError as error:
        log.warning("%s answers wait until their lease ends: %s", len(claim.submissions), error)


def give_up_lost() -> int:
    """Close the rows whose last try ended without a word, as when marking them kills the worker; how many they were."""
    return Submission.objects.filter(claimed_until__lte=moment(), tries__gte=MOST_TRIES).update(
        state=Submission.State.UNGRADABLE,
        claimed_until=None,
        lease_token=None,
        failure=f"The worker ended without a word while marking this, {MOST_TRIES} times.",
    )
