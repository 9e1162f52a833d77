"""`manage.py tally`: how much is in each table, and a hash of what: the same after a restore as before the backup."""

import hashlib
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection, transaction

#: Rows that are held in memory together.
CHUNK = 2000
#: Sessions come and go by themselves between two counts.
PASSING = {"django_session"}


class Command(BaseCommand):
    help = "Print the rows of every table and a SHA-256 of them, to hold a restored database against its source."

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                # One moment of all tables, also while others write; SQLite has it by itself.
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            for table in sorted(set(connection.introspection.table_names(cursor)) - PASSING):
                rows, digest = _tally(table)
                self.stdout.write(f"{table:45} {rows:9}  {digest}")


def _tally(table: str) -> tuple[int, str]:
    """The rows of a table, in the order of its first column, which is its key."""
    digest, count = hashlib.sha256(), 0
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1")  # noqa: S608 - names of our own
        while some := cursor.fetchmany(CHUNK):
            for row in some:
                digest.update(repr(row).encode())
            count += len(some)
    return count, digest.hexdigest()
