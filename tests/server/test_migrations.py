"""The tests make their tables from the models: they may, since migrations hold nothing that models do not say.

That no migration is missing is part of `make check`, and every live service of the tests is migrated from nothing, on
both databases.
"""

from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import RunSQL, SeparateDatabaseAndState

OURS = "exercises"


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
