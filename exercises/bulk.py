"""Writing many small rows at once, finding many, and reading many."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import isfinite
from typing import Any, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models.base import ModelState
from psycopg import sql

INSERT = sql.SQL(
    "INSERT INTO {table} ({columns}) SELECT given.* FROM json_to_recordset(%s::json) AS given ({typed}) {conflict} "
    "{returning}"
)
UPDATE = sql.SQL(
    "UPDATE {table} SET {changes} FROM json_to_recordset(%s::json) AS given ({typed}) WHERE {table}.{key} = given.c0"
)
RETURNING = sql.SQL("RETURNING {}")
COPY = sql.SQL("COPY {table} ({columns}) FROM STDIN")
CONFLICT = sql.SQL("ON CONFLICT ({unique}) DO UPDATE SET {changes}")

#: What stands for these characters in a line that is copied.
_ESCAPED = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
Row = TypeVar("Row", bound=models.Model)


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


def read(found: "models.QuerySet[Row]", names: Sequence[str]) -> list[Row]:
    """The rows of a query with these columns, by attribute name; the rest is read when it is asked for, as with
    ``only``. One query.

    What Django does to make an object of a row takes twice as long as to read it: signals that nobody hears, and every
    value set by itself.
    """
    model, made = found.model, []
    for values in found.values_list(*names):
        one, state = model.__new__(model), ModelState()
        state.adding, state.db = False, found.db
        one.__dict__.update(zip(names, values, strict=True), _state=state)
        made.append(one)
    return made


def analyze(model: Any, *names: str) -> None:
    """Let PostgreSQL look at columns of a table that has just been filled: until it does so by itself it takes the rows
    for few, and goes through all of them for every one that is looked up. One query, that takes a moment."""
    if connection.vendor == "postgresql":
        table = sql.Identifier(model.objects.all().query.get_meta().db_table)
        columns = sql.SQL(", ").join(sql.Identifier(getattr(model, name).field.column) for name in names)
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("ANALYZE {} ({})").format(table, columns).as_string(None))


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

    One query on PostgreSQL, to which the rows are copied, or go as one JSON text where some may stand there already: of
    recording verdicts, making objects and preparing their values field by field was the better half, and of the rest
    copying saves a third. Numbers keep every bit, times their microseconds. What a model fills in by itself, such as
    ``auto_now_add``, must be given. Elsewhere as many queries as ``bulk_create`` makes.
    """
    if not rows:
        return
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            if over:
                _insert(cursor, model, rows, over=over)
            else:
                _copy(cursor, model, rows)
        return
    conflict: dict[str, Any] = {}
    if over:
        written = [name for name in rows[0] if name not in over]
        conflict = {"update_conflicts": True, "unique_fields": over, "update_fields": written}
    model.objects.bulk_create([model(**row) for row in rows], **conflict)


def _copy(cursor: Any, model: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    fields = [getattr(model, name).field for name in rows[0]]
    statement = COPY.format(
        table=sql.Identifier(model.objects.all().query.get_meta().db_table),
        columns=sql.SQL(", ").join(sql.Identifier(field.column) for field in fields),
    )
    by_column = zip(*(row.values() for row in rows), strict=True)
    told = [list(map(_telling(field), values)) for field, values in zip(fields, by_column, strict=True)]
    with connection.wrap_database_errors, cursor.copy(statement.as_string(None)) as copied:
        copied.write("".join(["\t".join(line) + "\n" for line in zip(*told, strict=True)]))


def _telling(field: Any) -> Callable[[Any], str]:
    """How a value of a field is written where rows are copied."""
    if isinstance(field, models.JSONField):
        return lambda value: "\\N" if value is None else json.dumps(value, allow_nan=False).replace("\\", "\\\\")
    if isinstance(field, models.FloatField):
        return _finite
    return lambda value: "\\N" if value is None else str(value).translate(_ESCAPED)


def _finite(value: float | None) -> str:
    if value is not None and not isfinite(value):
        raise ValueError(f"{value} is no number to be kept.")
    return "\\N" if value is None else repr(float(value))


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
