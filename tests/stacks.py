"""The whole service, live: web, worker and beat as the processes that production runs, on servers of its own."""

import fcntl
import functools
import itertools
import os
import secrets
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from xdist.scheduler import LoadFileScheduling

from server.embedded.child import Child
from server.embedded.host import HERE, Host
from server.embedded.ports import free_port
from server.embedded.redis_server import RedisServer
from server.processes import COMMANDS
from tests.servers import Servers
from tests.service_shell import Shell

ROOT = Path(__file__).resolve().parent.parent
Kind = Literal["postgres", "embedded"]
KINDS: tuple[Kind, ...] = ("postgres", "embedded")
#: Where the standing services are asked for.
LIVELY = ("tests/journeys/", "tests/exercises/test_faults.py")
#: Seconds until what starts counts as missing: a machine that runs much else beside is slow, not wrong.
PATIENCE = 300
_numbers = itertools.count(1)


class Scheduling(LoadFileScheduling):
    """A file of tests stays in one process, and all that ask for a live service share few: every one brings up services
    and a browser of its own, which cost as much as thirty tests and take turns on the same cores."""

    def _split_scope(self, nodeid: str) -> str:
        path = super()._split_scope(nodeid)
        if not path.startswith(LIVELY):
            return path
        # One of two processes, and so on: who has many cores need not wait for one of them.
        return f"live services {zlib.crc32(path.encode()) % max(1, self.numnodes // 2)}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """For `--dist loadfile`, which is what `make test` says."""
    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


class Stack:
    """One running service: migrated, with the catalogue in it, and on the embedded default with the demo world.

    Its parts are children of the test process: `kill("worker")`, `start("worker")`, `redis.stop()` and
    `redis.start()` do to it what a bad day does.
    """

    def __init__(
        self, kind: Kind, *, folder: Path, database_url: str, static: Path, hosts: Mapping[str, Host] | None = None
    ) -> None:
        self.hosts = hosts or {}
        self.kind = kind
        self.folder = folder
        self.port = free_port()
        self.url = f"http://{self._host('web').address}:{self.port}"
        self.redis = RedisServer(host=self._host("redis"))
        self.parts: dict[str, Child] = {}
        self.env = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOST": self._host("web").address,
            "PORT": str(self.port),
            "DATABASE_URL": database_url,
            "REDIS_URL": self.redis.url,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "DEBUG": "0",
            "HTTPS": "0",
            "VAR_DIR": str(folder),
            "STATIC_ROOT": str(static),
        }
        self._shell = Shell(env=self.env, log=folder / "shell.log")

    def run(self, code: str) -> str:
        """Run Python in the service's database, with every model at hand, and return what it printed."""
        return self._shell.run(code)

    def manage(self, *arguments: str) -> str:
        """Run a management command on its database and return what it printed; AssertionError if it fails."""
        command = [sys.executable, "manage.py", *arguments]
        ran = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, f"manage.py {' '.join(arguments)} failed:\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    def start(self, *names: str) -> None:
        """Start web, worker and beat, or those named, and return once the pages answer and the worker listens."""
        for name in names or COMMANDS:
            self.launch(name, COMMANDS[name])
        if "web" in (names or COMMANDS):
            self.parts["web"].wait_until(self.answers, seconds=PATIENCE)
        if "worker" in (names or COMMANDS):
            worker = self.parts["worker"]
            worker.wait_until(lambda: worker.has_said("ready."), seconds=PATIENCE)

    def launch(self, name: str, command: list[str]) -> Child:
        """Start one of its processes under that name, on its host, and wait for nothing."""
        # A log a start: what an earlier process wrote is no news of this one.
        log = self.folder / f"{name}-{next(_numbers)}.log"
        self.parts[name] = Child(name, self._host(name).command(command), log=log, env=self.env, cwd=ROOT)
        return self.parts[name]

    def _host(self, name: str) -> Host:
        return self.hosts.get(name, HERE)

    def answers(self) -> bool:
        """Whether it can take answers."""
        try:
            # By the one name that is always allowed, on whatever host it runs.
            request = urllib.request.Request(f"{self.url}/health/ready", headers={"Host": "localhost"})
            with urllib.request.urlopen(request, timeout=2) as response:
                return bool(response.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self, name: str) -> None:
        """End one of its processes at once, with no chance to tidy up."""
        self.parts.pop(name).kill()

    def stop(self) -> None:
        """End everything."""
        self._shell.stop()
        for part in reversed(self.parts.values()):
            part.stop()
        self.parts.clear()
        self.redis.remove()


