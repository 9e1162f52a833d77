"""Processes of their own with Django set up, on a PostgreSQL that is empty and migrated, and gone after them."""

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from server.embedded.postgres_server import PostgresServer
from server.embedded.redis_server import RedisServer
from tests.bench.service import NOT_INHERITED, ROOT

#: `python -m` of a module that imports models would be too late to set Django up.
SET_UP = "import django; django.setup(); from tests.bench import {module}; {module}.{call}"


@contextmanager
def empty_postgres(*, pages: bool = False) -> Iterator[Callable[[str, str], str]]:
    """What runs a call of a module of the bench there, each in a process of its own, and gives what it printed.

    With ``pages`` the static files are collected, which pages ask for.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gym-bench-"))
        postgres = stack.enter_context(PostgresServer(durable=True))
        redis = stack.enter_context(RedisServer())
        env = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED} | {
            "VAR_DIR": folder,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "LOG_LEVEL": "ERROR",
            "HTTPS": "0",
            "DATABASE_URL": postgres.create_database("gym"),
            "REDIS_URL": redis.url,
            "DJANGO_SETTINGS_MODULE": "server.settings",
        }
        for command in (["migrate"], ["collectstatic", "--no-input"]) if pages else (["migrate"],):
            ready = [sys.executable, "manage.py", *command, "--verbosity=0"]
            subprocess.run(ready, cwd=ROOT, env=env, check=True)

        def printed(module: str, call: str) -> str:
            run = [sys.executable, "-c", SET_UP.format(module=module, call=call)]
            return subprocess.run(run, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout

        yield printed


def printed_by(module: str) -> str:
    """What ``main`` of a module of the bench prints there that asks for pages."""
    with empty_postgres(pages=True) as printed:
        return printed(module, "main()")
