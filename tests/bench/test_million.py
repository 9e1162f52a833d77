"""No page, list or worker that is asked again and again passes over answers, verdicts, variants or attempts, however
many there are: by the plans of PostgreSQL, in a small world of the shape that the bench has large.

``python -m tests.bench.million`` looks at everything, with a million answers.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from server.api.throttles import KeyThrottle, WorkThrottle
from tests.bench.million_asks import EVERY, addresses, call_of
from tests.bench.million_places import Places
from tests.bench.million_plans import Ran, plans
from tests.bench.million_work import jobs, wait
from tests.bench.million_world import Shape, fill
from tests.servers import Servers

FEW = Shape(
    learners=40, sets=4, items=6, courses=60, class_size=15, small_sets=9, small_items=1, long_practice=400, practice=4,
    reviews=300,
)  # fmt: skip
TABLES = ("submission", "grading", "variant", "evidence", "attempt", "attemptitem")
#: What one query may read of a table: the large course is less than a twentieth of them, whoever learns less still.
SHARE = 1 / 5
#: Who learns or teaches opens these again and again; and programs ask these lists.
PAGES = {
    "frontend:home", "frontend:today", "frontend:progress", "frontend:skill", "frontend:history", "frontend:problem",
    "frontend:variant", "frontend:cards", "frontend:courses", "frontend:set", "frontend:attempt",
    "frontend:attempt-item", "frontend:attempt-receipt", "frontend:attempt-grade", "frontend:people",
    "frontend:gradebook", "frontend:set-grades", "frontend:set-statistics", "frontend:class", "frontend:faults",
    "frontend:audit", "frontend:webhooks", "frontend:regrades", "frontend:operating",
}  # fmt: skip
LISTS = {
    "api:submissions", "api:attempts", "api:attempt", "api:attempt-submissions", "api:attempt-item",
    "api:course-grades", "api:set-grades", "api:events", "api:statements", "api:deliveries", "api:people",
    "api:fault-reports", "api:skills", "api:next", "api:variant", "api:submission", "api:card-reviews",
}  # fmt: skip
#: What no worker does again and again, but once a night, or once for one set.
SELDOM = {"want-figures", "fold-difficulties", "figures-set", "figures-class", "want-set", "look-at-platforms"}

#: Without these, what stands beside them has to pass over a table; and the tables that they are of.
MISSING = {
    "submission_queue": "claim",
    "submission_own_history": "frontend:history for B",
    "attempt_touched": "api:attempts for A",
    "variant_own_latest": "frontend:progress for B",
}
TABLE_OF = {
    "submission_queue": "exercises_submission", "submission_own_history": "exercises_submission",
    "attempt_touched": "exercises_attempt", "variant_own_latest": "exercises_variant",
}  # fmt: skip


@pytest.fixture
def places(servers: Servers, db: None, monkeypatch: pytest.MonkeyPatch) -> Places:
    """The large course of the world."""
    if connection.vendor != "postgresql":
        pytest.skip("Plans are read from PostgreSQL.")
    monkeypatch.setattr(KeyThrottle, "per_key", {"reads": 10**6, "writes": 10**6})
    monkeypatch.setattr(WorkThrottle, "per_user", 10**6)
    world = fill(FEW, is_alone=False)
    return Places(world.large, world.teacher, world.learner)


def rows() -> dict[str, int]:
    """How many rows the tables of answers have."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reltuples::bigint FROM pg_class WHERE relkind = 'r' AND relname::text = ANY(%s)",
            [[f"exercises_{name}" for name in TABLES]],
        )
        return dict(cursor.fetchall())


def faults(ran: list[Ran]) -> list[str]:
    """Queries that pass over one of these tables, or read a large part of one by whatever way."""
    known = rows()
    return [
        f"{kind} {index or table} reads {count} of {known[table]} rows: {one.sql[:2000]}"
        for one in ran
        for kind, table, index, count in one.scans
        if table in known and (kind == "Seq Scan" or count > SHARE * known[table])
    ]


def looked_at(call: Any) -> list[str]:
    """What is wrong with the queries of a call, which is undone."""
    with transaction.atomic(), plans() as ran:
        call()
        transaction.set_rollback(True)
    assert ran, "it asked the database nothing"
    return faults(ran)


def everything(places: Places) -> Iterator[tuple[str, Any]]:
    """What is asked again and again, by whom, and what asks it once."""
    for name, who, address in addresses(places):
        if name in PAGES | LISTS:
            yield f"{name} for {who}", call_of(places, name, who, address)
    for name, job in jobs(places).items():
        if name not in SELDOM:
            yield name, job


def test_nothing_that_is_asked_again_and_again_passes_over_what_was_answered(places: Places) -> None:
    assert set(EVERY) >= PAGES | LISTS
    wait(20)
    found = {name: told for name, call in everything(places) if (told := looked_at(call))}
    assert found == {}
    # And it would be seen: each of these stands on an index.
    calls = dict(everything(places))
    for index, name in MISSING.items():
        with transaction.atomic():
            drop_with_its_like(index)
            assert looked_at(calls[name]) != [], f"{name} without {index}"
            transaction.set_rollback(True)


def drop_with_its_like(index: str) -> None:
    """Drop an index, and those that begin with the same column, which PostgreSQL could take instead."""
    with connection.cursor() as cursor:
        # What the rows refer to is looked up at the end of the transaction otherwise; until then no table is changed.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(
            "SELECT other.indexrelid::regclass::text, c.conname FROM pg_index i JOIN pg_index other "
            "ON other.indrelid = i.indrelid AND other.indkey[0] = i.indkey[0] "
            "LEFT JOIN pg_constraint c ON c.conindid = other.indexrelid AND c.conrelid = i.indrelid "
            "WHERE i.indexrelid = %s::regclass",
            [index],
        )
        for name, constraint in cursor.fetchall():
            cursor.execute(
                f"ALTER TABLE {TABLE_OF[index]} DROP CONSTRAINT {constraint}" if constraint else f"DROP INDEX {name}"
            )
