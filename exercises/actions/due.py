"""Queues of calls to other systems: each row says when it is due, and whoever holds it moves that ahead. An address
that takes its time keeps the others waiting for a call of its own, not for all of them.

For models with the fields ``due_at`` and ``lease_token``, behind a prefix where they have other fields of that kind.
"""

import datetime as dt
import random
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from exercises import clock

#: How many times as long as an address took it lets the others go first.
PASS_TIMES = 4
#: Rows that one worker tries to hold, where others are at it as well.
CANDIDATES = 10
Row = TypeVar("Row", bound=Model)


def after(waits: Sequence[float], tries: int) -> float:
    """Seconds until the next try, after so many; after all of ``waits`` as long as the last. Up to a fifth is added by
    chance, so that what failed together is not tried together."""
    return waits[min(tries, len(waits)) - 1] * random.uniform(1, 1.2)  # noqa: S311 - no secret


def take_first(due: QuerySet[Row], *, seconds: float, prefix: str = "", **values: Any) -> int | None:
    """The primary key of the first of the rows that are due, held for so many seconds under a token of its own, with
    these values written; None if there is none. Two queries, one more for each row that another worker was faster at.
    """
    at = f"{prefix}due_at"
    for pk, was in due.values_list("pk", at)[:CANDIDATES]:
        # On the condition, and not by a lock, which not every database has.
        held = due.model._default_manager.filter(**{"pk": pk, at: was})  # noqa: SLF001 - Django's own name
        until = clock.now() + dt.timedelta(seconds=seconds)
        if held.update(**{at: until, f"{prefix}lease_token": uuid.uuid4(), **values}):
            return int(pk)
    return None


def in_turns(
    seconds: float,
    *,
    take: Callable[[], Row | None],
    work: Callable[[Row], None],
    whose: Callable[[Row], Hashable],
    share: float,
    let_pass: Callable[[Any, float], None],
) -> int:
    """Work on what is due, one row after the other, for about so many seconds; how many. Whenever one address has taken
    its ``share`` of seconds, ``let_pass`` is told ``whose`` it was and how long it took."""
    ends, done, taken = time.monotonic() + seconds, 0, defaultdict[Hashable, float](float)
    while (began := time.monotonic()) < ends and (row := take()) is not None:
        work(row)
        done += 1
        address = whose(row)
        taken[address] += time.monotonic() - began
        if taken[address] >= share:
            let_pass(address, taken.pop(address))
    return done


def pass_behind(others: QuerySet[Any], mine: QuerySet[Any], seconds: float, prefix: str = "") -> None:
    """Queue what waits for one address, which took so long, behind what waits for others; if anything does. Two
    queries."""
    if others.exists():
        mine.update(**{f"{prefix}due_at": clock.now() + dt.timedelta(seconds=PASS_TIMES * seconds)})
