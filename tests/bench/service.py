"""The service as `make run` starts it, in a folder of its own, with the floor's web process beside it."""

import os
import secrets
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from server.embedded.child import Child
from server.embedded.ports import LOOPBACK, free_port
from server.embedded.postgres_server import PostgresServer
from server.embedded.redis_server import RedisServer
from server.processes import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
Kind = Literal["embedded", "redis"]
#: What a person's own environment may say about another service, and must not say about this one.
NOT_INHERITED = ("DATABASE_URL", "REDIS_URL", "CACHE_URL", "DEBUG", "HTTPS", "STATIC_ROOT", "DJANGO_SETTINGS_MODULE")


@dataclass(frozen=True)
class Service:
    """A running service: where its pages are, and where the same form may be posted to a view that only stores it."""

    port: int
    floor_port: int


@contextmanager
def running(kind: Kind) -> Iterator[Service]:
    """A service until the end of the block: on the embedded default, or on a durable PostgreSQL and a Redis."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gym-bench-")))
        port, floor_port = free_port(), free_port()
        env = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        env |= {
            "VAR_DIR": str(folder),
            "PORT": str(port),
            "SECRET_KEY": secrets.token_urlsafe(50),
            "LOG_LEVEL": "WARNING",
        }
        if kind == "redis":
            postgres = stack.enter_context(PostgresServer(durable=True))
            redis = stack.enter_context(RedisServer())
            env |= {"DATABASE_URL": postgres.create_database("gym"), "REDIS_URL": redis.url}
        _start(stack, "make run", [sys.executable, "-m", "server.run"], port, env, folder)
        env |= {
            "PORT": str(floor_port),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}",
            "HTTPS": "0",
            "DJANGO_SETTINGS_MODULE": "tests.bench.floor.settings",
        }
        _start(stack, "floor", COMMANDS["web"], floor_port, env, folder)
        yield Service(port, floor_port)


def _start(stack: ExitStack, name: str, command: list[str], port: int, env: dict[str, str], folder: Path) -> None:
    child = Child(name, command, log=folder / f"{name.replace(' ', '-')}.log", env=env, cwd=ROOT)
    stack.callback(child.stop, seconds=30)
    child.wait_until(lambda: _is_open(port), seconds=120)


def _is_open(port: int) -> bool:
    """Whether anything is answered there, if only that there is no such page."""
    try:
        urllib.request.urlopen(f"http://{LOOPBACK}:{port}/health/ready", timeout=2).close()
    except urllib.error.HTTPError as error:
        return error.code == 404
    except (urllib.error.URLError, OSError):
        return False
    return True