@dataclass(frozen=True)
class Prepared:
    """What every live service begins with: static files, an SQLite file with catalogue and demo world, and the name of
    a PostgreSQL database with the catalogue, each made once and copied from then on."""

    folder: Path
    servers: Servers
    names: dict[Kind, str] = field(default_factory=dict)

    @property
    def static(self) -> Path:
        """The collected static files, which every service reads and none writes."""
        return self.folder / "static"

    def copy(self, kind: Kind, folder: Path) -> str:
        """The address of a database of its own for a service in ``folder``."""
        return self._sqlite_copy(folder) if kind == "embedded" else self._postgres_copy(folder)

    def _sqlite_copy(self, folder: Path) -> str:
        made = self.folder / "gym.sqlite3"
        # The processes of a run share it: whoever comes first makes it, and the others wait.
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                begun = self.folder / "begun.sqlite3"
                self._prepare(f"sqlite:///{begun}", self.folder, "--demo")
                begun.rename(made)
        shutil.copy(made, folder / "gym.sqlite3")
        return f"sqlite:///{folder / 'gym.sqlite3'}"

    def _postgres_copy(self, folder: Path) -> str:
        if "postgres" not in self.names:
            address = self.servers.new_database()
            with (self.folder / "lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._prepare(address, folder)
            self.names["postgres"] = urlsplit(address).path.removeprefix("/")
        return self.servers.new_database(template=self.names["postgres"])

    def _prepare(self, address: str, folder: Path, *options: str) -> None:
        stack = Stack("embedded", folder=folder, database_url=address, static=self.static)
        try:
            stack.redis.start()
            stack.manage("prepare", *options)
        finally:
            stack.stop()


@pytest.fixture(scope="session")
def prepared(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """The beginnings of live services, shared by all processes of this run of the tests."""
    mine = tmp_path_factory.getbasetemp()
    folder = (mine.parent if os.environ.get("PYTEST_XDIST_WORKER") else mine) / "prepared"
    folder.mkdir(exist_ok=True)
    return Prepared(folder, servers)


@pytest.fixture(scope="session")
def new_stack(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Kind], Stack]]:
    """A function that brings up another live service of its own, for a test that breaks things."""
    stacks: list[Stack] = []

    def bring_up(kind: Kind) -> Stack:
        folder = tmp_path_factory.mktemp(f"stack-{kind}-")
        stack = Stack(kind, folder=folder, database_url=prepared.copy(kind, folder), static=prepared.static)
        stacks.append(stack)
        stack.redis.start()
        stack.start()
        return stack

    yield bring_up
    for stack in stacks:
        stack.stop()


@pytest.fixture(scope="session")
def standing_stack(new_stack: Callable[[Kind], Stack]) -> Callable[[Kind], Stack]:
    """A function for the one live service of each kind; the first who asks starts it."""
    return functools.cache(new_stack)


@pytest.fixture(scope="session", params=KINDS)
def live_stack(request: pytest.FixtureRequest, standing_stack: Callable[[Kind], Stack]) -> Stack:
    """The live service, once on PostgreSQL and once on the embedded default; shared, so leave it as it was."""
    # Not started here: pytest forgets what this made as soon as a test asks for the other kind.
    return standing_stack(request.param)
