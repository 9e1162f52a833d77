"""Writing many small rows at once, and finding many."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from psycopg import sql

INSERT = sql.SQL(
    "INSERT INTO {table} ({columns}) SELECT given.* FROM json_to_recordset(%s::json) AS given ({typed}) {conflict} "
    "{returning}"
)
UPDATE = sql.SQL(
    "UPDATE {table} SET {changes} FROM json_to_recordset(%s::json) AS given ({typed}) WHERE {table}.{key} = given.c0"
)
RETURNING = sql.SQL("RETURNING {}")
CONFLICT = sql.SQL("ON CONFLICT ({unique}) DO UPDATE SET {changes}")


@models.BigAutoField.register_lookup
@models.ForeignKey.register_lookup
class AnyOf(models.Lookup):
    """``variant__any_of=[…]`` and ``pk__any_of=[…]``: as ``__in``, with primary keys that go to PostgreSQL as one array
    and not one by one."""

    lookup_name = "any_of"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        wanted = list(self.rhs)
        if not wanted:
            raise EmptyResultSet
        column, params = self.process_lhs(compiler, connection)
        if connection.vendor == "postgresql":
            return f"{column} = ANY(%s)", [*params, wanted]
        return f"{column} IN ({', '.join(['%s'] * len(wanted))})", [*params, *wanted]


def added(model: Any, rows: Sequence[Mapping[str, Any]], *, by: str) -> dict[Any, Any]:
    """Insert rows as ``write`` does; their primary keys, by an attribute in which no two of them agree."""
    if not rows:
        return {}
    if connection.vendor == "postgresql":
        key = model.objects.all().query.get_meta().pk
        with connection.cursor() as cursor:
            _insert(cursor, model, rows, returning=(getattr(model, by).field.column, key.column))
            return dict(cursor.fetchall())
    found = [model(**row) for row in rows]
    if connection.features.can_return_rows_from_bulk_insert:
        model.objects.bulk_create(found)
    else:
        for one in found:
            one.save(force_insert=True)
    return {getattr(one, by): one.pk for one in found}


def write(model: Any, rows: Sequence[Mapping[str, Any]], *, over: tuple[str, ...] = ()) -> None:
    """Insert rows of a model, given as values by attribute name, all in the same order; where a row is unique by those
    in ``over``, the one that stands there is written over.

    One query on PostgreSQL, to which the rows go as one JSON text: of recording verdicts, making objects and preparing
    their values field by field was the better half. Numbers keep every bit, times their microseconds. What a model
    fills in by itself, such as ``auto_now_add``, must be given. Elsewhere as many queries as ``bulk_create`` makes.
    """
    if not rows:
        return
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            _insert(cursor, model, rows, over=over)
        return
    conflict: dict[str, Any] = {}
    if over:
        written = [name for name in rows[0] if name not in over]
        conflict = {"update_conflicts": True, "unique_fields": over, "update_fields": written}
    model.objects.bulk_create([model(**row) for row in rows], **conflict)


def _insert(
    cursor: Any,
    model: Any,
    rows: Sequence[Mapping[str, Any]],
    *,
    over: tuple[str, ...] = (),
    returning: tuple[str, ...] = (),
) -> None:
    names = tuple(rows[0])
    short = [f"c{place}" for place in range(len(names))]
    given = [dict(zip(short, row.values(), strict=True)) for row in rows]
    told = json.dumps(given, default=str, allow_nan=False)
    cursor.execute(_statement(model, names, over, returning), [told])


def rewrite(objects: Sequence[Any], names: tuple[str, ...]) -> None:
    """Write these attributes of objects of one model over what stands in the table.

    One query on PostgreSQL, as for ``write``: what ``bulk_update`` says there instead takes ten times as long to say.
    """
    if not objects:
        return
    model: Any = type(objects[0])
    if connection.vendor != "postgresql":
        model.objects.bulk_update(objects, names, batch_size=200)
        return
    given = [{f"c{place}": getattr(one, name) for place, name in enumerate(("pk", *names))} for one in objects]
    with connection.cursor() as cursor:
        cursor.execute(_update(model, names), [json.dumps(given, default=str, allow_nan=False)])


@cache
def _update(model: Any, names: tuple[str, ...]) -> str:
    key = model.objects.all().query.get_meta().pk
    fields = [key, *(getattr(model, name).field for name in names)]
    return UPDATE.format(
        table=sql.Identifier(model.objects.all().query.get_meta().db_table),
        changes=sql.SQL(", ").join(
            sql.SQL("{} = given.{}").format(sql.Identifier(field.column), sql.Identifier(f"c{place}"))
            for place, field in enumerate(fields)
            if place
        ),
        typed=_typed(fields),
        key=sql.Identifier(key.column),
    ).as_string(None)


def _typed(fields: Iterable[Any]) -> sql.Composable:
    """The columns c0, c1 … of what is given, each of the type of its field."""
    return sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(f"c{place}"), sql.SQL(_type_of(field)))
        for place, field in enumerate(fields)
    )


def _type_of(field: Any) -> str:
    """A key that counts by itself is given here as any other number is."""
    return str(field.rel_db_type(connection) if field.primary_key else field.db_type(connection))


@cache
def _statement(
    model: type[models.Model], names: tuple[str, ...], over: tuple[str, ...], returning: tuple[str, ...]
) -> str:
    fields = {name: getattr(model, name).field for name in names}
    columns = {name: sql.Identifier(field.column) for name, field in fields.items()}
    conflict: sql.Composable = sql.SQL("")
    if over:
        changes = (sql.SQL("{0} = EXCLUDED.{0}").format(columns[name]) for name in names if name not in over)
        conflict = CONFLICT.format(
            unique=sql.SQL(", ").join(columns[name] for name in over), changes=sql.SQL(", ").join(changes)
        )
    return INSERT.format(
        table=sql.Identifier(fields[names[0]].model.objects.all().query.get_meta().db_table),
        columns=sql.SQL(", ").join(columns.values()),
        typed=_typed(fields.values()),
        conflict=conflict,
        returning=RETURNING.format(sql.SQL(", ").join(map(sql.Identifier, returning))) if returning else sql.SQL(""),
    ).as_string(None)
