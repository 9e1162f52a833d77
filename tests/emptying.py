"""What is emptied after a test that commits: the few tables that hold something.

Django's own way empties all of them at once, for which PostgreSQL makes every file of theirs anew, and then writes down
its list of models and permissions again, which nothing here reads: that took longer than most of these tests.
"""

from functools import cache

from django.db import connection, transaction

#: Made with the tables, and about them.
KEPT = {"auth_permission", "django_content_type", "django_migrations"}


def empty_tables() -> None:
    """Leave no row that a test could have made. What refers to what is looked at in the end, so any order will do."""
    names = _names()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(f"EXISTS (SELECT 1 FROM {name})" for name in names))
        for name, is_held in zip(names, cursor.fetchone(), strict=True):
            if is_held:
                cursor.execute(f"DELETE FROM {name}")


@cache
def _names() -> list[str]:
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return [connection.ops.quote_name(table) for table in tables if table not in KEPT]
