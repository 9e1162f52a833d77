"""Decides on which servers the tests run, before Django reads its settings.

DATABASE_URL and REDIS_URL are used where they are set, and must then be for tests alone: they are emptied. Else a
PostgreSQL and a Redis of our own are started, on free loopback ports, by the first test that needs them. With
`--embedded` the database is SQLite, as in `make run`, and only the tests that meet it are run.

Where tests run on several cores (`-n`), each of their processes has servers of its own; on a given PostgreSQL a
database of its own, which is pytest-django's doing, and in a given Redis a number of its own.
"""

import itertools
import os
import tempfile
from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis
from psycopg import sql

from server.embedded.postgres_server import PostgresServer
from server.embedded.redis_server import RedisServer

_numbers = itertools.count(1)
#: Which addresses in the environment were made up here and not given: a worker inherits them, and makes its own.
OWN = "TESTS_OWN_SERVERS"


def _given(name: str) -> str:
    """What the environment names, unless the process that started this one made it up."""
    return "" if name in os.environ.get(OWN, "").split() else os.environ.get(name, "")


def _numbered(url: str) -> str:
    """A Redis that was given, with a database for each of several processes: one empties what another counts in."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    # Two each: the cache is in the one after the queue's.
    return urlsplit(url)._replace(path=f"/{2 * int(worker) + 1}").geturl() if worker else url


class Servers:
    """The database and the Redis of the test process; addresses are known at once, the servers start when needed."""

    def __init__(self, *, embedded: bool) -> None:
        self.embedded = embedded
        self.postgres: PostgresServer | None = None
        self.redis: RedisServer | None = None
        self.started = False
        self._clients: dict[str, redis.Redis] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="gym-tests-")
        own = set()
        self._postgres_url = _given("DATABASE_URL")
        if not self._postgres_url.startswith("postgres"):
            self.postgres = PostgresServer()
            self._postgres_url = self.postgres.url("gym")
            own.add("DATABASE_URL")
        os.environ["DATABASE_URL"] = f"sqlite:///{self.folder / 'gym.sqlite3'}" if embedded else self._postgres_url
        redis_url = _given("REDIS_URL")
        if not redis_url:
            self.redis = RedisServer()
            own.add("REDIS_URL")
        os.environ["REDIS_URL"] = self.redis.url if self.redis else _numbered(redis_url)
        os.environ[OWN] = " ".join(sorted(own))

    @property
    def folder(self) -> Path:
        """Emptied at the end of the session."""
        return Path(self._folder.name)

    def start(self) -> None:
        """Start what is not running yet."""
        if self.started:
            return
        if not self.embedded:
            self.postgres_url()
        if self.redis:
            self.redis.start()
        self.started = True

    def empty_redis(self) -> None:
        """Leave no message in the queue and nothing in the cache; nothing happens before they run."""
        if not self.started:
            return
        from django.conf import settings  # noqa: PLC0415  (the settings read what this module decides)

        for address in (settings.CELERY_BROKER_URL, settings.CACHES["default"]["LOCATION"]):
            if address not in self._clients:
                self._clients[address] = redis.Redis.from_url(address)
            self._clients[address].flushdb()

    def postgres_url(self) -> str:
        """The address of a PostgreSQL that runs, whichever database the test process itself is on."""
        if self.postgres and not self.postgres.is_running():
            self.postgres.start()
        return self._postgres_url

    def new_database(self, *, template: str = "template1") -> str:
        """The address of a new PostgreSQL database for a service that is not the test process: empty, or a copy of
        ``template``, which nobody may be connected to."""
        name, url = f"gym_{os.getpid()}_{next(_numbers)}", urlsplit(self.postgres_url())
        with psycopg.connect(url._replace(path="/postgres").geturl(), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
            )
        return url._replace(path=f"/{name}").geturl()

    def remove(self) -> None:
        """Stop them and leave nothing on disk."""
        for client in self._clients.values():
            client.close()
        for server in (self.postgres, self.redis):
            if server:
                server.remove()
        self._folder.cleanup()

    def told(self) -> str:
        """One line for the head of the test report."""
        if self.embedded:
            database = "SQLite, as in make run"
        elif self.postgres:
            programs = self.postgres.programs
            database = f"PostgreSQL {programs.version} from {programs.folder}"
            database += "".join(f" (passed over {reason})" for reason in programs.passed_over)
        else:
            database = "the PostgreSQL of DATABASE_URL"
        return f"servers: {database}; {'a Redis of our own' if self.redis else 'the Redis of REDIS_URL'}"


SERVERS = pytest.StashKey[Servers]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--embedded", action="store_true", help="run on SQLite, the database of make run")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    # pytest-django reads the settings inside the call that this one wraps.
    servers = Servers(embedded=early_config.known_args_namespace.embedded)
    early_config.stash[SERVERS] = servers
    os.environ["DEBUG"] = "1"  # no manifest of static files; pytest-django turns DEBUG itself off
    static = servers.folder / "static"
    static.mkdir()
    os.environ["STATIC_ROOT"] = str(static)
    yield


def pytest_report_header(config: pytest.Config) -> str:
    return config.stash[SERVERS].told()


def pytest_unconfigure(config: pytest.Config) -> None:
    if servers := config.stash.get(SERVERS, None):
        servers.remove()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--embedded` run what a database can change, and nothing twice that never meets one."""
    if config.getoption("embedded"):
        kept = [item for item in items if _meets_database(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept


def _meets_database(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function):
        return True
    if "journey" in item.keywords:
        # Those that need both ask for a live service on each; the rest is about browsers.
        return False
    return "django_db" in item.keywords or not {"db", "transactional_db"}.isdisjoint(item.fixturenames)


@pytest.fixture(scope="session")
def servers(request: pytest.FixtureRequest) -> Servers:
    """The database and Redis of the test process, running."""
    found = request.config.stash[SERVERS]
    found.start()
    return found
