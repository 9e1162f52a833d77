"""Behind a pooler that lends a connection for one transaction: everybody shares four connections and misses nothing."""

from collections.abc import Iterator

import psycopg
import pytest

from server.embedded.postgres_server import PostgresServer
from tests.load.faults import COUNT, Counted
from tests.load.pooler import found, pooled
from tests.load.test_hosts import ANSWER, until
from tests.missing import cannot_run
from tests.stacks import Prepared, Stack

CONNECTIONS = 4
ANSWERS = 12
#: A list that is read row by row, while somebody else takes the connection that it began on.
LONG_LIST = """
import threading
from django.db import transaction
held, over = threading.Event(), threading.Event()

def hold():
    with transaction.atomic():
        User.objects.first()
        held.set()
        over.wait(60)

rows = Submission.objects.order_by("pk").iterator(chunk_size=1)
next(rows)
other = threading.Thread(target=hold)
other.start()
held.wait(60)
try:
    print("READ", 1 + len(list(rows)))
finally:
    over.set()
    other.join()
"""


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    if found() is None:
        cannot_run("pgbouncer", "it is not installed.", required="REQUIRE_POOLER")
    with PostgresServer() as server:
        server.create_database("gym")
        yield server


@pytest.fixture(scope="module")
def stack(postgres: PostgresServer, prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("pooled")
    with pooled(postgres, "gym", size=CONNECTIONS) as address, pytest.MonkeyPatch.context() as patched:
        for name, value in {"DATABASE_POOLED": "1", "WEB_WORKERS": "2", "WORKER_CONCURRENCY": "4"}.items():
            patched.setenv(name, value)
        stack = Stack("postgres", folder=folder, database_url=address, static=prepared.static)
        try:
            stack.redis.start()
            stack.manage("prepare", "--no-static")
            stack.start()
            yield stack
        finally:
            stack.stop()


def connections(postgres: PostgresServer) -> int:
    with psycopg.connect(postgres.url()) as connection:
        row = connection.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = 'gym'").fetchone()
    assert row is not None
    return int(row[0])


def test_every_answer_is_marked_once_over_few_connections(stack: Stack, postgres: PostgresServer) -> None:
    taken = {str(seed): stack.run(ANSWER.format(seed=seed)).split()[-1] for seed in range(100, 100 + ANSWERS)}
    until(lambda: not Counted.of(stack.run(COUNT), taken).waiting(), "all are marked")
    assert Counted.of(stack.run(COUNT), taken).wrong() == []
    assert 1 <= connections(postgres) <= CONNECTIONS


def test_a_long_list_is_read_to_its_end_whoever_takes_the_connection_meanwhile(stack: Stack) -> None:
    for seed in (501, 502):
        stack.run(ANSWER.format(seed=seed))
    assert int(stack.run(LONG_LIST).split()[-1]) >= 2
