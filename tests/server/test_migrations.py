"""The tests make their tables from the models: they may, since migrations hold nothing that models do not say.

That no migration is missing is part of `make check`, and every live service of the tests is migrated from nothing, on
both databases.
"""

from collections.abc import Iterator

from django.db import models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import (
    AddField,
    AlterField,
    DeleteModel,
    RemoveField,
    RenameField,
    RenameModel,
    RunSQL,
    SeparateDatabaseAndState,
)
from django.db.migrations.operations.base import Operation
from django.db.models import NOT_PROVIDED, ManyToManyField

OURS = "exercises"
#: From here on a service is upgraded while it runs.
FIRST_UPGRADE = "0010"
#: What takes something away that the version before does without already, by migration, with the version that stopped.
CONTRACTS: dict[str, str] = {}


def test_no_migration_makes_what_the_models_do_not_know() -> None:
    loader = MigrationLoader(None)
    found = [
        f"{name}: {type(operation).__name__}"
        for (app, name), migration in loader.disk_migrations.items()
        if app == OURS
        for operation in migration.operations
        if isinstance(operation, RunSQL | SeparateDatabaseAndState)
    ]
    assert not found, "Take --nomigrations out of pyproject.toml, or the tests never meet this."


def stops_the_version_before(operation: Operation) -> Iterator[str]:
    """Why code that does not know of this operation would fail on the tables that it leaves."""
    if isinstance(operation, RemoveField | RenameField | DeleteModel | RenameModel):
        yield "it reads what is gone"
    if isinstance(operation, AlterField) and not operation.field.null and operation.field.db_default is NOT_PROVIDED:
        yield "it may write NULL there, or leave the column out; give it a db_default"
    if isinstance(operation, AddField) and not isinstance(operation.field, ManyToManyField):
        is_filled_in = operation.field.null or operation.field.db_default is not NOT_PROVIDED
        if not is_filled_in:
            yield "it leaves the column out, and the database refuses its rows; give it a db_default, or let it be null"


def test_the_version_before_goes_on_working_on_the_tables_of_each_migration() -> None:
    loader = MigrationLoader(None)
    found = [
        f"{name}: {operation.describe()}: {why}"
        for (app, name), migration in sorted(loader.disk_migrations.items())
        if app == OURS and name >= FIRST_UPGRADE and name not in CONTRACTS
        for operation in migration.operations
        for why in stops_the_version_before(operation)
    ]
    assert not found, "\n".join(found)


def test_what_stops_the_version_before_is_seen() -> None:
    stopping = [
        RemoveField("a", "b"), RenameField("a", "b", "c"), DeleteModel("a"),
        AddField("a", "b", models.BooleanField(default=False)), AlterField("a", "b", models.IntegerField()),
    ]  # fmt: skip
    harmless = [
        AddField("a", "b", models.BooleanField(db_default=False)), AddField("a", "b", models.IntegerField(null=True)),
        AlterField("a", "b", models.IntegerField(null=True)),
    ]  # fmt: skip
    assert [bool(list(stops_the_version_before(one))) for one in stopping] == [True] * len(stopping)
    assert [bool(list(stops_the_version_before(one))) for one in harmless] == [False] * len(harmless)
