"""What every finder ends with: the row, or Http404. A malformed id is as unknown as a wrong one."""

import uuid
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404

Row = TypeVar("Row", bound=Model)
#: An id as an address has it.
Id = uuid.UUID | str


def first_or_404(rows: QuerySet[Row], otherwise: str = "There is no such page.") -> Row:
    """The first of the rows. One query. Raises Http404, which says ``otherwise``."""
    found = rows.first()
    if found is None:
        raise Http404(otherwise)
    return found


def as_uuid(said: Id) -> uuid.UUID:
    """The id that a text is. Raises Http404 for one that is none."""
    try:
        return said if isinstance(said, uuid.UUID) else uuid.UUID(said)
    except ValueError:
        raise Http404("There is nothing of that id.") from None
