"""The process that ``million`` starts: fills the database, asks everything, and prints what it came to.

Runs with Django set up, on a database that is empty and migrated.
"""

import sys
from collections.abc import Iterable
from time import perf_counter

from django.conf import settings
from django.db import connection

from exercises.actions.figures import want_figures, work_on_figures
from exercises.models import ProblemSet
from server.api.throttles import KeyThrottle, WorkThrottle
from server.web import post_worker_init
from tests.bench.million_asks import Asked, asked, counted
from tests.bench.million_places import Places
from tests.bench.million_plans import big_tables
from tests.bench.million_work import sent, worked
from tests.bench.million_world import MILLION, World, fill, sizes

#: Seconds, longer than any run.
HOURS = 36_000.0
#: Of the tables, the largest so many are told.
TABLES = 12


def main() -> None:
    """Fill, ask and tell."""
    starts = perf_counter()
    world = fill(MILLION)
    print(f"Filled in {perf_counter() - starts:.0f} s.", file=sys.stderr, flush=True)
    large, tiny = ready(world)
    few = counted(tiny)
    rows = []
    for source in (asked(large), sent(large), worked(large)):
        for one in source:
            one.few = few.get((one.name, one.who), -1)
            rows.append(one)
            print(line(one), file=sys.stderr, flush=True)
    tell(rows)


def ready(world: World) -> tuple[Places, Places]:
    """Both courses with all that addresses name, and figures to be shown."""
    settings.ALLOWED_HOSTS = ["*"]
    # One person asks everything within a minute here.
    KeyThrottle.per_key = {"reads": 10**6, "writes": 10**6}
    WorkThrottle.per_user = 10**6
    large, tiny = (Places(world.large, world.teacher, world.learner), Places(world.tiny, world.tina, world.tim))
    for course in (world.large, world.tiny):
        first = ProblemSet.objects.filter(course=course).order_by("position")[0]
        for problem_set in (first, None):
            work_on_figures(want_figures(course=course, problem_set=problem_set).pk, seconds=HOURS)
    post_worker_init(None)  # as the web process does once it is up
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return large, tiny


def tell(rows: Iterable[Asked]) -> None:
    """The table of everything, what is wrong with it, and how large the tables are."""
    rows = list(rows)
    print("\n".join(line(one) for one in sorted(rows, key=lambda one: -one.server)))
    print("\nWhat reads more than it should:")
    for one in rows:
        for told in complaints(one):
            print(f"  {one.name} ({one.who}): {told}")
    print("\nTables: rows, bytes in all, bytes of indexes")
    for name, (count, total, indexes) in list(sizes().items())[:TABLES]:
        print(f"  {name:32} {count:>9} {total:>12} {indexes:>12}")


def line(one: Asked) -> str:
    """One row of the table."""
    few = "" if one.few in (-1, one.queries) else f" ({one.few} in the tiny course)"
    return (
        f"{one.name:34} {one.who:6} {one.status} {one.queries:>4} queries{few}  {one.server:7.1f} ms, CPU web "
        f"{one.web:6.1f}, PostgreSQL {one.postgres:6.1f}; {one.blocks} blocks, {one.bytes // 1024} kB"
    )


def complaints(one: Asked) -> list[str]:
    """What is wrong with its queries, each with the query."""
    big = big_tables()
    return [
        f"{'; '.join(faults)} in {ran.milliseconds:.1f} ms: {ran.sql[:1500]}"
        for ran in one.ran
        if (faults := ran.faults(big))
    ]
