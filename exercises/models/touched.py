"""When a row was written last: kept by the database itself, since no line of code can forget it there."""

from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone


class Touched(models.DateTimeField):
    """The time of the last insert or update of its row, also of bulk writes.

    ``install_trigger`` lets the database keep it; it runs after every migration, because SQLite drops the triggers of
    a table that a migration changes.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        options |= {"default": timezone.now, "editable": False}
        super().__init__(*args, **options)

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Neither is a choice, so migrations repeat none."""
        name, path, args, options = super().deconstruct()
        for given in ("default", "editable"):
            options.pop(given, None)
        return name, path, args, options

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """The time, and never what an instance that was read a while ago still says."""
        setattr(model_instance, self.attname, timezone.now())
        return super().pre_save(model_instance, add)


_POSTGRES = """
CREATE OR REPLACE FUNCTION row_touched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.updated_at = clock_timestamp(); RETURN NEW; END $$;
CREATE OR REPLACE TRIGGER touched BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION row_touched();
"""
# The condition keeps the trigger from answering its own update. Times are compared as texts there, and Django writes
# microseconds, or none where they are 0: with a last digit of 1 both sides of a comparison are always written alike.
_SQLITE = (
    "DROP TRIGGER IF EXISTS {name}_touched",
    (
        "CREATE TRIGGER {name}_touched AFTER UPDATE ON {table} FOR EACH ROW WHEN NEW.updated_at IS OLD.updated_at BEGIN"
        " UPDATE {table} SET updated_at = strftime('%Y-%m-%d %H:%M:%f', 'now') || '001' WHERE id = NEW.id; END"
    ),
)


def install_trigger(connection: BaseDatabaseWrapper, name: str) -> None:
    """Let the database keep ``updated_at`` of the table of that name. It may be done again at any time."""
    table = connection.ops.quote_name(name)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for statement in _SQLITE:
                cursor.execute(statement.format(name=name, table=table))
        else:
            cursor.execute(_POSTGRES.format(table=table))
