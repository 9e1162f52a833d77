"""PgBouncer before a PostgreSQL of ours, as a service of many hosts has it, lending connections for one transaction."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.embedded.child import Child
from server.embedded.ports import LOOPBACK, free_port, is_taken
from server.embedded.postgres_server import PostgresServer, server_user

#: Debian keeps it where only root looks.
PLACES = f"{os.environ['PATH']}{os.pathsep}/usr/sbin"

SETTINGS = """
[databases]
* = host={host} port={server}
[pgbouncer]
listen_addr = {address}
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/users.txt
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 500
"""


def found() -> str | None:
    """Where the program is, if it is to be had."""
    return shutil.which("pgbouncer", path=PLACES)


@contextmanager
def pooled(postgres: PostgresServer, database: str, *, size: int) -> Iterator[str]:
    """The address of that database by way of a pooler that holds so many connections to it at most."""
    program = found()
    assert program is not None, "ask found() first"
    port, user = free_port(), server_user()
    with tempfile.TemporaryDirectory(prefix="gym-pooler-") as name:
        folder = Path(name)
        settings = SETTINGS.format(
            host=postgres.host.address, server=postgres.port, address=LOOPBACK, port=port, folder=folder, size=size
        )
        (folder / "pgbouncer.ini").write_text(settings)
        (folder / "users.txt").write_text(f'"{postgres.USER}" "{postgres.password}"\n')
        for path in (folder, *folder.iterdir()):
            if user:
                shutil.chown(path, user)
        child = Child(
            "pgbouncer", [program, str(folder / "pgbouncer.ini")], log=folder / "pgbouncer.log", cwd=folder, user=user,
        )  # fmt: skip
        try:
            child.wait_until(lambda: is_taken(port), seconds=60)
            yield f"postgres://{postgres.USER}:{postgres.password}@{LOOPBACK}:{port}/{database}"
        finally:
            child.stop()
