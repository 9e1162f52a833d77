"""Indexes that are made while the service runs: on PostgreSQL nobody waits to write meanwhile."""

from typing import Any

from django.contrib.postgres import operations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex
from django.db.migrations.state import ProjectState


class AddIndexConcurrently(operations.AddIndexConcurrently):
    """As Django's, and on SQLite an index like any other.

    Only in a migration with ``atomic = False``, alone with its like. Broken off, it is done again: what is there and
    whole is left, half an index is taken away first.
    """

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Make it, unless it is there already."""
        if schema_editor.connection.vendor != "postgresql":
            AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        is_whole = _is_whole(schema_editor, self.index.name)
        if is_whole is False:
            schema_editor.execute(f"DROP INDEX CONCURRENTLY {schema_editor.quote_name(self.index.name)}")
        if not is_whole:
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Take it away."""
        if schema_editor.connection.vendor != "postgresql":
            AddIndex.database_backwards(self, app_label, schema_editor, from_state, to_state)
            return
        super().database_backwards(app_label, schema_editor, from_state, to_state)


def _is_whole(editor: Any, name: str) -> bool | None:
    """Whether an index is good to be used; None if there is none."""
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [editor.quote_name(name)])
        found = cursor.fetchone()
    return None if found is None else bool(found[0])
