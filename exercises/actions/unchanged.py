"""Changing only what is still as somebody read it."""

import datetime as dt
from typing import Any, TypeVar

from django.db.models import Model

from exercises.refusals import Refused

Row = TypeVar("Row", bound=Model)


class ChangedMeanwhile(Refused):
    """Somebody else has written it since it was read."""

    code = "changed-meanwhile"


def still_as_read(row: Row, seen: dt.datetime | None) -> Row:
    """The row as it is now, locked for the rest of the transaction that this must be called in. One query.

    ``seen`` is the ``updated_at`` that whoever changes it has read; None changes it whatever it is. Raises
    ChangedMeanwhile.
    """
    found: Any = type(row)._default_manager.select_for_update().get(pk=row.pk)  # noqa: SLF001  # Django's own name
    if seen is not None and found.updated_at != seen:
        raise ChangedMeanwhile("This was changed since you read it. Read it again, then send your change.")
    return found
