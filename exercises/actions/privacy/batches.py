"""Going through many rows of one person with flat memory."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db.models import QuerySet

from exercises.models import AuditEntry, User

#: Rows that are held at once.
BATCH = 200


def rows_of(model: Any) -> QuerySet[Any]:
    """Every row of a model, given itself or as a label, whatever its own manager leaves out."""
    found: Any = apps.get_model(model) if isinstance(model, str) else model
    return QuerySet(found)


def named(model: str) -> str:
    """What the rows of a model are called, by its label."""
    return str(rows_of(model).query.get_meta().verbose_name_plural)


def singular(model: str) -> str:
    """What one row of a model is called, by its label."""
    return str(rows_of(model).query.get_meta().verbose_name)


def has_acted(person: User) -> bool:
    """Whether the audit trail holds anything that somebody did. One query."""
    return AuditEntry.objects.filter(actor=person).exists()


def in_batches(rows: QuerySet[Any], size: int = BATCH) -> Iterator[list[Any]]:
    """The rows by primary key, so many at once; each batch is one query, and what was seen is not read again. It needs
    no cursor in the database, which a pool of connections may not give."""
    last: Any = None
    ordered = rows.order_by("pk")
    while batch := list((ordered if last is None else ordered.filter(pk__gt=last))[:size]):
        yield batch
        last = batch[-1].pk


def delete_all(rows: QuerySet[Any], size: int = BATCH) -> int:
    """Delete the rows with what hangs on them, so many at once, in the caller's transaction; how many of them there
    were."""
    deleted = 0
    while some := list(rows.order_by("pk").values_list("pk", flat=True)[:size]):
        rows_of(rows.model).filter(pk__in=some).delete()
        deleted += len(some)
    return deleted
