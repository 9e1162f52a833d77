"""Indexes that are made while the service runs: on PostgreSQL nobody waits to write meanwhile."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex
from django.db.migrations.state import ProjectState


class AddIndexConcurrently(AddIndex):
    """As AddIndex; on PostgreSQL with CONCURRENTLY, which takes longer and keeps no writer waiting.

    Only in a migration with ``atomic = False``, alone with its like. Broken off, it is done again: what is there and
    whole is left, half an index is taken away first.
    """

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        editor: Any = schema_editor
        model = to_state.apps.get_model(app_label, self.model_name)
        if not self.allow_migrate_model(editor.connection.alias, model):
            return
        is_whole = _is_whole(editor, self.index.name)
        if is_whole is False:
            editor.execute(f"DROP INDEX CONCURRENTLY {editor.quote_name(self.index.name)}")
        if not is_whole:
            editor.add_index(model, self.index, concurrently=True)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)
            return
        editor: Any = schema_editor
        model = from_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(editor.connection.alias, model):
            editor.remove_index(model, self.index, concurrently=True)


def _is_whole(editor: Any, name: str) -> bool | None:
    """Whether an index is good to be used; None if there is none."""
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [editor.quote_name(name)])
        found = cursor.fetchone()
    return None if found is None else bool(found[0])
