"""The service under load: the processes of production on a PostgreSQL that waits for its disk, and its floor."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from server.embedded.child import Child
from server.embedded.ports import LOOPBACK, free_port, is_taken
from server.embedded.postgres_server import PostgresServer
from server.processes import COMMANDS
from tests.bench.service import NOT_INHERITED
from tests.load.others import Others
from tests.stacks import ROOT, Stack

#: As docker-compose.yml has them.
PROCESSES = {"WEB_WORKERS": "2", "WEB_THREADS": "8", "WORKER_CONCURRENCY": "2", "LOG_LEVEL": "WARNING"}
#: The systems that it calls in a run of faults are on this machine.
CALLED = {"ALLOW_PRIVATE_ADDRESSES": "1"}

METRICS_TOKEN = "what-prometheus-sends"


@dataclass
class Loaded:
    """A service with PostgreSQL and Redis of its own; ``floor`` is where bare requests go, ``others`` whom it calls,
    ``complaints`` what was seen on the way that should not be."""

    stack: Stack
    postgres: PostgresServer
    floor: str
    floor_child: Child
    others: Others | None = None
    complaints: list[str] = field(default_factory=list)

    def cpu_seconds(self) -> dict[str, float]:
        """Seconds of CPU that each part used so far, with its children."""
        parts = {name: part.pid for name, part in self.stack.parts.items()}
        parts |= {
            "postgres": self.postgres.child.pid,
            "redis": self.stack.redis.child.pid,
            "floor": self.floor_child.pid,
        }
        return {name: _cpu(pid) for name, pid in parts.items()}


def _cpu(pid: int) -> float:
    try:
        parent = psutil.Process(pid)
        family = [parent, *parent.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0.0
    total = 0.0
    for one in family:
        try:
            used = one.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += used.user + used.system
    # What children that have ended used is with their parent.
    ended = parent.cpu_times()
    return total + ended.children_user + ended.children_system


@contextmanager
def loaded() -> Iterator[Loaded]:
    """Web, worker, beat and the floor, until the end of the block."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gym-load-")))
        postgres = stack.enter_context(PostgresServer(durable=True))
        for name in NOT_INHERITED:
            os.environ.pop(name, None)
        os.environ |= CALLED
        database = postgres.create_database("gym")
        service = Stack("postgres", folder=folder, database_url=database, static=folder / "static")
        stack.callback(service.stop)
        service.env |= PROCESSES | {"PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics"), "METRICS_TOKEN": METRICS_TOKEN}
        service.redis.start()
        service.manage("prepare")
        service.start()
        port = free_port()
        env = {**service.env, "PORT": str(port), "DJANGO_SETTINGS_MODULE": "tests.bench.floor.settings"}
        env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
        floor = Child("floor", COMMANDS["web"], log=folder / "floor.log", env=env, cwd=ROOT)
        stack.callback(floor.stop)
        floor.wait_until(lambda: is_taken(port), seconds=120)
        yield Loaded(service, postgres, f"http://{LOOPBACK}:{port}/latest/", floor)
