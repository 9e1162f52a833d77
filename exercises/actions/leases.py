"""Long work is held by one worker at a time: its row says by whom and until when, so that a killed one only delays it.

For models with the fields ``lease_token`` and ``leased_until``.
"""

import datetime as dt
import uuid
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

#: Much longer than a batch takes; a worker that is killed delays its work by so much.
LEASE = dt.timedelta(seconds=30)
#: The values of a row that nobody holds.
FREE: dict[str, Any] = {"lease_token": None, "leased_until": None}
Row = TypeVar("Row", bound=Model)


def moment() -> Any:
    """Now, by the one clock that workers on all hosts share: the database's, within the query. Whose own is minutes off
    takes nothing that others hold, and keeps nothing from them. On SQLite there is one host."""
    return Now() if connection.vendor == "postgresql" else timezone.now()


def is_free() -> Q:
    """Which rows nobody holds now, and which do not rest."""
    return Q(leased_until=None) | Q(leased_until__lte=moment())


def take(waiting: QuerySet[Row], pk: int, *, lease: dt.timedelta = LEASE, **values: Any) -> Row | None:
    """Hold one of the rows that wait for somebody, and write these values; None where it does not wait, or somebody
    holds it. Two queries."""
    token, until = uuid.uuid4(), moment() + lease
    if not waiting.filter(is_free(), pk=pk).update(lease_token=token, leased_until=until, **values):
        return None
    return waiting.filter(pk=pk, lease_token=token).first()


def held(row: Row) -> QuerySet[Row]:
    """The row itself, as long as it is held by whoever took this one. No query."""
    holding: Any = row
    found: QuerySet[Row] = type(holding).objects.filter(pk=row.pk, lease_token=holding.lease_token)
    return found


def let_go(row: Model, *, rest: dt.timedelta | None = None, **values: Any) -> bool:
    """Let the next worker have it, at once or after a rest, and write these values; whether it was held. One query."""
    until = moment() + rest if rest else None
    return bool(held(row).update(**FREE | {"leased_until": until} | values))
